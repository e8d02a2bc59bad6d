import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '../../../src/cli/reports';
import { readReport } from '../../../src/report/report';
import { captious, type Ended } from './captious';
import { saying, sentence } from '../../sentence';

/** The evaluator of the baseline scores 32 triplets. Later it returns NaN for all but two. */
describe('gates on a run whose evaluator fails', function () {
  this.timeout(60_000);
  let folder: string;
  let variants: string;
  let keys: string[];
  let later: string;

  const run = (...args: string[]): Promise<Ended> => captious(join(folder, 'home'), ...args);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'captious-lost-'));
    const dataset = join(folder, 'triplets.tsv');
    const lines = Array.from({ length: 32 }, (_, i) => `${i}.jpg\ta cat ${i}\tone cat ${i}\ta dog ${i}\n`);
    writeFileSync(dataset, `filename\tcaption\tsecond positive\tnegative_caption\n${lines.join('')}`);
    const ended = await run('variants', dataset, '--probe', 'visla', '--kinds', 'text-text', '--out', folder);
    assert.equal(ended.code, 0, ended.err);
    const [pairs, manifest] = readdirSync(folder)
      .filter((name) => name.startsWith('visla.'))
      .sort();
    variants = join(folder, manifest);
    keys = readFileSync(join(folder, pairs), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { key: string }).key);
    await measure(keys.length, 'baseline');
    later = await measure(6, 'later');
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Writes a report from scores for the first pairs. The others are NaN. */
  async function measure(scored: number, name: string): Promise<string> {
    const scores = join(folder, 'scores.jsonl');
    const line = (key: string, i: number): string =>
      `{"key": "${key}", "score": ${i < scored ? (i % 3) / 4 : 'NaN'}}\n`;
    writeFileSync(scores, keys.map(line).join(''));
    const out = join(folder, name);
    const ended = await run('scores', variants, scores, '--scale', '0,1', '--name', 'far', '--out', out);
    assert.equal(ended.code, 0, ended.err);
    return join(out, 'visla.far.report.json');
  }

  /** Checks the later report as an audit does. */
  async function gated(values: Parameters<typeof report>[0]): Promise<{ code: number; err: string }> {
    const [write, print] = [process.stderr, process.stdout].map((stream) => stream.write.bind(stream));
    let err = '';
    process.stderr.write = (text: string | Uint8Array) => (err += String(text)) !== '';
    process.stdout.write = () => true;
    try {
      const { signal } = new AbortController();
      const written = { path: later, report: await readReport(later) };
      const code = await report({ json: true, ...values }, () => Promise.resolve([written]), signal);
      return { code, err };
    } finally {
      process.stderr.write = write;
      process.stdout.write = print;
    }
  }

  const earlier = (): string[] => [join(folder, 'baseline', 'visla.far.report.json')];
  for (const [name, gate] of [
    ['--fail-on', () => ({ 'fail-on': 'visla.t2t < 0' })],
    ['--baseline', () => ({ baseline: earlier() })],
    ['--baseline with --margin', () => ({ baseline: earlier(), margin: '0.9' })],
  ] as const)
    it(`${name}: returns 1 and the count, unless that many are allowed`, async () => {
      const failed = await gated(gate());
      assert.equal(failed.code, 1, failed.err);
      assert.match(failed.err, /\b30 of 32 examples/);
      assert.equal((await gated({ ...gate(), 'allow-lost': '29' })).code, 1);
    });

  it('returns 0 if the lost examples are allowed, and 1 if the condition names more', async () => {
    const allowing = (text: string) => gated({ 'allow-lost': '30', 'fail-on': text });
    assert.equal((await allowing('visla.t2t < 0')).code, 0);
    assert.equal((await allowing('visla.t2t < 0 || visla.t2t.n < 32')).code, 1);
    assert.equal((await gated({ 'allow-lost': '30', baseline: earlier() })).code, 0);
  });
});

describe('commands without any result', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-nothing-'))));
  after(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]): Promise<Ended> => captious(join(folder, 'home'), ...args);
  const put = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('exit with 2 and name the cause: scores of nothing but NaN, and a comparison with their report', async () => {
    const dataset = put(
      'triplets.tsv',
      'filename\tcaption\tsecond positive\tnegative_caption\n1.jpg\ta cat\tone cat\ta dog\n',
    );
    await run('variants', dataset, '--probe', 'visla', '--kinds', 'text-text', '--out', folder);
    const keys = readFileSync(join(folder, 'visla.triplets.pairs.jsonl'), 'utf8').match(
      /(?<="key":")[^"]+/g,
    )!;
    for (const [name, value, read] of [
      ['nan', 'NaN', 'NaN'],
      ['null', 'null', 'NaN'],
      ['infinite', 'Infinity', 'Infinity'],
    ]) {
      const scores = put(
        `${name}.jsonl`,
        keys.map((key) => `{"key": "${key}", "score": ${value}}\n`).join(''),
      );
      const variants = join(folder, 'visla.triplets.variants.json');
      const ended = await run('scores', variants, scores, '--name', name, '--out', folder);
      assert.equal(ended.code, 2, ended.err);
      const reason = sentence('audit.notScored', sentence('evaluator.scoreInFileIs', read));
      assert.match(ended.err, saying('audit.noneAuditedReasons', 'visla', name, 1, 1, reason));
    }
    const reports = ['nan', 'null'].map((name) => join(folder, `visla.${name}.report.json`));
    const compared = await run('compare', ...reports);
    assert.equal(compared.code, 2, compared.out);
    assert.ok(compared.err.includes(reports[0]));
  });

  it('exit with 2 and name the cause: caption metrics without a common image', async () => {
    const captions = put('captions.json', '{"a.jpg": "a cat"}');
    const references = put('references.json', '{"b.jpg": ["a dog"]}');
    const ended = await run('metrics', captions, '--evaluator', 'rouge-l', '--references', references);
    assert.equal(ended.code, 2, ended.out);
  });
});
