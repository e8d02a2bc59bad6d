import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inARow, type Said, say } from '../../../../src/base/say';
import { sealOf } from '../../report/reportOf';
import { paperSvg } from '../../../../webview/panel/charts/paper';
import { Random } from '../../../../src/base/random';
import { chartsOf } from '../../../../src/service/rows/charts';
import { homeFolder, storeFolder } from '../../../../src/base/files/home';
import { indexPath, pruneIndexes } from '../../../../src/service/rows/indexFile';
import { openRows } from '../../../../src/service/rows/rowFile';
import { orderOf, orderSteps, reachOf } from '../../../../src/service/rows/order';
import type { RowIndex } from '../../../../src/service/rows/rowIndex';
import { facetsOf, select } from '../../../../src/service/rows/select';
import { sugarcrepeRows } from '../../../../src/probe/sugarcrepe/view';
import type { SugarcrepeRow } from '../../../../src/probe/sugarcrepe/row';
import { vislaRows } from '../../../../src/probe/visla/rowView';
import { lgipRows } from '../../../../src/probe/lgip/rowView';
import type { RowView } from '../../../../src/probe/view';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import type { VislaRow } from '../../../../src/probe/visla/row';
import type { Selection } from '../../../../src/protocol/rows';
import { saying } from '../../../sentence';

const everything: Selection = { text: '', facets: {}, sort: 'file' };

function triplet(row: number, [p1p2, p1n, p2n]: [number, number, number]): VislaRow {
  const words = { p1p2: row * 4, p1n: 1, p2n: 1 };
  return {
    example: `e${row}`,
    row,
    place: { line: row + 2, column: 1, offset: row * 10, length: 9 },
    p1: `one cat ${row}`,
    p2: `a café ${row}`,
    n: `no dog ${row}`,
    swapped: false,
    characters: words,
    words,
    t2t: { p1p2, p1n, p2n, right: p1p2 > p1n && p1p2 > p2n, tie: p1p2 === Math.max(p1n, p2n) },
  };
}

const triplets = [
  triplet(0, [0.9, 0.5, 0.4]),
  triplet(1, [0.5, 0.9, 0.4]),
  triplet(2, [0.5, 0.8, 0.9]),
  triplet(3, [0.5, 0.5, 0.1]),
];

