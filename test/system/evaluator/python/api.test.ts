import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { english, sentences } from '../../../../src/base/english';
import { CaptiousError } from '../../../../src/base/errors';
import { inARow, type Code, type Said } from '../../../../src/base/say';
import { openEvaluator } from '../../../../src/evaluator/open';
import { parseGate } from '../../../../src/report/gate';
import type { Report } from '../../../../src/report/report';
import { needsPython } from '../../../unit/evaluator/pythonFixtures';

const api = resolve('test/python/api');

describe('the Python module', function () {
  needsPython(this);
  this.timeout(600_000);
  let home: string;
  before(() => (home = mkdtempSync(join(tmpdir(), 'captious-api-'))));
  after(() => rmSync(home, { recursive: true, force: true }));

  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    CAPTIOUS_HOME: home,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONPATH: resolve('python'),
  });

  const groups = [
    ...['LiveEvaluator', 'Stops', 'Data', 'Results'].map((name) => `test_core.${name}`),
    ...['Sweep', 'Loggers', 'Show'].map((name) => `test_training.${name}`),
  ];
  for (const group of groups)
    it(`passes its own tests of ${group} with Python's library alone`, async () => {
      const child = spawn('python3', ['-m', 'unittest', group], {
        cwd: api,
        env: environment(),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
      const [code] = (await once(child, 'close')) as [number];
      assert.equal(code, 0, said);
      assert.match(said, /Ran \d+ test/);
    });

  it('makes the sentences of messages as the engine does', () => {
    const said = Object.keys(sentences()).flatMap((code) =>
      ['1', '2'].map((count): Said => ({ code: code as Code, values: Array(12).fill(count) })),
    );
    const all: Said[] = [...said, inARow(said.slice(0, 3)), { code: 'none.known' as Code, values: ['a'] }];
    const code =
      'import json, sys; from captious._words import sentences; print(json.dumps(sentences(json.load(sys.stdin))))';
    const { stdout, stderr } = spawnSync('python3', ['-S', '-c', code], {
      env: environment(),
      input: JSON.stringify(all),
      encoding: 'utf8',
    });
    assert.deepEqual(
      JSON.parse(stdout || stderr),
      all.map((one) => english(one)),
    );
  });

  it('is imported without other packages, and a worker loads nothing of the API', () => {
    const code =
      'import captious, sys; assert not any(name.startswith("captious.") for name in sys.modules); ' +
      'captious.audit, captious.Report; print(all(hasattr(captious, name) for name in captious.__all__))';
    const { stdout, stderr } = spawnSync('python3', ['-S', '-c', code], {
      env: environment(),
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), 'True', stderr);
  });

  it('reads conditions as --fail-on does', () => {
    const metrics = [
      { id: 'lgip.pr', value: 0.75, n: 40, ci: [0.6, 0.9] as [number, number] },
      { id: 'rococo.r@1', value: 0.5, n: 10 },
      { id: 'lgip.pr', value: 0.1, n: 4, slice: { flip: 'color' } },
      { id: 'lgip.none', value: null, n: 0 },
    ];
    const conditions = [
      ...['lgip.pr >= 0.75', 'lgip.pr > .75', '0.5 == rococo.r@1', 'lgip.pr.low < 0.6', 'lgip.pr.high<=9e-1'],
      ...['lgip.pr.n != 40', '!(lgip.pr < 1) || rococo.r@1 < lgip.pr', 'lgip.pr < 1 && ! rococo.r@1 > 1'],
      ...['lgip.pr < 1 || lgip.none > 0', 'lgip.none > 0', 'lgip.pr', '1 < 2', 'lgip.pr > lgip.pr', 'x > 1'],
      ...[
        'lgip.pr > 0 )',
        '(lgip.pr > 0',
        'rococo.r@1.low > 0',
        '',
        'lgip.pr = 1',
        'lgip.pr > 0 lgip.pr > 0',
      ],
    ];
    const expected = conditions.map((text) => {
      try {
        return parseGate(text).holds([{ metrics } as unknown as Report]);
      } catch (error) {
        assert.ok(error instanceof CaptiousError);
        return null;
      }
    });
    const given = metrics.map(({ ci, ...metric }) => ({
      note: null,
      slice: null,
      low: ci?.[0] ?? null,
      high: ci?.[1] ?? null,
      ...metric,
    }));
    const code = `
import json, sys
from captious._gate import Gate
from captious._run import CaptiousError
metrics, conditions = json.load(sys.stdin)
def outcome(text):
    try:
        return Gate(text, metrics).holds()
    except CaptiousError:
        return None
print(json.dumps([outcome(text) for text in conditions]))`;
    const { stdout, stderr } = spawnSync('python3', ['-c', code], {
      input: JSON.stringify([given, conditions]),
      env: environment(),
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(stdout || stderr), expected);
    assert.ok(expected.includes(true) && expected.includes(false) && expected.includes(null));
  });

  it('raises the error that the engine names, whatever else is in its output', () => {
    const engine = join(home, 'engine.js');
    const event = { type: 'error', kind: 'input', code: 'report.broken', message: 'a.json: broken' };
    const code = `
import json
from captious._run import CaptiousError, asked, audited
def raised(call):
    try:
        call()
    except CaptiousError as error:
        return [str(error), error.code]
print(json.dumps([raised(lambda: asked(["compare"])), raised(lambda: audited([], {}, False))]))`;
    const outcome = (lines: string[]): unknown => {
      const output = JSON.stringify(lines.map((line) => `${line}\n`).join(''));
      writeFileSync(engine, `process.stderr.write(${output}, () => process.exit(2));`);
      const { stdout, stderr } = spawnSync('python3', ['-c', code], {
        env: { ...environment(), CAPTIOUS_CLI: engine },
        encoding: 'utf8',
      });
      return JSON.parse(stdout || stderr);
    };
    const named = ['a.json: broken', 'report.broken'];
    const lines = [
      'captious: a warning of a library',
      JSON.stringify(event),
      '{"no": "event"}',
      'captious: bye',
    ];
    assert.deepEqual(outcome(lines), [named, named]);
    const [[unnamed, none]] = outcome(['captious: bye']) as [[string, null]];
    assert.ok(unnamed.includes('2') && unnamed.endsWith('captious: bye'));
    assert.equal(none, null);
  });

  it('holds evaluators that exist only while it runs', async () => {
    await assert.rejects(openEvaluator('live:Model', { home }), (error) => {
      assert.ok(error instanceof CaptiousError && error.kind === 'evaluator');
      assert.equal(error.at, 'live:Model');
      assert.ok(error.remedy !== undefined);
      return true;
    });
  });
});

describe('captious audit --events', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-events-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = (limit: string) =>
    spawn(
      process.execPath,
      [
        ...['dist/cli.js', 'audit', 'samples/captions.json', '--probe', 'lgip', '--evaluator', 'starter'],
        ...['--images', 'samples/images', '--out', folder, '--limit', limit, '--events'],
      ],
      { stdio: ['pipe', 'ignore', 'pipe'], env: { ...process.env, CAPTIOUS_HOME: folder } },
    );

  it('writes the error of a run that fails, with its code', () => {
    const words = ['audit', join(folder, 'missing.json'), '--probe', 'lgip', '--evaluator', 'starter'];
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...words, '--events'], {
      input: '',
      encoding: 'utf8',
    });
    const { message, ...error } = JSON.parse(stderr.trim().split('\n').at(-1)!) as Record<string, string>;
    assert.deepEqual([status, error], [2, { type: 'error', kind: 'input', code: 'base.pathMissing' }]);
    assert.ok(message.includes('missing.json'));
  });

  it('writes lines of JSON, with the path of each report', async () => {
    const child = start('2');
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 0, said);
    const events = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; path?: string });
    assert.deepEqual(
      events.flatMap(({ path }) => path ?? []),
      [join(folder, 'lgip.starter.report.json')],
    );
    assert.ok(['started', 'progress', 'done'].every((type) => events.some((event) => event.type === type)));
  });

  it('stops when standard input ends', async () => {
    const child = start('48');
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 3);
  });
});
