import { throwIfCancelled } from '../base/errors';
import type { Bench } from '../bench/bench';
import type { Dataset } from '../dataset/dataset';
import type { Example } from '../dataset/example';
import type { ImageFinder } from '../dataset/images';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem } from '../evaluator/item';
import type { SeamDesk } from '../evaluator/seamDesk';
import type { PairProbe, Plan, PlanContext } from '../probe/probe';
import type { OutputFile } from '../report/output';
import type { Ledger } from './ledger';
import { findPhotos } from './photos';

/** Enough wants that batches by length fill up, few enough that memory stays flat. */
const wantsPerChunk = 4096;
/** The first one is small and each next one twice as large, so that there is soon something to see. */
const wantsInFirstChunk = 256;
const examplesPerChunk = 1024;

/** One evaluator's part of a run. */
export interface Seat {
  evaluator: Evaluator;
  rows: OutputFile;
  summary: ReturnType<PairProbe['summary']>;
  ledger: Ledger;
  examples: number;
}

export interface PairRun {
  probe: PairProbe;
  dataset: Pick<Dataset, 'read'>;
  limit: number;
  context: Omit<PlanContext, 'scores' | 'image'>;
  seats: readonly (Omit<Seat, 'rows'> & { rows: Pick<OutputFile, 'line'> })[];
  bench: Bench;
  finder: ImageFinder;
  /** Asked only where a plan moves objects. */
  seams: SeamDesk;
  signal: AbortSignal;
  onProblem: NonNullable<Parameters<Dataset['read']>[0]>['onProblem'];
  /** Called with the last example of every chunk that is done. */
  onMeasured: (last: Example) => void;
  /** Called with the last example of every chunk when it is sent. */
  onSent: (last: Example) => void;
}

interface Planned {
  example: Example;
  plan: Plan;
  context: PlanContext;
}

interface Chunk {
  last?: Example;
  /** For each seat, in the order of the file. */
  planned: Planned[][];
}

/** Streams a dataset through a probe, all evaluators side by side; one chunk is scored while the next is planned. */
export async function runPairs(run: PairRun): Promise<void> {
  const needsPhotos = run.seats.some(({ evaluator }) =>
    evaluator.info.scores.some((kind) => kind !== 'text-text'),
  );
  let chunk = emptyChunk(run);
  let enough = wantsInFirstChunk;
  let wants = 0;
  let examples = 0;
  let pending: Promise<void> = Promise.resolve();
  const send = async (full: Chunk) => {
    await pending;
    if (full.last !== undefined) run.onSent(full.last);
    pending = scoreChunk(run, full);
    // Reported when the next chunk is sent or at the end; until then it must not count as unhandled.
    pending.catch(() => undefined);
  };
  try {
    for await (const example of run.dataset.read({ signal: run.signal, onProblem: run.onProblem })) {
      if (examples === run.limit) break;
      throwIfCancelled(run.signal);
      examples++;
      const photos = needsPhotos ? await findPhotos(example, run.finder) : [];
      wants += planExample(run, example, photos, chunk);
      chunk.last = example;
      if (wants >= enough || examples % examplesPerChunk === 0) {
        await send(chunk);
        chunk = emptyChunk(run);
        wants = 0;
        enough = Math.min(wantsPerChunk, enough * 2);
      }
    }
    await send(chunk);
  } finally {
    await pending;
  }
}

function emptyChunk(run: PairRun): Chunk {
  return { planned: run.seats.map(() => []) };
}

function planExample(
  run: PairRun,
  example: Example,
  photos: readonly (ImageItem | undefined)[],
  chunk: Chunk,
): number {
  let wants = 0;
  for (const [i, seat] of run.seats.entries()) {
    const context: PlanContext = {
      ...run.context,
      scores: seat.evaluator.info.scores,
      scale: seat.evaluator.info.scale,
      image: (index) => photos[index],
    };
    const reason = run.probe.refuse(example, context);
    if (reason !== undefined) {
      seat.ledger.leaveOut(reason, example.place?.line);
      continue;
    }
    const plan = run.probe.plan(example, context);
    wants += plan.wants.length;
    chunk.planned[i].push({ example, plan, context });
  }
  return wants;
}

async function scoreChunk(run: PairRun, chunk: Chunk): Promise<void> {
  await Promise.all(
    run.seats.map(async (seat, i) => {
      const planned = chunk.planned[i];
      const outcomes = await run.bench.scores(
        seat.evaluator,
        planned.flatMap(({ plan }) => plan.wants),
        run.signal,
      );
      const seams = await run.seams.measure(
        planned.flatMap(({ plan }) => plan.moved ?? []),
        run.signal,
      );
      let at = 0;
      let moved = 0;
      for (const { example, plan, context } of planned) {
        const own = outcomes.slice(at, (at += plan.wants.length));
        const ownSeams = seams.slice(moved, (moved += plan.moved?.length ?? 0));
        const failed = own.find((outcome) => !outcome.ok);
        if (failed !== undefined && !failed.ok) {
          seat.ledger.leaveOut(`could not be scored: ${failed.problem}`, example.place?.line);
          continue;
        }
        const scores = Float64Array.from(own, (outcome) => (outcome.ok ? outcome.value : NaN));
        seat.examples++;
        for (const row of run.probe.measure(example, plan, scores, context, ownSeams)) {
          seat.summary.add(row);
          await seat.rows.line(row);
        }
      }
    }),
  );
  if (chunk.last !== undefined) run.onMeasured(chunk.last);
}
