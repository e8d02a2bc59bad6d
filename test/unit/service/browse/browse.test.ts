import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { inspectDataset } from '../../../../src/dataset/inspect';
import { jpegSize } from '../../../../src/dataset/images/jpegSize';
import { datasetHead, type DatasetHead } from '../../../../src/protocol/parts/browsed';
import type { Selection } from '../../../../src/protocol/rows';
import { Browse } from '../../../../src/service/browse/browse';
import { usualLimits } from '../../../../src/service/browse/exampleSource';
import { Images } from '../../../../src/service/images/images';
import { layoutSize, writeLayouts } from '../../../layouts';
import { reportOf, writeReport } from '../../report/reportOf';

const all: Selection = { text: '', facets: {}, sort: 'file' };
const context = { signal: new AbortController().signal, step: () => undefined };

describe('the list of a dataset', () => {
  let folder: string;
  let layouts: Record<string, string>;
  let browse: Browse;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-browse-'));
    layouts = await writeLayouts(folder);
  });
  beforeEach(() => (browse = new Browse()));
  afterEach(() => browse.close());
  after(() => rm(folder, { recursive: true }));

  const keyed = (name: string, report?: string) => ({
    dataset: { path: join(folder, name), images: [join(folder, 'images')], report, isFirst: false },
    trusted: true,
  });
  const linesOf = (name: string, selection = all, offset = 0, report?: string) =>
    browse.lines({ ...keyed(name, report), selection, offset, limit: 100 }, context);

  it('has the counts of the inspection and the same captions and images in every layout', async () => {
    const [first] = (await linesOf('lines.jsonl', all, 5)).lines;
    assert.equal(Object.keys(layouts).length, 9);
    for (const [what, name] of Object.entries(layouts)) {
      const head = datasetHead(await browse.head(keyed(name), context), '');
      const { examples, captions, images } = await inspectDataset(join(folder, name), {
        images: [join(folder, 'images')],
      });
      const counts = { examples, captions, distinct: images.distinct, found: images.found + images.inside };
      assert.deepEqual({ examples: head.examples, captions: head.captions, ...head.images }, counts, what);
      assert.deepEqual(
        [head.examples, head.images.found, head.isWhole],
        [layoutSize, layoutSize, true],
        what,
      );
      const { lines, total } = await linesOf(name, all, 5);
      assert.deepEqual(
        [total, lines.length, lines[0].before],
        [layoutSize, layoutSize - 5, first.before],
        what,
      );
      const example = await browse.example({ ...keyed(name), index: 5 }, context);
      assert.equal(example.captions[0].text, first.before, what);
      const image = { ...keyed(name), index: 5, name: example.images[0], side: 64 };
      const { width, height } = jpegSize(await browse.image(image, context))!;
      assert.equal(Math.max(width, height), 64, what);
    }
  });

  it('finds an example by its id in every layout, and no example that is not listed', async () => {
    for (const [what, name] of Object.entries(layouts)) {
      const { id } = await browse.example({ ...keyed(name), index: 31 }, context);
      assert.deepEqual(await browse.find({ ...keyed(name), example: id }, context), { index: 31 }, what);
      assert.deepEqual(await browse.find({ ...keyed(name), example: `${id} ?` }, context), {}, what);
    }
  });

  it('filters by the texts of captions and by names of images', async () => {
    const { lines } = await linesOf('shards', { ...all, text: 'AIRPORT' });
    assert.ok(lines.length >= 1 && lines.every(({ before }) => /airport/i.test(before)));
    const { lines: named } = await linesOf('lines.jsonl', { ...all, text: '000000012280' });
    assert.deepEqual(
      named.map(({ image }) => image),
      ['000000012280.jpg'],
    );
  });

  it('shows the worst result of each example, and none of an edited example', async () => {
    const lines = [0, 1, 2, 3].map((i) =>
      JSON.stringify({ image: `${i}.jpg`, caption: `A cat ${i}.`, negative: 'A dog.' }),
    );
    await writeFile(join(folder, 'four.jsonl'), lines.join('\n'));
    const listed = (await linesOf('four.jsonl')).lines;
    const ids = await Promise.all(
      listed.map(async ({ index }) => (await browse.example({ ...keyed('four.jsonl'), index }, context)).id),
    );
    const row = (example: number, negative: number, caption = `A cat ${example}.`) => ({
      ...{ example: ids[example], row: example, image: `${example}.jpg`, caption, negative: 'A dog.' },
      i2t: { caption: 0.3, negative, right: 0.3 > negative, tie: false },
    });
    const own = reportOf({ probe: 'sugarcrepe', rows: 'sugarcrepe.tiny.rows.jsonl' });
    // Example 0 is right, then wrong. Example 1 is right. Example 2 was edited. Example 3 was left out.
    const rows = [row(0, 0.1), row(0, 0.5), row(1, 0.2), row(2, 0.4, 'A cow.'), { example: 1 }];
    const report = await writeReport(folder, own, rows.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const shown = (await linesOf('four.jsonl', all, 0, report)).lines;
    assert.deepEqual(
      shown.map(({ verdict }) => verdict),
      ['wrong', 'right', 'none', 'none'],
    );
    assert.equal(codeOf(shown[2].label), 'editor.editedNotRescored');
    assert.equal(shown[3].label, '');
    const { result } = await browse.example({ ...keyed('four.jsonl', report), index: 0 }, context);
    assert.deepEqual([result?.verdict, result?.index, result?.isOld], ['wrong', 1, false]);
    const { problems } = await browse.head(keyed('four.jsonl', report), context);
    assert.deepEqual(
      problems.first.map(({ message }) => codeOf(message)),
      ['report.rowLeftOut'],
    );
    const only = (value: string) => ({ ...all, facets: { result: [value] } });
    for (const [value, rowsShown] of [
      ['wrong', [0]],
      ['right', [1]],
      ['none', [2]],
      ['absent', [3]],
    ] as const)
      assert.deepEqual(
        (await linesOf('four.jsonl', only(value), 0, report)).lines.map(({ index }) => index),
        rowsShown,
        value,
      );
  });

  it('separates captions from wrong ones', async () => {
    const pair = { image: '1.jpg', caption: 'A dog.', negative: 'A cat.' };
    await writeFile(join(folder, 'pair.jsonl'), `${JSON.stringify(pair)}\n`);
    const [line] = (await linesOf('pair.jsonl')).lines;
    assert.deepEqual([line.before, line.after], ['A dog.', 'A cat.']);
    assert.equal((await browse.head(keyed('pair.jsonl'), context)).hasWrong, true);
  });

  it('lists the good rows of a dataset with a broken shard and a broken line, and says where these are', async () => {
    await writeLayouts(join(folder, 'broken'));
    await truncate(join(folder, 'broken/shards/data-00001-of-00002.parquet'), 400);
    const head = await browse.head(keyed('broken/shards'), context);
    assert.deepEqual([head.examples, head.problems.count], [layoutSize / 2, 1]);
    const [problem] = head.problems.first;
    assert.deepEqual([problem.severity, codeOf(problem.message)], ['error', 'dataset.partUnreadable']);
    assert.ok(JSON.stringify(problem.message).includes('data-00001-of-00002.parquet'));
    await appendFile(join(folder, 'broken/lines.jsonl'), '{"image": "x.jpg", "caption"\n');
    const { problems, examples } = await browse.head(keyed('broken/lines.jsonl'), context);
    assert.deepEqual([examples, problems.count], [layoutSize, 1]);
    assert.deepEqual(problems.first[0].place, { code: 'editor.linePlace', values: [String(layoutSize + 1)] });
  });

  it('is read again after a file has changed', async () => {
    const path = join(folder, 'growing.jsonl');
    await writeFile(path, '{"image": "1.jpg", "caption": "One."}\n');
    assert.equal((await browse.head(keyed('growing.jsonl'), context)).examples, 1);
    await appendFile(path, '{"image": "2.jpg", "caption": "Two."}\n');
    assert.equal((await browse.head(keyed('growing.jsonl'), context)).examples, 2);
  });

  it('ends at each limit, and says so', async () => {
    for (const [limit, examples] of [
      [{ examples: 7 }, 7],
      [{ bytes: 1 }, 100],
      [{ ms: -1 }, 1],
    ] as const) {
      const lines = Array.from({ length: 250 }, (_, i) => `{"image": "${i}.jpg", "caption": "Cat ${i}."}`);
      await writeFile(join(folder, 'many.jsonl'), lines.join('\n'));
      const short = new Browse(new Images(), { ...usualLimits, ...limit });
      const head: DatasetHead = await short.head(keyed('many.jsonl'), context);
      assert.deepEqual([head.examples, head.isWhole], [examples, false], JSON.stringify(limit));
      await short.close();
    }
  });

  it('reads only the beginning if asked to', async () => {
    const lines = Array.from({ length: 250 }, (_, i) => `{"image": "${i}.jpg", "caption": "Cat ${i}."}`);
    await writeFile(join(folder, 'begun.jsonl'), lines.join('\n'));
    const { dataset, trusted } = keyed('begun.jsonl');
    const begun = { dataset: { ...dataset, isFirst: true }, trusted };
    const [first, whole] = [
      await browse.head(begun, context),
      await browse.head({ dataset, trusted }, context),
    ];
    assert.deepEqual([first.examples, first.isWhole, whole.examples, whole.isWhole], [200, false, 250, true]);
    assert.equal(first.stamp, whole.stamp);
    const { total } = await browse.lines({ ...begun, selection: all, offset: 0, limit: 1 }, context);
    assert.equal(total, 200);
  });

  it('searches no images in an untrusted workspace', async () => {
    const { images } = await browse.head({ ...keyed('lines.jsonl'), trusted: false }, context);
    assert.deepEqual(images, { distinct: layoutSize });
  });

  it('throws for a file that is no dataset, for a missing one, and for an image of another example', async () => {
    await writeFile(join(folder, 'other.parquet'), 'PAR1 and nothing else');
    for (const name of ['other.parquet', 'missing.parquet'])
      await assert.rejects(browse.head(keyed(name), context), (error) => {
        assert.ok(error instanceof CaptiousError);
        assert.deepEqual([error.kind, error.at?.endsWith(name)], ['input', true]);
        assert.notEqual(error.remedy, undefined);
        return true;
      });
    const image = { ...keyed('lines.jsonl'), index: 0, name: '../secret.jpg', side: 64 };
    await assert.rejects(browse.image(image, context), CaptiousError);
  });
});

function codeOf(words: unknown): string | undefined {
  return (words as { code?: string }).code;
}
