import type { Bench } from '../bench/bench';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import type { Example } from '../dataset/example';
import type { ImageFinder } from '../dataset/images/images';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem } from '../protocol/item';
import type { Findings, GalleryContext, GalleryProbe, GalleryWatch, PlanContext } from '../probe/probe';
import type { EvaluatorRun } from './pairs';
import { findPhotos } from './photos';

export interface GalleryRun {
  probe: GalleryProbe;
  dataset: Dataset;
  limit: number;
  context: Omit<PlanContext, 'scores' | 'image'>;
  evaluatorRuns: readonly (Omit<EvaluatorRun, 'summary' | 'rows' | 'answers'> &
    Partial<Pick<EvaluatorRun, 'rows'>>)[];
  /** Absent for probes that let no evaluator choose. */
  voters?: GalleryContext['voters'];
  bench: Bench;
  finder: ImageFinder;
  signal: AbortSignal;
  onProblem: ReadOptions['onProblem'];
  onExample: (example: Example) => void;
  watch?: GalleryWatch;
  /** The whole dataset, if `dataset` is one shard. A shard's run only stores embeddings for a later ranking. */
  whole?: Dataset;
}

/** Passes the examples with their images to a gallery probe, which then scores them with the bench. */
export async function runGallery(run: GalleryRun): Promise<ReadonlyMap<Evaluator, Findings>> {
  const photos = new WeakMap<Example, (ImageItem | undefined)[]>();
  const seatOf = new Map(run.evaluatorRuns.map((evaluatorRun) => [evaluatorRun.evaluator, evaluatorRun]));
  let problems = run.onProblem;

  const evaluators = run.evaluatorRuns.map(({ evaluator }) => evaluator);

  async function* examplesOf(dataset: Dataset): AsyncGenerator<Example> {
    // Only the first reading reports problems, because later readings find the same problems.
    const onProblem = problems;
    problems = undefined;
    let count = 0;
    for await (const example of dataset.read({ signal: run.signal, onProblem })) {
      if (count++ === run.limit) break;
      photos.set(example, await findPhotos(example, run.finder, evaluators));
      yield example;
      run.onExample(example);
    }
  }

  const context: GalleryContext = {
    ...run.context,
    evaluators,
    voters: run.voters ?? (() => Promise.resolve([])),
    bench: run.bench,
    examples: () => examplesOf(run.dataset),
    image: (example, index) => photos.get(example)?.[index],
    writeRow: (evaluator, row) => seatOf.get(evaluator)!.rows!.line(row),
    markUsed: (evaluator) => {
      seatOf.get(evaluator)!.examples++;
    },
    leaveOut: (evaluator, reason, example, unscored) =>
      seatOf.get(evaluator)!.exclusions.leaveOut(reason, example.place?.line, undefined, unscored),
    signal: run.signal,
    watch: run.watch,
  };
  const { whole } = run;
  if (whole === undefined) return run.probe.run(context);
  await run.probe.encode(context, () => examplesOf(whole));
  return new Map();
}
