import type { Words } from '../../base/say';
import type { JobContext } from './jobContext';
import { checkRows, poolRows } from './pooling';
import type { Encoded, GraphRef, TextJob } from '../../protocol/native';
import { constantFeeds, type Feeds, integers, openSession, runGraph } from './sessions';

/** The intended number of tokens in one run of the graph. More tokens need more memory and are no faster. */
const tokensPerRun = 4096;

export async function openForTexts(graph: GraphRef): Promise<null> {
  await openSession(graph);
  return null;
}

export async function encodeTexts(job: TextJob, context: JobContext): Promise<Encoded> {
  const session = await openSession(job.graph);
  context.step();
  const { rows, length, output } = job;
  const chunk = job.fixedRows ?? Math.max(1, Math.floor(tokensPerRun / length));
  let values = new Float32Array(0);
  let dimension = 0;
  for (let from = 0; from < rows; from += chunk) {
    await context.pause();
    const count = Math.min(chunk, rows - from);
    const fed = rowsToFeed(count, length, job);
    const feeds = feedsOf(job, from, count, fed);
    const { data, dims } = await runGraph(job.graph, session, feeds, output, fed);
    const mask = job.mask?.subarray(from * length, (from + count) * length);
    const pooled = poolRows(data, dims, mask, output, count);
    if (from === 0) {
      dimension = pooled.dimension;
      values = new Float32Array(rows * dimension);
    }
    values.set(pooled.values, from * dimension);
    context.step();
  }
  const problems = new Array<Words | undefined>(rows).fill(undefined);
  checkRows(values, dimension, problems);
  return { dimension, values, problems };
}

/**
 * How many rows the graph gets for `count` texts. A graph may round a matrix of a single row differently, so a single
 * text is fed twice if the graph returns only one row for it.
 */
function rowsToFeed(count: number, length: number, { fixedRows, output }: TextJob): number {
  if (fixedRows !== undefined) return fixedRows;
  return count === 1 && (output.pooling === 'none' || length === 1) ? 2 : count;
}

function feedsOf(job: TextJob, from: number, count: number, fed: number): Feeds {
  const { length, inputs } = job;
  const dims = [fed, length];
  const rowOf = (r: number): number => from + Math.min(r, count - 1);
  const spread = (source: Int32Array | Uint8Array): Int32Array => {
    const out = new Int32Array(fed * length);
    for (let r = 0; r < fed; r++)
      out.set(source.subarray(rowOf(r) * length, (rowOf(r) + 1) * length), r * length);
    return out;
  };
  const feeds = constantFeeds(job.constants);
  feeds[inputs.ids.name] = integers(inputs.ids, spread(job.ids), dims);
  if (inputs.mask !== undefined) {
    const mask = job.mask === undefined ? new Uint8Array(fed * length).fill(1) : spread(job.mask);
    feeds[inputs.mask.name] = integers(inputs.mask, mask, dims);
  }
  if (inputs.types !== undefined)
    feeds[inputs.types.name] = integers(inputs.types, new Uint8Array(fed * length), dims);
  if (inputs.positions !== undefined) {
    const positions = Int32Array.from({ length: fed * length }, (_, i) => i % length);
    feeds[inputs.positions.name] = integers(inputs.positions, positions, dims);
  }
  return feeds;
}
