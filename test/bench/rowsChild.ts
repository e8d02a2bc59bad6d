/*
 * Answers the panel's requests for rows with Captious or simple code, and prints time and memory. rows.ts starts
 * this program.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportFiles } from '../../src/service/rows/rowFile';
import { Shelf } from '../../src/service/rows/shelf';
import type { Report } from '../../src/report/report';
import { peakMemory } from './peak';

export type Way = 'captious' | 'parse';

export interface Answered {
  /** The time of the first hundred lines, sorted by "worst first". */
  first: number;
  /** The time of another hundred lines further down. */
  scroll: number;
  /** The time of listing the rows with a word, sorted by "worst first". */
  search: number;
  total: number;
  found: number;
  peak: number;
}

interface PlainRow {
  p1: string;
  p2: string;
  n: string;
  t2t: { p1p2: number; p1n: number; p2n: number };
}

const everything = { text: '', facets: {}, sort: 'worst' } as const;
const word = 'table';

async function timed<T>(act: () => Promise<T> | T): Promise<[T, number]> {
  const since = performance.now();
  const answer = await act();
  return [answer, (performance.now() - since) / 1000];
}

async function captious(report: string): Promise<Answered> {
  const shelf = new Shelf(reportFiles);
  const lines = async (text: string, offset: number): Promise<number> => {
    const selection = { ...everything, text };
    return (await shelf.answer('lines', { report, selection, offset, limit: 100 })).total;
  };
  const [total, first] = await timed(() => lines('', 0));
  const [, scroll] = await timed(() => lines('', total >> 1));
  const [found, search] = await timed(() => lines(word, 0));
  return { first, scroll, search, total, found, peak: 0 };
}

/** Keeps everything in memory, as simple code would. */
async function parse(path: string): Promise<Answered> {
  const margin = ({ t2t }: PlainRow): number => t2t.p1p2 - Math.max(t2t.p1n, t2t.p2n);
  const worst = (rows: readonly PlainRow[]): PlainRow[] => [...rows].sort((a, b) => margin(a) - margin(b));
  const [all, first] = await timed(() => {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    const rows = readFileSync(join(path, '..', report.rows), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as PlainRow);
    return worst(rows);
  });
  const [, scroll] = await timed(() => all.slice(all.length >> 1, (all.length >> 1) + 100));
  const [found, search] = await timed(() =>
    worst(all.filter(({ p1, p2, n }) => [p1, p2, n].some((text) => text.toLowerCase().includes(word)))),
  );
  return { first, scroll, search, total: all.length, found: found.length, peak: 0 };
}

async function main(): Promise<void> {
  const [way, path] = process.argv.slice(2) as [Way, string];
  const answered = way === 'captious' ? await captious(path) : await parse(path);
  // The peak includes this file's transpiler.
  console.log(JSON.stringify({ ...answered, peak: peakMemory() }));
}

void main();
