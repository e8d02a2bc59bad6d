import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Dataset, Position, Problem } from '../../../src/dataset/dataset';
import type { Example } from '../../../src/dataset/example';
import { openDataset } from '../../../src/dataset/open';

async function all(examples: AsyncIterable<Example>): Promise<Example[]> {
  const found: Example[] = [];
  for await (const example of examples) found.push(example);
  return found;
}

/** The positions of the examples, computed as in a run. */
function positionsOf(examples: readonly Example[]): Position[] {
  let nth = 0;
  return examples.map(({ row, place }, i) => {
    nth = examples[i - 1]?.row === row ? nth + 1 : 1;
    return place === undefined ? { row, nth } : { row, nth, place };
  });
}

function end({ place, row }: Position | Problem): number {
  return place === undefined ? row! : place.offset + place.length;
}

const rows = Array.from({ length: 40 }, (_, i) => ({
  image: `${i}.jpg`,
  caption: `A café, "${i}" 🚲${i % 7 === 2 ? ' far\naway' : ''}`,
  negative: `No café, ${i}`,
}));

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const csv = [
  'image,caption,negative',
  ...rows.map(({ image, caption, negative }, i) =>
    i % 11 === 5 ? 'one cell' : [image, caption, negative].map(quoted).join(','),
  ),
];
const jsonLines = rows.map((row, i) =>
  i % 11 === 5
    ? '{"image": 3'
    : `${i % 5 === 1 ? '  ' : ''}${JSON.stringify(row)}${i % 6 === 1 ? '\n\n' : ''}`,
);
/** Each row becomes several examples: one per list of negatives. */
const severalInARow = rows.map(({ image, caption }, i) => ({
  image_id: image,
  caption,
  ...{ x: 0, y: 0, width: 9, height: 9 },
  valid_hard_negs_atom: [`No café ${i}`],
  valid_hard_negs_comp: [`Two cafés ${i}`],
}));

const files: Record<string, { name: string; content: string | Buffer }> = {
  'JSON lines': { name: 'a.jsonl', content: jsonLines.join('\n') },
  'JSON lines with CR LF and a byte order mark': {
    name: 'a.jsonl',
    content: `\ufeff${jsonLines.join('\r\n')}`,
  },
  'JSON lines in UTF-16': {
    name: 'a.jsonl',
    content: Buffer.from(`\ufeff${jsonLines.join('\n')}`, 'utf16le'),
  },
  'CSV with line ends in cells': { name: 'a.csv', content: csv.join('\n') },
  'CSV with CR LF': { name: 'a.csv', content: csv.join('\r\n') },
  'CSV in UTF-16': { name: 'a.csv', content: Buffer.from(`\ufeff${csv.join('\n')}`, 'utf16le') },
  'lists of negatives': {
    name: 'b.jsonl',
    content: severalInARow.map((row) => JSON.stringify(row)).join('\n'),
  },
};

describe('reading after a position', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-after-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Checks that reading after each position gives the same later examples and problems as reading the whole file. */
  async function compare(dataset: Dataset): Promise<void> {
    const problems: Problem[] = [];
    const whole = await all(dataset.read({ onProblem: (problem) => problems.push(problem) }));
    assert.ok(whole.length > 2);
    for (const [i, position] of positionsOf(whole).entries()) {
      const later: Problem[] = [];
      const rest = dataset.after?.(position, { onProblem: (problem) => later.push(problem) });
      assert.ok(rest !== undefined);
      assert.deepEqual(await all(rest), whole.slice(i + 1));
      const isLater = (problem: Problem): boolean => end(problem) > end(position);
      assert.deepEqual(later.filter(isLater), problems.filter(isLater));
    }
  }

  for (const [what, { name, content }] of Object.entries(files))
    it(`returns the other examples and problems of ${what}`, async () => {
      const path = join(folder, name);
      await writeFile(path, content);
      await compare(await openDataset(path));
    });

  it('returns the other rows of a Parquet file', async () => {
    await compare(await openDataset(resolve('test/fixtures/dataset/captions.parquet')));
  });

  it('is not possible where a row depends on earlier ones', async () => {
    const path = join(folder, 'flickr.csv');
    const lines = rows.map(({ image }, i) => `${image},${i % 5},Caption ${i} of an image`);
    await writeFile(path, ['image,comment_number,caption', ...lines].join('\n'));
    const dataset = await openDataset(path);
    assert.equal(dataset.format, 'flickr');
    const [first] = positionsOf(await all(dataset.read()));
    assert.equal(dataset.after?.(first), undefined);
  });
});
