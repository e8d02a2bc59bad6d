import { inTurns } from '../base/turns/steps';
import type { Bench } from '../bench/bench';
import type { Dataset, ReadOptions } from '../dataset/dataset';
import { type Example, lineOf } from '../dataset/example';
import type { ImageFinder } from '../dataset/images/images';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem } from '../protocol/item';
import type { Findings, GalleryContext, GalleryProbe, GalleryWatch, PlanContext } from '../probe/probe';
import { nameOf, PairAnswers } from './output/pairAnswers';
import { findImages } from './findImages';
import type { EvaluatorRun } from './scoring/pairRun';

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
  const images = new WeakMap<Example, (ImageItem | undefined)[]>();
  const seatOf = new Map(run.evaluatorRuns.map((evaluatorRun) => [evaluatorRun.evaluator, evaluatorRun]));
  const owners = new Map<string, Example>();
  const answers = new Map(run.evaluatorRuns.map(({ evaluator }) => [evaluator, new PairAnswers()]));
  let problems = run.onProblem;

  const evaluators = run.evaluatorRuns.map(({ evaluator }) => evaluator);

  async function* examplesOf(dataset: Dataset): AsyncGenerator<Example> {
    // Only the first reading reports problems, because later readings find the same problems.
    const onProblem = problems;
    problems = undefined;
    let count = 0;
    for await (const example of dataset.read({ signal: run.signal, onProblem })) {
      if (count++ === run.limit) break;
      const found = await findImages(example, run.finder, evaluators);
      images.set(example, found);
      for (const image of found)
        if (image !== undefined && !owners.has(nameOf(image))) owners.set(nameOf(image), example);
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
    image: (example, index) => images.get(example)?.[index],
    writeRow: (evaluator, row) => seatOf.get(evaluator)!.rows!.line(row),
    markUsed: (evaluator, example) => {
      seatOf.get(evaluator)!.examples++;
      answers.get(evaluator)?.use(example);
    },
    leaveOut: (evaluator, reason, example, unscored) =>
      seatOf.get(evaluator)!.exclusions.leaveOut(reason, lineOf(example.place), undefined, unscored),
    lost: (evaluator, example, part) => answers.get(evaluator)?.lose(example, part),
    answered: (evaluator, pair, outcome) => answers.get(evaluator)?.add(pair, outcome),
    signal: run.signal,
    watch: run.watch,
  };
  const { whole } = run;
  if (whole === undefined) {
    const all = new Map(await run.probe.run(context));
    for (const [evaluator, findings] of all) {
      const counted = answers.get(evaluator)?.counts(owners).addTo(findings);
      if (counted !== undefined) all.set(evaluator, await inTurns(counted, run.signal));
    }
    return all;
  }
  await run.probe.encode(context, () => examplesOf(whole));
  return new Map();
}
