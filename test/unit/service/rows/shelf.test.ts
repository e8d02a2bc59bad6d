import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexPath } from '../../../../src/service/rows/indexFile';
import { reportFiles } from '../../../../src/service/rows/rowFile';
import { Shelf } from '../../../../src/service/rows/shelf';
import { reportOf, writeReport } from '../../report/reportOf';

const everything = { text: '', facets: {}, sort: 'file' } as const;

function row(at: number): object {
  const words = { p1p2: 4, p1n: 1, p2n: 1 };
  return {
    example: `e${at}`,
    row: at,
    place: { line: at + 2, column: 1, offset: at * 10, length: 9 },
    p1: `one cat ${at}`,
    p2: `a cat ${at} ${'and another '.repeat(20)}`,
    n: `no dog ${at}`,
    swapped: false,
    characters: words,
    words,
    t2t: { p1p2: 0.9, p1n: 0.5, p2n: 0.4, right: true, tie: false },
  };
}

describe('concurrent requests about reports', () => {
  let folder: string;
  let large: string;
  let small: string;
  let shelf: Shelf;

  async function report(name: string, rows: number): Promise<string> {
    const lines = Array.from({ length: rows }, (_, at) => `${JSON.stringify(row(at))}\n`);
    const own = reportOf({ probe: 'visla', rows: `${name}.rows.jsonl` });
    return writeReport(folder, own, lines.join(''));
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-shelf-'));
    large = await report('large', 60_000);
    small = await report('small', 5);
    shelf = new Shelf(reportFiles);
  });

  afterEach(async () => {
    await shelf.close();
    await rm(folder, { recursive: true });
  });

  it('return marks of one report while a large one is indexed', async () => {
    let indexed = false;
    let steps = 0;
    const facets = shelf
      .answer('facets', { report: large }, { step: () => steps++ })
      .finally(() => (indexed = true));
    while (steps === 0) await new Promise((resolve) => setImmediate(resolve));
    const marks = await shelf.answer('marks', { report: small, from: 1, to: 3 });
    assert.equal(indexed, false);
    assert.equal(marks.length, 2);
    const answer = await facets;
    assert.equal(answer.count, 60_000);
    assert.ok(steps > 10);
  });

  it('are answered in order for one report', async () => {
    const order: string[] = [];
    const asked = [
      shelf.answer('facets', { report: large }).then(() => order.push('facets')),
      shelf
        .answer('lines', { report: large, selection: everything, offset: 0, limit: 3 })
        .then(() => order.push('lines')),
      shelf.answer('find', { report: large, line: 4 }).then(() => order.push('find')),
    ];
    await Promise.all(asked);
    assert.deepEqual(order, ['facets', 'lines', 'find']);
  });

  it('stop indexing when the only waiting request is cancelled, and the next one restarts it', async () => {
    const stop = new AbortController();
    let steps = 0;
    const step = (): void => {
      if (++steps === 2) stop.abort();
    };
    const asked = shelf.answer('facets', { report: large }, { signal: stop.signal, step });
    await assert.rejects(asked, { kind: 'interrupted' });
    assert.equal(steps, 2);
    assert.ok(!existsSync(await indexPath(join(folder, 'large.rows.jsonl'))));
    const answer = await shelf.answer('facets', { report: large });
    assert.equal(answer.count, 60_000);
  });

  it('continue indexing while another one waits for the same report', async () => {
    const stop = new AbortController();
    let steps = 0;
    const step = (): void => {
      if (++steps === 2) stop.abort();
    };
    const first = shelf.answer('facets', { report: large }, { signal: stop.signal, step });
    let others = 0;
    const second = shelf.answer('find', { report: large, line: 4 }, { step: () => others++ });
    await assert.rejects(first, { kind: 'interrupted' });
    assert.deepEqual(await second, 2);
    assert.ok(others > 10);
  });

  it('finds the next miss in file order, for any order of rows', async () => {
    // Rows for lines 2 to 6 in another order. Lines 3, 4 and 6 have misses.
    const lines = [4, 0, 2, 1, 3].map((at) => {
      const isWrong = [1, 2, 4].includes(at);
      const scores = { p1p2: 0.5, p1n: isWrong ? 0.9 : 0.1, p2n: 0.1, right: !isWrong, tie: false };
      return `${JSON.stringify({ ...row(at), t2t: scores })}\n`;
    });
    const own = reportOf({ probe: 'visla', rows: 'mixed.rows.jsonl' });
    const report = await writeReport(folder, own, lines.join(''));
    const miss = async (line: number, back: boolean, index?: number) => {
      return (await shelf.answer('miss', { report, line, back, index }))?.line;
    };
    assert.deepEqual(await Promise.all([1, 3, 4, 5, 6].map((line) => miss(line, false))), [
      3,
      4,
      6,
      6,
      undefined,
    ]);
    assert.deepEqual(await Promise.all([3, 4, 5, 6, 9].map((line) => miss(line, true))), [
      undefined,
      3,
      4,
      4,
      6,
    ]);
    // A line can have several rows. If an index is given, the search starts at that row.
    assert.equal(await miss(1, false, 2), 6);
    assert.equal(await miss(9, true, 0), 4);
  });
});
