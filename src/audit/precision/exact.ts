/* Scores examples of a draft again with the float32 graphs of the same folder. */
import { valueIn } from '../../base/lists';
import { evaluatorError, usageError } from '../../base/errors';
import { say } from '../../base/say';
import { createBench } from '../../bench/createBench';
import type { BenchOptions } from '../../bench/bench';
import type { Example } from '../../dataset/example';
import { createImageFinder } from '../../dataset/images/images';
import type { Evaluator } from '../../evaluator/evaluator';
import { SeamMeter } from '../../evaluator/native/seamMeter';
import type { PairProbe, Probe } from '../../probe/probe';
import { AnswerCounts } from '../../probe/refused/counts';
import { Exclusions } from '../exclusions';
import { imagesFor, runPairs } from '../pairs';
import type { PairStageJob } from '../pairStage';
import { exampleKey, type Rescoring } from './lines';
import type { PairRun } from '../scoring/pairRun';

type Order = Pick<PairStageJob, 'dataset' | 'context' | 'limit' | 'seeds' | 'images' | 'signal'> & {
  probe: PairProbe;
};

/** The float32 evaluators of a run's drafts, each opened once. */
export class ExactEvaluators {
  private readonly opened = new Map<Evaluator, Promise<Evaluator>>();

  constructor(
    private readonly open: (draft: Evaluator) => Promise<Evaluator>,
    private readonly options: Pick<BenchOptions, 'store' | 'batchSize'>,
  ) {}

  of(draft: Evaluator): Promise<Evaluator> {
    return valueIn(this.opened, draft, () => this.open(draft));
  }

  /** Scores examples with the same variants as the draft. */
  async score(
    evaluator: Evaluator,
    order: Order,
    ...[wanted, onRow]: Parameters<Rescoring['score']>
  ): Promise<void> {
    const { probe, dataset, context, limit, seeds, images: folders, signal } = order;
    const bench = createBench(this.options);
    const seams = new SeamMeter();
    const run: PairRun = {
      ...{ probe, limit: Infinity, context, seeds, bench, seams, signal },
      examples: only(wanted, dataset.read({ signal }), limit),
      // Its own finder, because the report counts the images of the draft's.
      imagesOf: imagesFor([evaluator], createImageFinder({ dataset, folders, signal })),
      evaluatorRuns: [
        {
          evaluator,
          rows: { line: (row) => Promise.resolve(onRow(row as Parameters<typeof onRow>[0])) },
          summary: probe.summary({
            ...context,
            scores: evaluator.info.scores,
            scale: evaluator.info.scale,
          }),
          exclusions: new Exclusions(),
          answers: new AnswerCounts(),
          examples: 0,
        },
      ],
      onMeasured: () => undefined,
      onSent: () => undefined,
    };
    try {
      await runPairs(run);
    } finally {
      await Promise.all([bench.close(), seams.close()]);
    }
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.opened.values());
    await Promise.allSettled(all.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
  }
}

/** Refuses what `confirm` cannot score again, before anything is scored. */
export async function requireExact(
  probes: readonly Probe[],
  evaluators: readonly Evaluator[],
  exact: ExactEvaluators,
): Promise<void> {
  const joint = probes.find(({ mode }) => mode === 'gallery');
  if (joint !== undefined)
    throw usageError(say('audit.jointProbe', joint.title), say('draft.omitProbe', joint.id));
  for (const evaluator of evaluators) {
    const { info } = evaluator;
    if (info.draft !== true)
      throw evaluatorError(say('draft.noFloat32', info.name), say('draft.saveFloat32'), info.path);
    await exact.of(evaluator);
  }
}

async function* only(
  wanted: ReadonlySet<string>,
  examples: AsyncIterable<Example>,
  limit: number,
): AsyncGenerator<Example> {
  const found = new Set<string>();
  let read = 0;
  for await (const example of examples) {
    if (read++ === limit) return;
    const key = exampleKey({ row: example.row, example: example.id });
    if (wanted.has(key)) {
      found.add(key);
      yield example;
    } else if (found.size === wanted.size) return;
  }
}