describe('the index of a rows file', () => {
  let folder: string;
  let index: RowIndex | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-rows-'));
  });

  afterEach(async () => {
    await index?.close();
    index = undefined;
    await rm(folder, { recursive: true });
  });

  async function indexed(rows: readonly object[], lens: unknown, end = '\n'): Promise<RowIndex> {
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, rows.map((row) => JSON.stringify(row)).join('\n') + end);
    index = await openRows(path, lens as RowView, await sealOf(path));
    return index;
  }

  it('finds every row, also with multi-byte letters and without a final newline', async () => {
    const own = await indexed(triplets, vislaRows, '');
    assert.equal(own.count, 4);
    for (const [i, row] of triplets.entries()) assert.deepEqual(await own.row(i), row);
  });

  it('reads rows longer than a chunk', async () => {
    const long = { ...triplets[1], p1: 'x'.repeat(3 << 20) };
    const own = await indexed([triplets[0], long, triplets[2]], vislaRows);
    assert.deepEqual(await own.row(1), long);
    assert.deepEqual(await own.row(2), triplets[2]);
  });

  it('joins the rows of several draws, and counts the rows of the file', async () => {
    const variant = (text: string, score: number) => ({
      ...{ family: 'flip', kind: 'color', rule: '', text, score, delta: score - 0.3, gap: 0.3 - score },
      ...{ span: [0, 1], was: [0, 1] },
    });
    const caption = (example: string, seed: number, ...variants: object[]) => ({
      ...{ example, row: 0, caption: 0, field: 'caption', text: 'a red bus', words: 3, score: 0.3, seed },
      ...{ outcome: 'perturbed', variants },
    });
    const rows = [
      caption('a', 42, variant('a blue bus', 0.4)),
      caption('a', 43, variant('a green bus', 0.1), variant('a blue bus', 0.4)),
      caption('b', 42, variant('a grey bus', 0.5)),
      caption('b', 43, variant('a grey bus', 0.5)),
    ];
    const check = async (own: RowIndex) => {
      const worst = select(own, { ...everything, sort: 'worst' });
      const lines = await Promise.all(
        [...worst].map(async (at) => lgipRows.line((await own.row(at)) as LgipRow, own.sub.data[at]).after),
      );
      assert.deepEqual(lines, ['a grey bus', 'a blue bus', 'a green bus']);
      assert.deepEqual([own.count, own.places.rows, own.rowCount], [3, 2, 4]);
    };
    await check(await indexed(rows, lgipRows));
    await index?.close();
    const path = join(folder, 'rows.jsonl');
    await check((index = await openRows(path, lgipRows as unknown as RowView, await sealOf(path))));
  });

  it('is saved in the cache and not next to the rows, and reads back identically', async () => {
    const path = join(folder, 'rows.jsonl');
    const text = triplets.map((row) => `${JSON.stringify(row)}\n`).join('');
    await writeFile(path, text);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const seal = await sealOf(path);
    const made = await openRows(path, vislaRows, await sealOf(path));
    const selections: Selection[] = (['image', 'file', 'worst', 'best', 'change', 'length'] as const).flatMap(
      (sort) => [
        { ...everything, sort },
        { ...everything, sort, text: ' CAFÉ 2' },
        { ...everything, sort, text: 'dog', facets: { verdict: ['wrong', 'tie'] } },
      ],
    );
    const answers = (own: RowIndex) => ({
      chosen: selections.map((selection) => [...select(own, selection)]),
      facets: facetsOf(own),
      charts: chartsOf(own, everything),
      between: own.rowsBetween(2, 4, 10),
    });
    const before = answers(made);
    await made.close();
    assert.deepEqual(await readdir(folder), ['rows.jsonl']);
    assert.ok((await indexPath(path)).startsWith(join(storeFolder(homeFolder()), 'indexes')));
    // The check rejects every row that is read, so success proves that the index was used.
    const fits = (value: unknown): value is VislaRow => assert.fail(`no row may be read: ${String(value)}`);
    const unread = { ...vislaRows, row: { ...vislaRows.row, fits } };
    index = await openRows(path, unread, seal);
    assert.deepEqual(answers(index), before);
  });

  it('is not read from the folder of the rows, which anyone may have written', async () => {
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, triplets.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await (await openRows(path, vislaRows, await sealOf(path))).close();
    const own = await indexPath(path);
    const forged = await readFile(own);
    forged.set(Buffer.from('one dog'), forged.indexOf('one cat'));
    await rm(own);
    await writeFile(`${path}.index`, forged);
    index = await openRows(path, vislaRows, await sealOf(path));
    assert.deepEqual([...select(index, { ...everything, text: 'one cat 0' })], [0]);
    assert.deepEqual(await readFile(`${path}.index`), forged);
  });

  it('stays in memory in an untrusted workspace', async () => {
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, triplets.map((row) => `${JSON.stringify(row)}\n`).join(''));
    index = await openRows(path, vislaRows, await sealOf(path), { kept: false });
    assert.equal(index.count, 4);
    assert.ok(!existsSync(await indexPath(path)));
  });

  it('is not used for rows that were replaced by others of equal size and time', async () => {
    const path = join(folder, 'rows.jsonl');
    const text = triplets.map((row) => `${JSON.stringify(row)}\n`).join('');
    await writeFile(path, text);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    const seal = await sealOf(path);
    await (await openRows(path, vislaRows, seal)).close();
    await writeFile(path, text.replace('one cat 0', 'one dog 0'));
    await utimes(path, 1_700_000_000, 1_700_000_000);
    await assert.rejects(openRows(path, vislaRows, seal), saying('report.rowsFileChanged'));
  });

  it('is deleted if it was not used for longest and all indexes together are too large', async () => {
    for (const [i, name] of ['a.index', 'b.index', 'c.index', 'a.part'].entries()) {
      await writeFile(join(folder, name), Buffer.alloc(100));
      await utimes(join(folder, name), 1_700_000_000 + i, 1_700_000_000 + i);
    }
    await pruneIndexes(folder, 300);
    assert.equal((await readdir(folder)).length, 4);
    await pruneIndexes(folder, 250);
    assert.deepEqual((await readdir(folder)).sort(), ['a.part', 'b.index', 'c.index']);
  });

  it('is rebuilt for other rows, and if the saved one is damaged', async () => {
    await (await indexed(triplets, vislaRows)).close();
    const fewer = await indexed(triplets.slice(0, 2), vislaRows);
    assert.equal(fewer.count, 2);
    await fewer.close();
    const path = join(folder, 'rows.jsonl');
    const kept = await indexPath(path);
    const whole = await readFile(kept);
    for (const torn of [whole.subarray(0, whole.length - 1), whole.subarray(0, 10), Buffer.from('{}\n')]) {
      await writeFile(kept, torn);
      index = await openRows(path, vislaRows, await sealOf(path));
      assert.deepEqual([...select(index, { ...everything, text: 'one cat 1' })], [1]);
      await index.close();
      assert.deepEqual(await readFile(kept), whole);
    }
    index = undefined;
  });

  it('finds a text in every row that contains it, and not across rows', async () => {
    const own = await indexed(triplets, vislaRows);
    assert.deepEqual([...select(own, { ...everything, text: 'a' })], [0, 1, 2, 3]);
    assert.deepEqual([...select(own, { ...everything, text: 'é 3' })], [3]);
    assert.deepEqual([...select(own, { ...everything, text: 'no dog 0 one cat 1' })], []);
  });

  it('searches texts of any length, rebuilt or read, even if the index is deleted meanwhile', async () => {
    const long = triplets.map((row, i) => ({
      ...row,
      p1: `${'x'.repeat(i * (3 << 20))} needle${i}`,
      n: i < 2 ? 'café à la carte' : 'tea',
    }));
    const path = join(folder, 'rows.jsonl');
    const expect = (own: RowIndex) => {
      for (const i of triplets.keys())
        assert.deepEqual([...select(own, { ...everything, text: `needle${i}` })], [i]);
      assert.deepEqual([...select(own, { ...everything, text: 'É À LA' })], [0, 1]);
    };
    expect(await indexed(long, vislaRows));
    await index?.close();
    index = await openRows(path, vislaRows, await sealOf(path));
    await rm(await indexPath(path));
    expect(index);
  });

  it('orders by key, and equal keys by position, like a comparison sort', () => {
    const random = new Random('order', 1);
    const near = (i: number) => 1 + (i % 7) * 1e-12;
    const keys = Float64Array.from(
      { length: 5000 },
      (_, i) =>
        [near(i), -near(i), 0, -0, random.below(40) - 20, random.below(1_000_000) / 1e6 - 0.5][
          random.below(6)
        ],
    );
    const expected = Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
    assert.deepEqual([...orderOf(keys)], expected);
    assert.deepEqual([...orderOf(new Float64Array(0))], []);
  });

  it('scales bars by the largest change, or by the others of the first lines beside outliers', () => {
    const reach = (deltas: Iterable<number>) => reachOf(Float64Array.from(deltas), () => false);
    const changes = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? -i : i) / 100);
    assert.equal(reach([...changes, NaN]), 0.99);
    assert.equal(reach([...changes, NaN, 4]), 0.95);
    assert.equal(reach([0.1, -9, 0.2]), 0.2);
    assert.equal(reach([NaN]), 0);
    assert.equal(reach(new Float64Array(300_000).fill(-0.3)), 0.3);
    // Most words change a score little. The first lines show the few that change it most.
    const first = Array.from({ length: 20 }, (_, i) => -0.6 + i * 0.01);
    assert.equal(reach([...new Float64Array(2000).fill(0.02), ...first]), 0.6);
  });

  it('scales bars by wrong lines, which come first, also if right lines change far more', () => {
    const deltas = Float64Array.from([0.04, ...new Float64Array(50).fill(-0.8), 0.085, 0.06]);
    assert.equal(
      reachOf(deltas, (at) => deltas[at] > 0),
      0.085,
    );
    // A tiny change must not look like a large one.
    deltas.fill(-0.8, 51);
    assert.ok(Math.abs(reachOf(deltas, (at) => deltas[at] > 0) - 0.08) < 1e-12);
  });

  it('pauses while ordering many rows', () => {
    const random = new Random('pauses', 1);
    const keys = Float64Array.from({ length: 300_000 }, () => random.below(1_000_000) / 1e6 - 0.5);
    let pauses = 0;
    const steps = orderSteps(keys);
    let next = steps.next();
    for (; !next.done; next = steps.next()) pauses++;
    assert.deepEqual(
      next.value,
      Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b),
    );
    assert.ok(pauses >= 12, `${pauses} pauses`);
  });

  it('leaves out invalid rows with their lines, and counts the others, rebuilt or read', async () => {
    const lines = [triplets[0], { example: 'x', row: 0 }, { ...triplets[1], image: 5 }, triplets[2]].map(
      (row) => JSON.stringify(row),
    );
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, `${lines.join('\n')}\n{"exam`);
    for (let time = 0; time < 2; time++) {
      const own = await openRows(path, vislaRows, await sealOf(path));
      assert.deepEqual(own.leftOut.first, [
        { line: 2, why: say('base.shapeWrong', 'p1', say('base.shapeText')) },
        { line: 3, why: say('base.shapeWrong', 'image', say('base.shapeText')) },
        { line: 5, why: say('evaluator.scoresLineNotJson') },
      ]);
      assert.deepEqual([...select(own, everything)], [0, 1]);
      assert.deepEqual(await own.row(1), triplets[2]);
      await own.close();
    }
  });

  it('rejects rows that do not match the report', async () => {
    const path = join(folder, 'rows.jsonl');
    await writeFile(path, `${JSON.stringify(triplets[0])}\n${JSON.stringify(triplets[1])}\n`);
    const seal = await sealOf(path);
    const open = (): Promise<RowIndex> => openRows(path, vislaRows, seal);
    await (await open()).close();
    for (const text of ['', `${JSON.stringify(triplets[0])}\n`]) {
      await writeFile(path, text);
      await assert.rejects(open, saying('report.rowsFileChanged'));
    }
    const short = { ...(await sealOf(path)), rowCount: 2 };
    await assert.rejects(openRows(path, vislaRows, short), {
      what: say('report.rowCountDiffers', 2, 1),
    });
  });

  it('sorts by harm, change and position', async () => {
    const own = await indexed(triplets, vislaRows);
    const sorted = (sort: Selection['sort']) => [...select(own, { ...everything, sort })];
    assert.deepEqual(sorted('file'), [0, 1, 2, 3]);
    // First the two rows whose negative won by 0.4, in file order, then the tie and the right row.
    assert.deepEqual(sorted('worst'), [1, 2, 3, 0]);
    assert.deepEqual(sorted('best'), [0, 3, 1, 2]);
  });

  it('shows lines without score and verdict last if others have a score', async () => {
    const row = (i: number, i2t?: SugarcrepeRow['i2t']): SugarcrepeRow => ({
      ...{
        example: String(i),
        row: i,
        caption: `a dog ${i}`,
        negative: `a cat ${i}`,
        text: 0.9 + i / 100,
      },
      ...(i2t === undefined ? {} : { i2t }),
    });
    const [wrong, right] = [
      { caption: 0.2, negative: 0.3, right: false, tie: false },
      { caption: 0.3, negative: 0.2, right: true, tie: false },
    ];
    const sorted = async (rows: SugarcrepeRow[], sort: Selection['sort']) => {
      const own = await indexed(rows, sugarcrepeRows);
      const order = [...select(own, { ...everything, sort })];
      await own.close();
      return order;
    };
    const mixed = [row(0, right), row(1), row(2, wrong), row(3)];
    assert.deepEqual(await sorted(mixed, 'worst'), [2, 0, 1, 3]);
    assert.deepEqual(await sorted(mixed, 'image'), [2, 0, 1, 3]);
    assert.deepEqual(await sorted(mixed, 'best'), [0, 2, 1, 3]);
    // Without images, lines are in the order of what they have: the similarity of their captions.
    assert.deepEqual(await sorted([row(0), row(1)], 'worst'), [1, 0]);
  });

  it('shows the worst line of each image before the second worst', async () => {
    const images = ['a.jpg', 'a.jpg', 'a.jpg', 'b.jpg'];
    const rows = triplets.map((row, i) => ({ ...row, image: images[i] }));
    const sorted = async (own: RowIndex, more: Partial<Selection> = {}) => [
      ...select(own, { ...everything, sort: 'image', ...more }),
    ];
    const own = await indexed(rows, vislaRows);
    assert.deepEqual(await sorted(own), [1, 3, 2, 0]);
    assert.deepEqual(await sorted(own, { text: 'café 2' }), [2]);
    await own.close();
    // Without images, each row counts as its own image.
    assert.deepEqual(await sorted(await indexed(triplets, vislaRows)), [1, 2, 3, 0]);
  });

  it('filters by text, facet and range, together', async () => {
    const own = await indexed(triplets, vislaRows);
    assert.deepEqual([...select(own, { ...everything, text: ' CAFÉ 2' })], [2]);
    assert.deepEqual([...select(own, { ...everything, facets: { verdict: ['wrong'] } })], [1, 2]);
    assert.deepEqual(
      [...select(own, { ...everything, facets: { verdict: ['wrong', 'tie'] }, text: 'dog 3' })],
      [3],
    );
    assert.deepEqual([...select(own, { ...everything, range: { low: -0.1, high: 0.1 } })], [3]);
    assert.deepEqual([...select(own, { ...everything, facets: { verdict: [] } })], []);
  });

  it('counts facets and puts every line into one bin', async () => {
    const own = await indexed(triplets, vislaRows);
    const result = facetsOf(own).find(({ id }) => id === 'verdict')!;
    assert.deepEqual(result.values, [
      { value: 'wrong', n: 2 },
      { value: 'right', n: 1 },
      { value: 'tie', n: 1 },
    ]);
    const charts = chartsOf(own, everything);
    const histogram = charts.find((chart) => chart.type === 'histogram')!;
    const counted = histogram.series.flatMap(({ counts }) => counts).reduce((sum, n) => sum + n, 0);
    assert.equal(counted, 4);
    for (const { counts } of histogram.series) assert.equal(counts.length, histogram.edges.length - 1);
    assert.ok(
      histogram.edges.some((edge) => edge === 0),
      'zero is an edge',
    );
    const shares = charts.find((chart) => chart.type === 'shares')!;
    assert.deepEqual(
      shares.values.map(({ n, share }) => [n, share]),
      [
        [1, 1],
        [1, 0],
        [1, 0],
        [1, 0],
      ],
    );
  });

  it('keeps the neighbours of a clicked bar in its chart', async () => {
    const own = await indexed(triplets, vislaRows);
    const all = chartsOf(own, everything).find((chart) => chart.type === 'shares')!;
    const clicked = { ...everything, facets: { wording: [all.values[0].value] } };
    assert.deepEqual(chartsOf(own, clicked).find((chart) => chart.type === 'shares')!.values, all.values);
  });

  it('shows the shares of all results while a filter selects right or wrong rows, and says so', async () => {
    const own = await indexed(triplets, vislaRows);
    const sharesOf = (part: object) =>
      chartsOf(own, { ...everything, ...part }).flatMap((chart) => (chart.type === 'shares' ? [chart] : []));
    const all = sharesOf({});
    const [edge] = facetsOf(own).find(({ id }) => id === 'edge')!.values;
    for (const part of [
      { facets: { verdict: ['wrong'] } },
      { facets: { edge: [edge.value] } },
      { range: { low: -1, high: 0 } },
    ]) {
      const filtered = sharesOf(part);
      assert.deepEqual(
        filtered.map(({ values }) => values),
        all.map(({ values }) => values),
      );
      for (const { title } of filtered) assert.equal((title as Said).code, 'service.ofAllResults');
    }
    assert.notDeepEqual(sharesOf({ text: 'dog 3' })[0].values, all[0].values);
  });

  it('keeps the bins of all rows behind those of a filter', async () => {
    const own = await indexed(triplets, vislaRows);
    const histogramOf = (part: object) =>
      chartsOf(own, { ...everything, ...part }).find((chart) => chart.type === 'histogram');
    const all = histogramOf({})!;
    assert.equal(all.behind, undefined);
    const totals = all.edges
      .slice(1)
      .map((_, i) => all.series.reduce((sum, { counts }) => sum + counts[i], 0));
    for (const part of [{ text: 'dog 3' }, { facets: { verdict: ['wrong'] } }]) {
      const filtered = histogramOf(part)!;
      assert.deepEqual([filtered.edges, filtered.behind], [all.edges, totals]);
      const { code, values } = filtered.title as Said;
      assert.deepEqual([code, values[1]], ['service.allBehind', '4']);
      const few = filtered.series.flatMap(({ counts }) => counts).reduce((sum, n) => sum + n, 0);
      assert.ok(few > 0 && few < 4);
    }
    // The bars of a range keep their neighbours, so nothing is behind them.
    assert.deepEqual(histogramOf({ range: { low: -1, high: 0 } }), all);
    const nothing = histogramOf({ text: 'no such words' })!;
    assert.deepEqual([nothing.edges, nothing.behind, nothing.series], [all.edges, totals, []]);
    assert.deepEqual((nothing.title as Said).code, 'service.noneChosen');
    assert.equal((nothing.title as Said).values[1], '4');
    assert.match(paperSvg(nothing), /<rect/);
  });

  it('finds the rows of a range of dataset lines', async () => {
    const own = await indexed([...triplets].reverse(), vislaRows);
    assert.deepEqual(own.rowsBetween(3, 4, 10), [2, 1]);
    assert.deepEqual(own.rowsBetween(3, 4, 1), [2]);
    assert.deepEqual(own.rowsBetween(50, 60, 10), []);
  });

  it('has a line for every variant of a caption', async () => {
    const variant = (family: 'flip' | 'paraphrase', delta: number) => ({
      text: 'a blue bus',
      family,
      kind: family === 'flip' ? 'color' : 'synonym',
      rule: 'r',
      score: 0.3 + delta,
      delta,
      ...(family === 'flip' ? { gap: -delta } : {}),
      span: [2, 6] as const,
      was: [2, 5] as const,
    });
    const row: LgipRow = {
      example: 'e',
      row: 0,
      caption: 0,
      field: 'caption',
      text: 'a red bus',
      words: 3,
      outcome: 'perturbed',
      score: 0.3,
      variants: [variant('flip', -0.1), variant('paraphrase', 0.02), variant('flip', 0.05)],
    };
    const none: LgipRow = { ...row, example: 'f', row: 1, outcome: 'no-variant', variants: [] };
    const own = await indexed([none, row], lgipRows);
    assert.equal(own.count, 3);
    assert.equal(own.firstIndex(0), undefined);
    assert.equal(own.firstIndex(1), 0);
    assert.deepEqual([...select(own, { ...everything, sort: 'worst' })], [2, 1, 0]);
    assert.deepEqual(
      [0, 1, 2].map((at) => own.verdict(at)),
      ['right', 'none', 'wrong'],
    );
    // A bar selects exactly the rows that it counts. Rows without a verdict have a separate chart.
    const bars = chartsOf(own, everything).filter((chart) => chart.type === 'histogram');
    assert.deepEqual(
      bars.map(({ judged }) => judged),
      [true, false],
    );
    for (const { edges, series, judged } of bars)
      for (const [i, low] of edges.slice(0, -1).entries())
        assert.equal(
          select(own, { ...everything, range: { low, high: edges[i + 1], judged } }).length,
          series.reduce((sum, { counts }) => sum + counts[i], 0),
        );
    const mark = lgipRows.mark(row);
    const reword = say('lgip.rewordedBy', '0.020');
    const swap = '"red" → "blue"';
    assert.deepEqual(
      mark.words,
      inARow([reword, say('lgip.caughtCount', 1, 2), say('lgip.worstHigherBy', swap, '0.050')]),
    );
    assert.equal(mark.hint, '±0.020 1/2');
    const tied = lgipRows.mark({ ...row, variants: [variant('flip', 0)] });
    assert.deepEqual(tied.words, inARow([say('lgip.caughtCount', 0, 1), say('lgip.worstTied', swap)]));

    const tiedFlip = { ...variant('flip', 0), family: 'combined' as const, of: 0, was: [11, 14] as const };
    const even = lgipRows.mark({
      ...row,
      variants: [{ ...variant('paraphrase', 0.02), text: 'there is a red bus' }, tiedFlip],
    });
    assert.deepEqual(even.words, inARow([reword, say('lgip.worstParaphraseTied', swap)]));

    // The only misleading flip is a flipped paraphrase, and the mark says so.
    const reworded = { ...variant('flip', 0.05), family: 'combined' as const, of: 0, was: [11, 14] as const };
    const other = lgipRows.mark({
      ...row,
      variants: [{ ...variant('paraphrase', 0.02), text: 'there is a red bus' }, reworded],
    });
    assert.deepEqual(other.words, inARow([reword, say('lgip.worstParaphraseHigherBy', swap, '0.050')]));
  });
});
