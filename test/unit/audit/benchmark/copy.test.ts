import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyRequest, type CopySummary, writeCopy } from '../../../../src/audit/benchmark/copy';
import { runBenchmark } from '../../../../src/audit/benchmark/run';
import { CaptiousError } from '../../../../src/base/errors';
import { metricOf } from '../../../../src/probe/metric';
import { needSharedData, scratchFolder, sharedData } from '../../dataset/support';
import { saying } from '../../../sentence';

const scratch = scratchFolder();
const { signal } = new AbortController();

type Line = Record<string, unknown> & { filter: string; example: string; of?: { example: string } };

async function copied(
  dataset: string,
  write: string,
  asked: Partial<CopyRequest> = {},
): Promise<{ summary: CopySummary & { log: string }; copy: string; lines: Line[] }> {
  const summary = await writeCopy({
    ...{ dataset, write: join(scratch.path, write), filters: ['equal', 'contradiction', 'duplicate'] },
    ...{ force: false, home: join(scratch.path, 'home'), seed: 42, signal },
    ...asked,
  });
  const [first, ...lines] = readFileSync(summary.log, 'utf8').trim().split('\n');
  const { log, ...expected } = summary;
  assert.deepEqual(JSON.parse(first), JSON.parse(JSON.stringify(expected)));
  assert.equal(log, `${summary.copy.path}.log.jsonl`);
  return {
    ...{ summary, copy: readFileSync(summary.copy.path, 'utf8') },
    lines: lines.map((line) => JSON.parse(line) as Line),
  };
}

async function refused(dataset: string, asked: Partial<CopyRequest> & { write: string }): Promise<string> {
  const request = { filters: ['equal'] as const, force: false, seed: 42, signal, ...asked };
  try {
    await writeCopy({ dataset, home: join(scratch.path, 'home'), ...request });
  } catch (error) {
    assert.ok(error instanceof CaptiousError, String(error));
    assert.ok(error.remedy !== undefined);
    return error.message;
  }
  throw new Error('The copy was written.');
}

/** The second and the last row have equal captions; the fourth one repeats the first. */
const rows = [
  { image: '1.jpg', caption: 'a dog', negative: 'a cat', note: { deep: [1, 2.5] } },
  { image: '2.jpg', caption: 'a red bus', negative: 'A red bus!', note: null },
  { image: '3.jpg', caption: 'two "cups", é 🐈', negative: 'three', note: 'x,y' },
  { image: '1.jpg', caption: 'a dog', negative: 'a cat', note: 0 },
  { image: '4.jpg', caption: 'one', negative: 'two', note: 1 },
  { image: '5.jpg', caption: 'same', negative: 'same', note: 1 },
];
const kept = [rows[0], rows[2], rows[4]];
const [r0, r1, r2, r3, r4, r5] = rows.map((row) => JSON.stringify(row));

const csv = (own: typeof rows, end: string): string =>
  [
    'image,caption,negative',
    ...own.map(({ image, caption, negative }) =>
      [image, caption, negative].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(),
    ),
  ].join(end);

const files: [name: string, content: string | Buffer, expected: string][] = [
  ['list.json', JSON.stringify(rows, undefined, 2), JSON.stringify(kept, undefined, 2)],
  ['one line.json', `${JSON.stringify(rows)}\n`, `${JSON.stringify(kept)}\n`],
  [
    'object.json',
    JSON.stringify(Object.fromEntries(rows.map((row, i) => [`k"${i}`, row])), undefined, 4),
    JSON.stringify(Object.fromEntries([0, 2, 4].map((i) => [`k"${i}`, rows[i]])), undefined, 4),
  ],
  [
    'lines.jsonl',
    rows.map((row) => `${JSON.stringify(row)} \n`).join('\n'),
    // The empty line after a removed row stays.
    [kept[0], undefined, kept[1], undefined, kept[2], undefined]
      .map((row) => (row === undefined ? '\n' : `${JSON.stringify(row)} \n\n`))
      .join('')
      .slice(0, -1),
  ],
  [
    'comments.json',
    `[ // the first, "x",\n ${r0}, /* [the, second */ ${r1},\n ${r2},${r3}, ${r4} , ${r5}\n]`,
    `[ // the first, "x",\n ${r0},\n ${r2}, ${r4}\n]`,
  ],
  [
    'first rows gone.json',
    `[\n${r1},\n${r5},\n${r0},\n${r2},\n${r4},\n${r3}\n]\n`,
    `[\n${r0},\n${r2},\n${r4}\n]\n`,
  ],
  ['table.csv', csv(rows, '\r\n'), `${csv(kept, '\r\n')}\r\n`],
  ['mac.csv', csv(rows, '\r'), `${csv(kept, '\r')}\r`],
];

