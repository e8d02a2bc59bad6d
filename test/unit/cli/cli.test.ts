import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseSettings } from '../../../src/cli/arguments';
import { withTextOnly } from '../../../src/cli/commands/audit';
import type { Report } from '../../../src/report/report';
import { until } from '../../until';
import { sealOfText } from '../report/reportOf';
import { captious as run } from './captious';
import { saying } from '../../sentence';

const model = resolve('test/fixtures/models/bert-cls');
const clip = resolve('test/fixtures/models/clip');
const triplets =
  'filename\tcaption\tsecond positive\tnegative_caption\n' +
  '1.jpg\ta red bus\tthe bus is red\ta blue bus\n' +
  '2.jpg\ttwo dogs\ta pair of dogs\tthree dogs\n';

describe('command line', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-cli-'));
    file = join(folder, 'triplets.tsv');
    await writeFile(file, triplets);
  });
  after(() => rm(folder, { recursive: true }));

  const captious = (...args: string[]) => run(join(folder, 'home'), ...args);

  it('exits with 70 after a defect, never with 1, which means that a gate failed', async () => {
    for (const defect of ["throw new Error('lost')", "void Promise.reject(new Error('lost'))"]) {
      const script = join(folder, 'defect.cjs');
      await writeFile(script, `setTimeout(() => { ${defect} }, 0);`);
      const child = spawn(process.execPath, ['--require', script, 'dist/cli.js', 'evaluators'], {
        env: { ...process.env, CAPTIOUS_HOME: join(folder, 'home') },
        stdio: 'ignore',
      });
      assert.equal(await new Promise((done) => child.on('close', done)), 70);
    }
  });

  const audit = (...more: string[]) =>
    captious('audit', file, '--probe', 'visla', '--evaluator', model, ...more);

  it('prints a readable table, and only results to a pipe', async () => {
    const { code, out, err } = await audit();
    assert.equal(code, 0, err);
    assert.match(out, /visla\.t2t +\d\.\d{4}/);
    assert.doesNotMatch(out + err, /\u001b|\r/);
    assert.equal(err, '');
  });

  it('prints exactly one JSON value with --json', async () => {
    for (const args of [
      ['audit', file, '--probe', 'visla', '--evaluator', model, '--json'],
      ['inspect', file, '--json'],
      ['evaluators', '--json'],
    ]) {
      const { code, out, err } = await captious(...args);
      assert.equal(code, 0, err);
      assert.doesNotThrow(() => void JSON.parse(out), args.join(' '));
    }
  });

  it('compares and exports its own reports', async () => {
    const out = join(folder, 'reports');
    await audit('--out', out);
    const path = join(out, 'visla.bert-cls.report.json');
    const compared = await captious('compare', path, path, '--json');
    assert.equal(compared.code, 0, compared.err);
    const { metrics, pairs } = JSON.parse(compared.out) as {
      metrics: { values: { value: number | null }[] }[];
      pairs: { metric: string; difference: number; n: number }[];
    };
    assert.ok(metrics.length > 0);
    for (const { values } of metrics) assert.equal(values[0].value, values[1].value);
    assert.deepEqual(
      pairs.filter(({ metric }) => metric === 'visla.t2t').map(({ difference, n }) => [difference, n]),
      [[0, 2]],
    );
    assert.match((await captious('compare', path, path)).out, /visla\.t2t.*B − A|metric +A +B +B − A/);
    const report = JSON.parse(await readFile(path, 'utf8')) as Report;
    const edited = join(out, 'edited.report.json');
    const dataset = { ...report.dataset, sha256: 'f'.repeat(64) };
    await writeFile(edited, JSON.stringify({ ...report, dataset }));
    assert.match(
      (await captious('compare', path, edited)).out,
      /No paired comparison: the dataset files differ\./,
    );
    const rows = await captious('export', path, '--to', 'jsonl');
    assert.equal(rows.out, await readFile(join(out, report.rows), 'utf8'));
    const csv = await captious('export', path, '--to', 'csv');
    assert.equal(csv.out.trimEnd().split('\r\n').length, 3);
    const markdown = await captious('export', path, '--to', 'md');
    assert.match(markdown.out, /Accuracy, visla\.t2t \|/);
    assert.match(markdown.out, new RegExp(report.dataset.sha256));
  });

  it('exits with 0 when done, 1 when a gate failed, 2 when misused', async () => {
    assert.equal((await audit('--fail-on', 'visla.t2t < 0')).code, 0);
    const failed = await audit('--fail-on', 'visla.t2t >= 0');
    assert.equal(failed.code, 1);
    assert.match(failed.err, /gate failed for bert-cls/);
    const misuses: [string[], RegExp][] = [
      [[], /^$/],
      [['audits'], /no command "audits"/],
      [['audit'], /dataset is missing/],
      [['audit', file], /--probe is missing/],
      [['audit', file, '--probe', 'visla'], /--evaluator is missing/],
      [['audit', file, '--probe', 'visla', '--evaluator', model, '--limit', '-3'], /limit/],
      [['audit', file, '--probe', 'visla', '--evaluator', model, '--limit', '1.5'], /an integer/],
      [['audit', file, '--probe', 'visla', '--evaluator', model, '--set', 'visla'], /probe\.option=value/],
      [
        ['audit', file, '--probe', 'visla', '--evaluator', model, '--fail-on', 'visla.t2t'],
        saying('report.conditionInvalid'),
      ],
      [
        ['audit', file, '--probe', 'visla', '--evaluator', model, '--fail-on', 'nothing < 1'],
        saying('report.metricMissing', 'nothing'),
      ],
      [
        ['audit', file, '--probe', 'visla', '--evaluator', model, '--text-only'],
        /need images: visla[^]*rococo/,
      ],
      [
        ['audit', file, '--probe', 'rococo', '--evaluator', model].concat([
          '--text-only',
          '--set',
          'rococo.textOnly=false',
        ]),
        /contradict/,
      ],
      [['audit', join(folder, 'none'), '--probe', 'visla', '--evaluator', model], /none/],
      [['inspect', join(folder, 'none')], /none/],
      [['compare', file], /two or more reports/],
      [['compare', file, file], saying('report.notJson')],
      [['export', file, '--to', 'csv'], saying('report.notJson')],
      [['export', file, '--to', 'pdf'], /csv, jsonl, parquet, arrow, webdataset, html, md/],
    ];
    for (const [args, message] of misuses) {
      const { code, err } = await captious(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, message, args.join(' '));
      assert.doesNotMatch(err, /internal error/);
    }
  });

  it('ignores images on request, in every chosen probe that can', async () => {
    const captions = join(folder, 'rococo.json');
    const five = ['a red bus', 'the bus is red', 'a bus on a street', 'one large bus', 'a bus with people'];
    await writeFile(captions, JSON.stringify([{ image: '1.jpg', caption: five }]));
    const { code, out, err } = await captious(
      ...['audit', captions, '--probe', 'rococo', '--evaluator', clip, '--text-only', '--json'],
    );
    assert.equal(code, 0, err);
    const [report] = JSON.parse(out) as Report[];
    assert.equal(report.options.textOnly, true);
    // 1.jpg does not exist, but this probe needs no images.
    assert.equal(report.dataset.examples, 1);
    assert.deepEqual(withTextOnly({ rococo: { agree: 'true' } }, ['visla', 'rococo']), {
      rococo: { agree: 'true', textOnly: 'true' },
    });
  });

  it('compares a run with a baseline, row by row', async () => {
    const out = join(folder, 'baseline');
    await audit('--out', out);
    const path = join(out, 'visla.bert-cls.report.json');
    const same = await audit('--baseline', path);
    assert.equal(same.code, 0, same.err);
    const kept = await readFile(path, 'utf8');
    const rows = path.replace('report.json', 'rows.jsonl');
    const lines = (await readFile(rows, 'utf8')).split('\n').filter((line) => line !== '');
    const asReported = (text: string): string =>
      JSON.stringify({ ...(JSON.parse(kept) as Report), ...sealOfText(text) });
    const whole = `${lines.join('\n')}\n`;
    const renamed = whole.replaceAll('"example":"', '"example":"x');
    const broken = whole.replace('"p1":', '"q1":');
    const closed: [string, string | undefined, string, RegExp][] = [
      ['cut', `${lines[0]}\n`, kept, saying('report.rowsFileChanged')],
      ['emptied', '', kept, saying('report.rowsFileChanged')],
      ['changed', whole.replace('red', 'sad'), kept, saying('report.rowsFileChanged')],
      ['missing', undefined, kept, saying('editor.reportRowsUnreadable')],
      [
        'cut, and the report with it',
        `${lines[0]}\n`,
        asReported(`${lines[0]}\n`),
        saying('report.examplesOnlyInRun'),
      ],
      ['emptied, and the report with it', '', asReported(''), saying('report.examplesOnlyInRun')],
      ['renamed', renamed, asReported(renamed), saying('report.examplesOnlyInBaseline')],
      ['broken', broken, asReported(broken), saying('report.rowProblem', undefined, 1, 'p1 is not a text')],
    ];
    for (const [what, text, report, reason] of closed) {
      if (text === undefined) await rm(rows);
      else await writeFile(rows, text);
      await writeFile(path, report);
      const { code, err } = await audit('--baseline', path);
      assert.equal(code, 2, what);
      assert.match(err, reason, what);
    }
    await writeFile(rows, whole);
    await writeFile(path, kept);
    const other = join(folder, 'other.tsv');
    await writeFile(other, `${triplets}3.jpg\ta cat\tone cat\ta dog\n`);
    const misused = await captious(
      'audit',
      other,
      '--probe',
      'visla',
      '--evaluator',
      model,
      '--baseline',
      path,
    );
    assert.equal(misused.code, 2);
    assert.match(misused.err, /have different datasets/);
  });

  it('prints no control character of a dataset, a path or a report', async () => {
    const hostile = join(folder, 'a\u001b]0;x\u0007\u009b2J.tsv');
    await writeFile(hostile, triplets.replace('a red', 'a \u001b[31mred\u009b0m'));
    const runs = await Promise.all([
      captious('audit', hostile, '--probe', 'visla', '--evaluator', model, '--out', join(folder, 'hostile')),
      captious('inspect', hostile),
      captious('inspect', hostile, '--json'),
      captious('inspect', `${hostile}.none`),
      captious('\u001b]52;c;aGk=\u0007'),
    ]);

    const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
    for (const { out, err } of runs) assert.doesNotMatch(out + err, controls);
    assert.match(runs[0].out, /\\u001b\]0;x\\u0007\\u009b2J/);
    assert.ok(JSON.parse(runs[2].out));
  });

  it('has help with an example for every command', async () => {
    const overview = await captious('--help', '--all');
    assert.equal(overview.code, 0);
    for (const command of [
      'audit',
      'inspect',
      'evaluators',
      'fetch',
      'compare',
      'export',
      'variants',
      'scores',
      'demo',
    ]) {
      assert.match(overview.out, new RegExp(`captious ${command}`));
      const { code, out } = await captious(command, '--help');
      assert.equal(code, 0);
      assert.match(out, new RegExp(`Example:\\n  captious ${command}`));
    }
  });

  it('exits with 3 when interrupted', async () => {
    const many = join(folder, 'many.tsv');
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i}.jpg\ta bus ${i}\tthe bus ${i}\ta dog ${i}\n`);
    await writeFile(many, `filename\tcaption\tsecond positive\tnegative_caption\n${rows.join('')}`);
    const child = spawn(
      process.execPath,
      ['dist/cli.js', 'audit', many, '--probe', 'visla', '--evaluator', model, '--batch', '1'],
      {
        env: { ...process.env, CAPTIOUS_HOME: join(folder, 'interrupted') },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let err = '';
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
    const exit = new Promise<number | null>((done) => child.on('exit', done));
    const store = join(folder, 'interrupted', 'store');
    await until(() => existsSync(store) && readdirSync(store).length > 0);
    child.kill('SIGINT');
    assert.equal(await exit, 3, err);
    assert.match(err, saying('base.runAgainToResume'));
  });

  it('parses options of probes', () => {
    assert.deepEqual(parseSettings(['lgip.asInPaper=false', 'lgip.alpha=0.5', 'visla.x=a=b']), {
      lgip: { asInPaper: 'false', alpha: '0.5' },
      visla: { x: 'a=b' },
    });
  });

  it('rejects options of no probe, and changes no prototype', async () => {
    const settings = parseSettings(['__proto__.polluted=1', 'lgip.__proto__=1', 'constructor.name=x']);
    assert.deepEqual(Object.keys(settings), ['__proto__', 'lgip', 'constructor']);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    for (const [setting, said] of [
      ['__proto__.polluted=1', saying('probe.unknown', '__proto__')],
      ['nosuch.alpha=1', saying('probe.unknown', 'nosuch')],
      ['visla.__proto__=1', saying('probe.optionUnknown', 'visla', '__proto__')],
    ] as const) {
      const { code, err } = await captious(
        ...['audit', 'samples/triplets.tsv', '--probe', 'visla', '--evaluator', model, '--set', setting],
      );
      assert.equal(code, 2, err);
      assert.match(err, said);
    }
  });
});
