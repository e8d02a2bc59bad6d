/**
 * Run by the benchmark as a bundle: node rankingRun.js FOLDER. Ranks the folder's content twice, and prints
 * the second time and the peak memory.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Held, Ranker } from '../../src/evaluator/ranking/ranking';
import type { Rows } from '../../src/evaluator/ranking/rows';

export const images = 5000;
export const perImage = 5;
export const dimension = 512;

export interface RankingRun {
  seconds: number;
  sending: number;
  /** The peak memory of this process (`parent`) and of its child in bytes; null if the system does not report it. */
  parent: number | null;
  child: number | null;
}

async function main(folder: string): Promise<void> {
  const ranker = new Ranker();
  const imageRows = rowsOf(join(folder, 'photos.f32'));
  const captions = rowsOf(join(folder, 'captions.f32'));
  const started = performance.now();
  const queries = await ranker.hold(imageRows);
  const gallery = await ranker.hold(captions);
  const sending = (performance.now() - started) / 1000;
  let seconds = 0;
  // The first turn starts threads and compiles code, so only the second turn counts.
  for (let turn = 0; turn < 2; turn++) {
    const begun = performance.now();
    await ranker.count({ queries, gallery, ...truths(queries, gallery), top: 10 });
    seconds = (performance.now() - begun) / 1000;
  }
  const run: RankingRun = { seconds, sending, parent: peakOf(process.pid), child: childPeak() };
  console.log(JSON.stringify(run));
  await ranker.close();
}

function rowsOf(path: string): Rows {
  const bytes = readFileSync(path);
  const data = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return { count: data.length / dimension, dimension, data };
}

function truths(queries: Held, gallery: Held): { thresholds: Float64Array; offsets: Int32Array } {
  const thresholds = new Float64Array(images * perImage);
  for (let t = 0; t < thresholds.length; t++)
    thresholds[t] = queries.gallery.cosine(Math.floor(t / perImage), gallery.gallery, t);
  return { thresholds, offsets: Int32Array.from({ length: images + 1 }, (_, q) => q * perImage) };
}

function peakOf(pid: number): number | null {
  const status = `/proc/${pid}/status`;
  const line = existsSync(status) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8')) : null;
  return line === null ? null : Number(line[1]) * 1024;
}

function childPeak(): number | null {
  const children = `/proc/${process.pid}/task/${process.pid}/children`;
  if (!existsSync(children)) return null;
  const [pid] = readFileSync(children, 'utf8').trim().split(' ');
  return peakOf(Number(pid));
}

if (process.argv[2] !== undefined && require.main === module) void main(process.argv[2]);