describe('the copy of a benchmark', () => {
  for (const [name, content, expected] of files)
    it(`has the other bytes of ${name}`, async () => {
      const { copy, summary, lines } = await copied(scratch.write(name, content), `copy of ${name}`);
      assert.equal(copy, expected);
      assert.deepEqual(
        [summary.rows, summary.removed],
        [
          { source: 6, copy: 3, other: 0 },
          { equal: 2, contradiction: 0, duplicate: 1 },
        ],
      );
      assert.deepEqual(
        lines.map(({ filter, row, of }) => [filter, row, of === undefined ? undefined : (of as Line).row]),
        name.startsWith('first')
          ? [
              ['equal', 0, undefined],
              ['equal', 1, undefined],
              ['duplicate', 5, 2],
            ]
          : [
              ['equal', 1, undefined],
              ['duplicate', 3, 0],
              ['equal', 5, undefined],
            ],
      );
      assert.equal(summary.copy.sha256, createHash('sha256').update(copy).digest('hex'));
      assert.equal(summary.source.sha256, createHash('sha256').update(content).digest('hex'));
    });

  for (const encoding of ['utf16le', 'utf16be'] as const)
    it(`keeps the encoding ${encoding} and the byte order mark`, async () => {
      const encoded = (own: typeof rows): Buffer => {
        const bytes = Buffer.from(`\ufeff${JSON.stringify(own, undefined, 1)}`, 'utf16le');
        return encoding === 'utf16be' ? bytes.swap16() : bytes;
      };
      const { summary } = await copied(
        scratch.write(`${encoding}.json`, encoded(rows)),
        `${encoding} copy.json`,
      );
      assert.deepEqual(readFileSync(summary.copy.path), encoded(kept));
    });

  it('keeps rows without a choice and rows with errors', async () => {
    const lines = [
      JSON.stringify(rows[0]),
      '{ broken',
      JSON.stringify({ image: '9.jpg', caption: 'no negative' }),
      JSON.stringify(rows[1]),
    ];
    const { copy, summary } = await copied(scratch.write('odd.jsonl', lines.join('\n')), 'odd copy.jsonl');
    assert.equal(copy, `${lines.slice(0, 3).join('\n')}\n`);
    assert.deepEqual(summary.rows, { source: 4, copy: 3, other: 2 });
  });

  it('never replaces the dataset, nor another file without force', async () => {
    const path = scratch.write('own.json', JSON.stringify(rows));
    symlinkSync(path, join(scratch.path, 'link.json'));
    linkSync(path, join(scratch.path, 'hard.json'));
    for (const name of ['own.json', 'link.json', 'hard.json'])
      assert.match(
        await refused(path, { write: join(scratch.path, name), force: true }),
        saying('benchmark.copyOntoItself'),
      );
    const other = scratch.write('other.json', 'mine');
    assert.match(await refused(path, { write: other }), saying('benchmark.copyExists'));
    scratch.write('third.json.log.jsonl', 'mine');
    assert.match(
      await refused(path, { write: join(scratch.path, 'third.json') }),
      saying('benchmark.copyExists'),
    );
    assert.ok(!existsSync(join(scratch.path, 'third.json')));
    assert.match(await refused(path, { write: scratch.path, force: true }), saying('benchmark.copyIsFolder'));
    assert.equal(readFileSync(path, 'utf8'), JSON.stringify(rows));
    assert.equal((await copied(path, 'other.json', { force: true })).copy, JSON.stringify(kept));
  });

  it('is refused if no row or every row would stay, and for files that have no rows of text', async () => {
    const good = scratch.write('good.json', JSON.stringify(kept));
    const write = join(scratch.path, 'never.json');
    assert.match(await refused(good, { write }), saying('benchmark.nothingRemoved'));
    const bad = scratch.write('bad.json', JSON.stringify([rows[1], rows[5]]));
    assert.match(await refused(bad, { write }), saying('benchmark.allRemoved'));
    const broken = scratch.write(
      'broken.json',
      `[${JSON.stringify(rows[0])}, {"image": }, ${JSON.stringify(rows[1])}]`,
    );
    assert.match(await refused(broken, { write }), saying('benchmark.rowWithoutEnd'));
    const three = { image: '1.jpg', caption: 'a', negative: ['b', 'c'] };
    const many = scratch.write('many.json', JSON.stringify([three, { ...three, image: '2.jpg' }]));
    assert.match(await refused(many, { write, filters: ['balance'] }), saying('benchmark.balanceNeedsPairs'));
    const pair = (id: number, statement: string) => `${id},Color,${statement}`;
    const joined = ['Question ID,Type,Statement', pair(1, 'a red cup'), pair(2, 'a blue cup')].join('\n');
    assert.match(
      await refused(scratch.write('joined.csv', joined), { write }),
      saying('benchmark.rowsMakeExample'),
    );
    assert.match(
      await refused('samples/captions.parquet', { write }),
      saying('benchmark.copyOfKind', 'parquet'),
    );
    mkdirSync(join(scratch.path, 'parts'));
    for (const part of ['a', 'b']) scratch.write(`parts/${part}.json`, JSON.stringify(rows));
    assert.match(await refused(join(scratch.path, 'parts'), { write }), saying('benchmark.copyOfSeveral'));
    assert.ok(!existsSync(write) && !existsSync(`${write}.log.jsonl`));
  });
});

