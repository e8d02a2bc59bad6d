import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Report } from '../../../src/report/report';
import { chatServer, closeServers, completion, json } from '../evaluator/chatServer';
import { sealOfText } from '../report/reportOf';
import { captious, type Ended } from './captious';
import { sentence } from '../../sentence';

describe('an audit of no example', () => {
  it('ends with code 2, the cause and its report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-nothing-'));
    const dataset = join(folder, 'captions.jsonl');
    writeFileSync(dataset, '{"image":"missing.jpg","caption":"A dog."}\n');
    const { code, out, err } = await captious(
      join(folder, 'home'),
      ...[
        'audit',
        dataset,
        '--probe',
        'lgip',
        '--evaluator',
        'test/fixtures/models/clip',
        '--out',
        folder,
        '--json',
      ],
    );
    assert.equal(code, 2, err);
    const unfound = sentence('probe.imageNotFound');
    assert.ok(err.includes(sentence('audit.noneAuditedReasons', 'lgip', 'clip', 1, 1, unfound)), err);
    const [report] = JSON.parse(out) as Report[];
    assert.equal(report.dataset.examples, 0);
    assert.equal(
      (JSON.parse(readFileSync(join(folder, 'lgip.clip.report.json'), 'utf8')) as Report).dataset.skipped,
      1,
    );
    rmSync(folder, { recursive: true });
  });
});

describe('an audit of which a judge refuses everything', () => {
  afterEach(closeServers);

  it('ends with code 2 and the cause', async () => {
    const server = await chatServer((_, response) =>
      json(
        response,
        200,
        completion(null, { message: { role: 'assistant', content: null, refusal: 'No.' } }),
      ),
    );
    const folder = mkdtempSync(join(tmpdir(), 'captious-refusing-'));
    const judge = join(folder, 'judge.evaluator.json');
    writeFileSync(judge, JSON.stringify({ kind: 'judge', endpoint: server.url, model: 'tiny' }));
    const { code, err } = await captious(
      join(folder, 'home'),
      ...['audit', 'samples/captions.json', '--probe', 'lgip', '--evaluator', judge, '--yes'],
      ...['--limit', '1', '--no-spread', '--out', folder],
    );
    assert.equal(code, 2, err);
    const refused = sentence('audit.notScored', sentence('judge.modelRefused', 'No'));
    assert.ok(err.includes(sentence('audit.noneAuditedReasons', 'lgip', 'judge', 1, 1, refused)), err);
    rmSync(folder, { recursive: true });
  });
});

/** Two lines of the rows file are invalid: one is no JSON, one has the wrong shape. The file's checksum matches. */
describe('skipped rows', function () {
  this.timeout(60_000);
  let folder: string;
  let report: string;

  const run = (...args: string[]): Promise<Ended> => captious(join(folder, 'home'), ...args);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'captious-left-out-'));
    const dataset = join(folder, 'triplets.tsv');
    writeFileSync(
      dataset,
      'filename\tcaption\tsecond positive\tnegative_caption\n' +
        '1.jpg\ta red bus\tthe bus is red\ta blue bus\n2.jpg\ttwo dogs\ta pair of dogs\tthree dogs\n',
    );
    const { code, err } = await run(
      'audit',
      dataset,
      '--probe',
      'visla',
      '--evaluator',
      'test/fixtures/models/clip',
      '--out',
      folder,
    );
    assert.equal(code, 0, err);
    report = join(folder, 'visla.clip.report.json');
    const value = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const rows = join(folder, value.rows);
    const text = `{"example":\n${readFileSync(rows, 'utf8')}{"example":"x","row":0}\n`;
    writeFileSync(rows, text);
    writeFileSync(report, JSON.stringify({ ...value, ...sealOfText(text) }));
  });
  after(() => rmSync(folder, { recursive: true }));

  const path = 'rows of .*visla\\.clip\\.report\\.json';
  const first = sentence('report.rowProblem', path, 1, sentence('evaluator.scoresLineNotJson'));
  const said = new RegExp(`note: ${sentence('report.rowsLeftOut', 2, first)}`);

  for (const form of ['csv', 'html', 'junit', 'sarif', 'parquet'])
    it(`are counted on standard error, with the first line and its reason: export --to ${form}`, async () => {
      const { code, out, err } = await run(
        'export',
        report,
        '--to',
        form,
        '--out',
        join(folder, `x.${form}`),
      );
      assert.equal(code, 0, err);
      assert.match(err, said);
      assert.doesNotMatch(out, /left out/);
    });

  it('are counted for each report of a comparison', async () => {
    const { code, err } = await run('compare', report, report);
    assert.equal(code, 0, err);
    assert.equal(err.match(new RegExp(said, 'g'))?.length, 2, err);
    assert.match(err, new RegExp(basename(report)));
  });
});
