import { english } from '../../../src/base/english';
import type { Bench } from '../../../src/bench/bench';
import type { Example } from '../../../src/dataset/example';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { ImageItem, TextItem } from '../../../src/protocol/item';
import type { Findings, GalleryProbe, GalleryWatch, OptionValue } from '../../../src/probe/probe';
import type { Metric, Row } from '../../../src/probe/metric';

export type EmbeddingOf = (item: TextItem | ImageItem) => Float32Array | undefined;

/** An encoder without embeddings, because the bench below provides them. */
export function encoder({ id = 'fake', images = true, prefix = '' } = {}): Evaluator {
  const unused = (): never => {
    throw new Error('Only the bench may ask an evaluator.');
  };
  return {
    info: {
      id,
      name: id,
      kind: images ? 'dual-encoder' : 'text-encoder',
      sha256: 'ab'.repeat(32),
      scores: images ? ['text-text', 'image-text', 'image-image'] : ['text-text'],
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'cosine' },
      prefix,
      notes: [],
      textKey: 'text',
      ...(images && { imageKey: 'image' }),
    },
    embedTexts: unused,
    ...(images && { embedImages: unused }),
    close: () => Promise.resolve(),
  };
}

/** An evaluator that scores pairs. If `top` is given, it reranks only the first `top` results. */
export function pairScorer({ id = 'pairs', top }: { id?: string; top?: number } = {}): Evaluator {
  const { info, embedTexts, embedImages, close } = encoder({ id });
  const scored: Evaluator = {
    info: { ...info, kind: 'pair-scorer', scores: ['image-text'], scale: { name: 'own' } },
    close,
  };
  return top === undefined ? scored : { ...scored, embedTexts, embedImages, rerank: top };
}

export interface GalleryRun {
  findings: Findings;
  rows: Row[];
  markUsed: string[];
  leftOut: { reason: string; example: string }[];
}

export async function runGalleryProbe(
  probe: GalleryProbe,
  examples: readonly Example[],
  embeddingOf: EmbeddingOf,
  {
    evaluators = [encoder()],
    voters = evaluators.filter(({ embedTexts }) => embedTexts !== undefined),
    options = {},
    language,
    beside,
    scoreOf,
    image = (example: Example, at: number): ImageItem | undefined => ({
      kind: 'image',
      source: { name: example.images[at].name, path: example.images[at].name },
      transforms: [],
    }),
    signal = new AbortController().signal,
    watch,
  }: {
    evaluators?: Evaluator[];
    /** By default, the evaluators that embed texts. */
    voters?: Evaluator[];
    scoreOf?: (image: ImageItem, text: string) => number | undefined;
    options?: Record<string, OptionValue>;
    language?: string;
    beside?: unknown;
    image?: (example: Example, at: number) => ImageItem | undefined;
    signal?: AbortSignal;
    watch?: GalleryWatch;
  } = {},
): Promise<GalleryRun[]> {
  const bench: Bench = {
    scores: (_, wants) =>
      Promise.resolve(
        wants.map(({ left, right }) => {
          if (scoreOf === undefined || left.kind !== 'image' || right.kind !== 'text')
            throw new Error('No pair was to be scored.');
          const value = scoreOf(left, right.text);
          return value === undefined ? { ok: false, problem: 'it has no score' } : { ok: true, value };
        }),
      ),
    embeddings: (_, items) =>
      Promise.resolve(
        items.map((item) => {
          const value = embeddingOf(item);
          return value === undefined ? { ok: false, problem: 'it has no embedding' } : { ok: true, value };
        }),
      ),
    cutTexts: () => 0,
    forgetCuts: () => undefined,
    takeNewCuts: () => '',
    recallCuts: () => undefined,
    close: () => Promise.resolve(),
  };
  const runs = new Map(
    evaluators.map((evaluator) => [
      evaluator,
      { rows: [], markUsed: [], leftOut: [] } as Omit<GalleryRun, 'findings'>,
    ]),
  );
  const found = await probe.run({
    dataset: 'test',
    seed: 42,
    options: { ...Object.fromEntries(probe.options.map((spec) => [spec.key, spec.default])), ...options },
    ...(language === undefined ? {} : { language }),
    beside,
    evaluators,
    voters: () => Promise.resolve(voters),
    bench,
    async *examples() {
      yield* examples;
    },
    image,
    writeRow: (evaluator, row) => {
      runs.get(evaluator)!.rows.push(row);
      return Promise.resolve();
    },
    markUsed: (evaluator, example) => runs.get(evaluator)!.markUsed.push(example.id),
    leaveOut: (evaluator, reason, example) =>
      runs.get(evaluator)!.leftOut.push({ reason: english(reason), example: example.id }),
    signal,
    ...(watch === undefined ? {} : { watch }),
  });
  return evaluators.map((evaluator) => ({ ...runs.get(evaluator)!, findings: found.get(evaluator)! }));
}

export function metricOf(
  { metrics }: Findings,
  id: string,
  slice?: Readonly<Record<string, unknown>>,
): Metric | undefined {
  const wanted = JSON.stringify(slice);
  return metrics.find((metric) => metric.id === id && JSON.stringify(metric.slice) === wanted);
}
