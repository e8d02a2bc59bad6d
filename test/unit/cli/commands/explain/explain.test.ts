import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { captious } from '../../captious';

/** A model of few weights, because most of the time is that of its runs. */
const clip = resolve('test/fixtures/models/clip');

interface Json {
  caption: string;
  against?: string;
  score: number;
  base: number;
  sum: number;
  exact: boolean;
  words: { word: string; influence: number; without: number }[];
  regions?: { influence: number; words?: number[] }[];
  change?: { difference: number; changes: { from: string; to: string; influence: number }[] };
}

describe('captious explain', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-explain-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const samples = ['samples/captions.jsonl', '--images', 'samples/images', '--evaluator', clip];
  const run = (...args: string[]) => captious(join(folder, 'home'), 'explain', ...args);
  async function json(...args: string[]): Promise<Json> {
    const { code, out, err } = await run(...args, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out) as Json;
  }

  it('prints one JSON value: words, regions, and a sum equal to the difference of the scores', async () => {
    const found = await json(...samples, '--line', '4', '--grid', '4');
    assert.equal(found.caption, 'Bears lope over the ground in a dry landscape.');
    assert.equal(found.words.length, 9);
    assert.ok(found.exact && Math.abs(found.sum - (found.score - found.base)) <= 1e-9);
    assert.equal(found.regions?.length, 16);
    assert.equal(found.regions[0].words?.length, 9);
    const byId = await json(...samples, '--id', '3', '--grid', 'none');
    assert.deepEqual(byId.words, found.words);
    assert.equal(byId.regions, undefined);
  });

  it('shows leave-one-out influences before Shapley values, unless it writes a file format', async () => {
    const shown = await run(...samples, '--line', '4', '--grid', 'none');
    assert.equal(shown.code, 0, shown.err);
    const first = shown.err.split('\n').filter((line) => /^(leave-one-out|shapley): /.test(line));
    assert.equal(first.length, 1, shown.err);
    assert.match(first[0], /^leave-one-out: Bears \S+, lope \S+, .*landscape \S+$/);
    const { err } = await run(...samples, '--line', '4', '--grid', 'none', '--json');
    assert.doesNotMatch(err, /leave-one-out/);
  });

  it('explains a change, and compares with a text', async () => {
    const other = 'Dogs lope over the ground in a wet landscape.';
    const { change } = await json(...samples, '--line', '4', '--grid', 'none', '--other', other);
    assert.deepEqual(
      change!.changes.map(({ from, to }) => [from, to]),
      [
        ['Bears', 'Dogs'],
        ['dry', 'wet'],
      ],
    );
    const total = change!.changes.reduce((sum, { influence }) => sum + influence, 0);
    assert.ok(Math.abs(total - change!.difference) <= 1e-9);
    const compared = await json(
      ...samples,
      '--line',
      '4',
      '--against',
      'Brown bears',
      '--method',
      'leave-one-out',
    );
    assert.equal(compared.against, 'Brown bears');
    for (const { influence, without } of compared.words)
      assert.ok(Math.abs(influence - (compared.score - without)) <= 1e-12);
  });

  it('writes a page of the worst rows, with the evaluator of the report', async () => {
    const audit = ['samples/captions.json', '--probe', 'lgip', '--evaluator', clip, '--limit', '4'];
    const { code, err } = await captious(join(folder, 'home'), 'audit', ...audit, '--out', folder);
    assert.equal(code, 0, err);
    const report = join(folder, 'lgip.clip.report.json');
    const page = join(folder, 'worst.html');
    const shown = [report, '--worst', '2', '--images', 'samples/images', '--grid', '4', '--to', 'html'];
    const written = await run(...shown, '--out', page);
    assert.equal(written.code, 0, written.err);
    const html = readFileSync(page, 'utf8');
    assert.equal(html.match(/<figure>/g)?.length, 2);
    assert.equal(html.match(/href="data:image\/jpeg;base64,/g)?.length, 2);
    assert.doesNotMatch(html, /<script/);
  });

  it('names the place and the remedy of an error', async () => {
    const file = join(folder, 'few.jsonl');
    writeFileSync(file, '{"image": "a.jpg", "caption": "A red bus"}\n{"image": "b.jpg", "caption": "…"}\n');
    const usual = ['--evaluator', clip];
    for (const [args, said] of [
      [['--line', '9'], `${file}:9: `],
      [['--id', 'zz'], `${file}: `],
      [['--line', '1', '--caption', '3'], `${file}:1: `],
      [['--line', '1'], `${file}:1: `],
      [['--line', '2', '--against', 'A bus'], ''],
      [['--line', '1', '--grid', '3'], '--grid 3: '],
      [[], 'Name one example'],
    ] as const) {
      const { code, out, err } = await run(resolve(file), ...args, ...usual, '--json');
      assert.equal(code, 2, err);
      assert.equal(out, '');
      assert.ok(err.startsWith(`captious: ${said}`), err);
      assert.ok(!err.includes('internal error'), err);
    }
  });

  it('finds an entry of several lines by any of its lines', async () => {
    const file = join(folder, 'list.json');
    const entries = [1, 2].map((n) => ({ image: `${n}.jpg`, caption: `A red bus ${n}` }));
    writeFileSync(file, JSON.stringify(entries, null, 2));
    const evaluator = ['--evaluator', clip, '--against', 'A bus'];
    const { caption } = await json(file, '--line', '7', ...evaluator);
    assert.equal(caption, 'A red bus 2');
    assert.equal((await run(file, '--line', '40', ...evaluator)).code, 2);
  });
});
