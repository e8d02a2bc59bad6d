import { type Words, say } from '../base/say';
import { pauses } from '../base/errors';
import type { Position } from '../dataset/dataset';
import { type Example, lineOf } from '../dataset/example';
import type { ImageFinder } from '../dataset/images/images';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem } from '../protocol/item';
import type { PlanContext } from '../probe/probe';
import { type Answers, answersOf } from '../probe/refused/answers';
import type { LeftOutOne } from './resume/mark';
import { findImages } from './findImages';
import { planOf } from './captions/references';
import { measuredDraw } from './scoring/draws';
import { followPlans, knownOf, type Planned } from './scoring/follow';
import { checkMoves } from './scoring/needed';
import { sum } from '../stats/summary';
import type { PairRun, EvaluatorRun, Done } from './scoring/pairRun';

/** A chunk ends at this many pairs: few enough for memory, and enough to batch texts of similar length. */
const wantsPerChunk = 4096;
/** The first chunk is small, because first results should appear soon. Later chunks double in size. */
const wantsInFirstChunk = 256;
const examplesPerChunk = 1024;

interface Chunk {
  /** Set after the first example. */
  done?: Done;
  /** The planned examples of each evaluator, in file order. */
  planned: Planned[][];
  leftOut: LeftOutOne[][];
  answers: Answers[][];
}

/** Returns a function that finds an example's images. It returns no images if no evaluator needs them. */
export function imagesFor(evaluators: readonly Evaluator[], finder: ImageFinder): PairRun['imagesOf'] {
  const looked = evaluators.some(({ info }) => info.scores.some((kind) => kind !== 'text-text'));
  return looked ? (example) => findImages(example, finder, evaluators) : () => Promise.resolve([]);
}

