import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** One table of the benchmark page. */
export interface Section {
  id: string;
  title: string;
  /** What was measured and how, in sentences. */
  notes: string[];
  columns: string[];
  rows: (string | number)[][];
  /** The numbers behind the rows, for other programs. */
  data: unknown;
  /** The targets with their results. */
  targets: { what: string; value: number; atLeast?: number; atMost?: number }[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function holds({
  value,
  atLeast = -Infinity,
  atMost = Infinity,
}: Section['targets'][number]): boolean {
  return value >= atLeast && value <= atMost;
}

export function markdown(sections: readonly Section[]): string {
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}; Node ${process.versions.node} on ${process.platform}.`;
  return [`# Benchmark`, machine, ...sections.map(section)].join('\n\n') + '\n';
}

function section({ title, notes, columns, rows, targets }: Section): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const table = [line(columns), line(columns.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)];
  const verdicts = targets.map((target) => {
    const bound = target.atLeast === undefined ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
    return `- ${target.what}: ${target.value.toFixed(2)} (${bound}) ${holds(target) ? '✓' : '✗'}`;
  });
  const parts = [
    `## ${title}`,
    notes.join(' '),
    columns.length === 0 ? '' : table.join('\n'),
    verdicts.join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Writes a JSON file for each section, and the Markdown page, to `folder`. */
export function keep(sections: readonly Section[], folder = join('out', 'bench')): void {
  mkdirSync(folder, { recursive: true });
  for (const { id, ...rest } of sections) {
    writeFileSync(join(folder, `${id}.json`), `${JSON.stringify({ id, ...rest }, null, 2)}\n`);
  }
  writeFileSync(join(folder, 'benchmark.md'), markdown(sections));
}