describe('a balanced copy of SugarCrepe', () => {
  before(function () {
    needSharedData(this);
  });

  for (const name of ['replace_obj', 'swap_obj'])
    it(`leaves nothing to length in ${name}, and little to frequency and the language model`, async () => {
      const dataset = join(sharedData, 'sugar-crepe', `${name}.json`);
      const balance = { filters: ['balance'] as const, force: true };
      const { summary, copy, lines } = await copied(dataset, `${name}.json`, balance);
      const source = JSON.parse(readFileSync(dataset, 'utf8')) as Record<string, unknown>;
      const own = JSON.parse(copy) as Record<string, unknown>;
      for (const [key, row] of Object.entries(own)) assert.deepEqual(row, source[key]);
      const gone = new Set(lines.map(({ example }) => example));
      assert.deepEqual(
        Object.keys(own),
        Object.keys(source).filter((key) => !gone.has(key)),
      );
      assert.equal((await copied(dataset, `${name}.json`, balance)).copy, copy);
      const other = await copied(dataset, `${name}.json`, { ...balance, seed: 43 });
      assert.notEqual(other.copy, copy);
      const request = { out: join(scratch.path, 'out'), home: join(scratch.path, 'home'), seed: 42, signal };
      const { report } = await runBenchmark({ dataset: summary.copy.path, ...request });
      const value = (baseline: string): number =>
        metricOf(report.metrics, `benchmark.blind.${baseline}`)!.value!;
      assert.deepEqual([value('shorter'), value('longer')], [0.5, 0.5]);
      for (const baseline of ['frequency', 'lm']) assert.ok(Math.abs(value(baseline) - 0.5) < 0.06, baseline);
      assert.ok(Object.keys(own).length > 0.4 * Object.keys(source).length);
    });
});
