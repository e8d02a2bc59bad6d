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
import type { Failure } from './journal';
import type { Ledger } from './ledger';
import { findPhotos } from './photos';
import type { PhotoTrail } from './photoTrail';

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
  photosOf: (example: Example) => Promise<(ImageItem | undefined)[]>;
  /** So many examples were measured by a former run: they are only counted. */
  measuredBefore?: number;
  trail?: PhotoTrail;
  /** Asked only where a plan moves objects. */
  seams: SeamDesk;
  signal: AbortSignal;
  onProblem: NonNullable<Parameters<Dataset['read']>[0]>['onProblem'];
  /** Called with every chunk that is done, before the next one is. */
  onMeasured: (done: Done) => Promise<void> | void;
  /** Called with the last example of every chunk when it is sent. */
  onSent: (last: Example) => void;
}

export interface Done {
  last: Example;
  /** Examples read so far, and where the trail of their photos ended. */
  examples: number;
  photos: string;
  /** For each seat, what could not be scored of the chunk. */
  failed: Failure[][];
}

interface Planned {
  example: Example;
  plan: Plan;
  context: PlanContext;
}

interface Chunk {
  done?: Done;
  /** For each seat, in the order of the file. */
  planned: Planned[][];
}

/** How the photos of an example are found, where one of the evaluators looks at them. */
export function photosFor(evaluators: readonly Evaluator[], finder: ImageFinder): PairRun['photosOf'] {
  const looked = evaluators.some(({ info }) => info.scores.some((kind) => kind !== 'text-text'));
  return looked ? (example) => findPhotos(example, finder) : () => Promise.resolve([]);
}

/** Streams a dataset through a probe, all evaluators side by side; one chunk is scored while the next is planned. */
export async function runPairs(run: PairRun): Promise<void> {
  const { measuredBefore = 0, trail } = run;
  let chunk = emptyChunk(run);
  let enough = wantsInFirstChunk;
  let wants = 0;
  let examples = 0;
  let pending: Promise<void> = Promise.resolve();
  const send = async (full: Chunk) => {
    if (full.done !== undefined) full.done.photos = (await trail?.close()) ?? '';
    await pending;
    if (full.done !== undefined) run.onSent(full.done.last);
    pending = scoreChunk(run, full);
    // Reported when the next chunk is sent or at the end; until then it must not count as unhandled.
    pending.catch(() => undefined);
  };
  try {
    for await (const example of run.dataset.read({ signal: run.signal, onProblem: run.onProblem })) {
      if (examples === run.limit) break;
      throwIfCancelled(run.signal);
      examples++;
      const photos = await run.photosOf(example);
      const asked = run.seats.map((seat) => takesPart(run, seat, example, photos));
      if (examples <= measuredBefore) continue;
      trail?.note(photos);
      for (const [i, context] of asked.entries()) {
        if (context === undefined) continue;
        const plan = run.probe.plan(example, context);
        wants += plan.wants.length;
        chunk.planned[i].push({ example, plan, context });
      }
      chunk.done = { last: example, examples, photos: '', failed: run.seats.map(() => []) };
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

/** What to plan an example with; undefined where it is left out, which is booked. */
function takesPart(
  run: PairRun,
  { evaluator, ledger }: PairRun['seats'][number],
  example: Example,
  photos: readonly (ImageItem | undefined)[],
): PlanContext | undefined {
  const { scores, scale } = evaluator.info;
  const context: PlanContext = { ...run.context, scores, scale, image: (index) => photos[index] };
  const reason = run.probe.refuse(example, context);
  if (reason === undefined) return context;
  ledger.leaveOut(reason, example.place?.line);
  return undefined;
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
          const failure = { reason: `could not be scored: ${failed.problem}`, line: example.place?.line };
          seat.ledger.leaveOut(failure.reason, failure.line);
          chunk.done?.failed[i].push(failure);
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
  if (chunk.done !== undefined) await run.onMeasured(chunk.done);
}