/** Streams a dataset through a probe for all evaluators. One chunk is scored while the next is planned. */
export async function runPairs(run: PairRun): Promise<void> {
  const { examplesBefore = 0, imageStates } = run;
  let chunk = emptyChunk(run);
  let enough = wantsInFirstChunk;
  let wants = 0;
  let examples = examplesBefore;
  let position: Position | undefined = run.positionBefore;
  let pending: Promise<void> = Promise.resolve();
  const pause = pauses(run.signal);
  const send = async (full: Chunk) => {
    if (full.done !== undefined) full.done.imageHash = (await imageStates?.close()) ?? '';
    await pending;
    if (full.done !== undefined) run.onSent(full.done.last);
    pending = scoreChunk(run, full);
    // The next `send` awaits this promise. Until then, a failure must not count as unhandled.
    pending.catch(() => undefined);
  };
  try {
    for await (const example of run.examples) {
      if (examples === run.limit) break;
      examples++;
      position = positionOf(example, position);
      const images = await run.imagesOf(example);
      imageStates?.note(images);
      for (const [i, evaluatorRun] of run.evaluatorRuns.entries()) {
        const { context, refusal, unscored } = asked(run, evaluatorRun, example, images);
        if (refusal !== undefined) {
          leaveOut(run, chunk, i, refusal, example, unscored);
          continue;
        }
        const planned: Planned = { example, draws: [] };
        for (const seed of run.seeds ?? [context.seed]) {
          const own = { ...context, seed };
          const plan = await planOf(run.probe, example, own, evaluatorRun.evaluator, pause);
          wants += plan.wants.length;
          planned.draws.push({ plan, context: own });
        }
        chunk.planned[i].push(planned);
      }
      chunk.done = {
        last: example,
        position,
        examples,
        imageHash: '',
        leftOut: chunk.leftOut,
        answers: chunk.answers,
      };
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

/** The position of an example; `before` is the previous example's position. */
export function positionOf({ row, place }: Example, before: Position | undefined): Position {
  const nth = before?.row === row ? before.nth + 1 : 1;
  return place === undefined ? { row, nth } : { row, nth, place };
}

function emptyChunk({ evaluatorRuns }: PairRun): Chunk {
  const each = <T>(): T[][] => evaluatorRuns.map(() => []);
  return { planned: each(), leftOut: each(), answers: each() };
}

/**
 * The context for planning an example. `refusal` is the reason to skip the example; undefined to use the example.
 * `unscored` is set if the example would be used if all its images were found.
 */
function asked(
  run: PairRun,
  { evaluator }: PairRun['evaluatorRuns'][number],
  example: Example,
  images: readonly (ImageItem | undefined)[],
): { context: PlanContext; refusal: Words | undefined; unscored?: true } {
  const { scores, scale } = evaluator.info;
  const context: PlanContext = { ...run.context, scores, scale, image: (index) => images[index] };
  const refusal = run.probe.refuse(example, context);
  if (refusal === undefined || images.every((image) => image !== undefined)) return { context, refusal };
  const image = (index: number) => images[index] ?? placeholder(example, index);
  const isComplete = run.probe.refuse(example, { ...context, image }) === undefined;
  return { context, refusal, ...(isComplete ? { unscored: true } : {}) };
}

/** An image of the example as if its file had been found. */
function placeholder({ images }: Example, index: number): ImageItem | undefined {
  if (index >= images.length) return undefined;
  const { name } = images[index];
  return { kind: 'image', source: { name, path: name }, transforms: [] };
}

function leaveOut(
  run: PairRun,
  chunk: Chunk,
  evaluatorRun: number,
  reason: Words,
  example: Example,
  unscored: true | undefined,
): void {
  const line = lineOf(example.place);
  const number = run.numberOf?.(example);
  run.evaluatorRuns[evaluatorRun].exclusions.leaveOut(reason, line, number, unscored);
  chunk.leftOut[evaluatorRun].push({
    ...{ reason, line },
    ...(number === undefined ? {} : { number }),
    ...(unscored && { unscored }),
  });
}

/** Counts the answers to an example's pairs, in the run and for the next mark of the checkpoint. */
async function note(
  run: PairRun,
  chunk: Chunk,
  evaluatorRun: number,
  example: Example,
  answers: Answers,
): Promise<void> {
  const number = run.numberOf?.(example);
  const noted = number === undefined ? answers : { ...answers, number };
  chunk.answers[evaluatorRun].push(noted);
  await addAnswers(run.evaluatorRuns[evaluatorRun], noted);
}

/** Counts the answers to an example, and keeps them for a merge of shards. */
export async function addAnswers(
  { answers, answerLines }: Pick<EvaluatorRun, 'answers' | 'answerLines'>,
  { number, ...one }: Answers,
): Promise<void> {
  answers.add(one);
  await answerLines?.line([number, one]);
}

async function scoreChunk(run: PairRun, chunk: Chunk): Promise<void> {
  const pause = pauses(run.signal);
  await Promise.all(
    run.evaluatorRuns.map(async (evaluatorRun, i) => {
      const checked = await checkMoves(
        run.probe,
        chunk.planned[i].flatMap(({ draws }) => draws),
        run.seams,
        run.signal,
      );
      const outcomes = await run.bench.scores(
        evaluatorRun.evaluator,
        checked.flatMap(({ planned, unneeded }) =>
          planned.plan.wants.filter((_, want) => !unneeded.has(want)),
        ),
        run.signal,
      );
      await followPlans(run, evaluatorRun.evaluator, chunk.planned[i], checked, outcomes);
      const known = await knownOf(run, evaluatorRun.evaluator, chunk.planned[i]);
      const results = outcomes.values();
      const turns = checked.values();
      for (const { example, draws } of chunk.planned[i]) {
        const all = draws.map(() => measuredDraw(run, example, turns.next().value!, known, results));
        const own = all.flatMap((draw) => draw.outcomes);
        const rows = all.flatMap((draw) => draw.rows);
        const failed = own.find((outcome) => outcome?.ok === false);
        const isLost = failed?.ok === false && rows.length === 0;
        const lost = {
          variants: sum(all.map((draw) => draw.lost.variants)),
          captions: sum(all.map((draw) => draw.lost.captions)),
        };
        const kinds = run.probe.kinds && all.flatMap((draw) => draw.kinds ?? []);
        await note(run, chunk, i, example, answersOf(example, own, kinds, isLost ? 'all' : lost));
        if (isLost) {
          leaveOut(run, chunk, i, say('audit.notScored', failed.problem), example, true);
          continue;
        }
        evaluatorRun.examples++;
        for (const row of rows) {
          await pause();
          evaluatorRun.summary.add(row);
          await evaluatorRun.rows.line(run.numberOf === undefined ? row : [run.numberOf(example), row]);
        }
      }
    }),
  );
  if (chunk.done !== undefined) await run.onMeasured(chunk.done);
}
