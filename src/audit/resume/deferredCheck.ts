import { isDeepStrictEqual } from 'node:util';
import { throwIfCancelled } from '../../base/errors';
import type { Position, Problem } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import { KeySet } from '../../dataset/ids';
import type { Mark } from './mark';
import {
  adopt,
  HeldProblems,
  marksThatHold,
  marksWithRows,
  Part,
  type PreviousRun,
  Reading,
  recallCuts,
  removeAll,
  type TakeOver,
} from './resume';

/** Thrown if rows or images do not match the earlier run's checkpoint, or if a new example repeats an earlier id. */
export class FailedCheck extends Error {}

/** An earlier run whose rows were taken over without a check. */
export interface UncheckedRun extends PreviousRun {
  marks: readonly Mark[];
  /** Checks rows, images and ids. Throws `FailedCheck` if the run must restart from the valid part. */
  check: (signal: AbortSignal) => Promise<void>;
}

/**
 * Takes over all rows of an unfinished run without a check, so that new examples can be measured at once. Returns
 * undefined if the run has no marks or a file is missing. The caller must not publish results before `check` succeeds.
 */
export async function takeOverUnchecked(job: TakeOver): Promise<UncheckedRun | undefined> {
  const { marks } = job.left;
  if (marks.length === 0 || !(await haveRows(job.left.parts))) return undefined;
  const last = await adopt(job, marks);
  await removeAll(job.left.files);
  const later = new LaterExamples(job, last);
  return { ...last, marks, rest: later.read(), check: (signal) => check(job, later, signal) };
}

async function haveRows(paths: readonly string[]): Promise<boolean> {
  const parts = await Part.openAll(paths);
  for (const part of parts) await part.close();
  return parts.every(({ wasFound }) => wasFound);
}

async function check(job: TakeOver, later: LaterExamples, signal: AbortSignal): Promise<void> {
  const { left, evaluatorRuns } = job;
  const { marks } = left;
  const parts = await Part.openAll(evaluatorRuns.map(({ rows }) => rows.temporary));
  try {
    if ((await marksWithRows(marks, parts, signal)).length < marks.length) throw new FailedCheck();
  } finally {
    for (const part of parts) await part.close();
  }
  const ids = new KeySet();
  const reading = new Reading({ ...job, signal, onProblem: (problem) => later.before(problem) }, ids);
  try {
    if ((await marksThatHold({ ...job, signal }, reading)).length < marks.length) throw new FailedCheck();
  } finally {
    await reading.end();
  }
  const isThere = isDeepStrictEqual(reading.position, marks[marks.length - 1].position);
  if (!isThere || !later.follow(ids)) throw new FailedCheck();
  recallCuts(job, marks);
  reading.problems.release();
  later.problems.release();
}

/** Reads the examples after the last mark. If the format allows, skips the earlier examples without reading them. */
class LaterExamples {
  readonly problems: HeldProblems;
  /** The ids of the examples after the last mark. They must differ from all earlier ids. */
  private readonly ids = new KeySet();
  private readonly position: Position;
  private readonly count: number;
  /** Whether the format requires reading from the first example. */
  private readsAll = false;

  constructor(
    private readonly job: Pick<TakeOver, 'dataset' | 'onProblem' | 'signal'>,
    { position, examples }: Mark,
  ) {
    this.position = position;
    this.count = examples;
    this.problems = new HeldProblems(job.onProblem);
  }

  async *read(): AsyncGenerator<Example> {
    const { dataset, signal } = this.job;
    const onProblem = (problem: Problem): void => {
      if (this.readsAll || !this.isBefore(problem)) this.problems.add(problem);
    };
    const examples = dataset.after?.(this.position, { signal, ids: this.ids, onProblem });
    if (examples !== undefined) {
      yield* examples;
      return;
    }
    this.readsAll = true;
    let seen = 0;
    for await (const example of dataset.read({ signal, onProblem })) {
      throwIfCancelled(signal);
      if (++seen > this.count) yield example;
    }
  }

  /** Reports a problem that the check finds in an earlier example. If `readsAll`, `read` reports it instead. */
  before(problem: Problem): void {
    if (!this.readsAll && this.isBefore(problem)) this.job.onProblem(problem);
  }

  /** Adds the ids of earlier examples. Returns false if a later example repeats an earlier id. */
  follow(ids: KeySet): boolean {
    return this.readsAll || this.ids.join(ids);
  }

  /** Whether a problem is before the end of the earlier run's last example. */
  private isBefore({ row, place }: Problem): boolean {
    const last = this.position;
    if (place !== undefined && last.place !== undefined)
      return place.offset < last.place.offset + last.place.length;
    return row === undefined || row <= last.row;
  }
}
