import { evaluatorError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Outcome } from '../../base/outcome';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem, TextItem } from '../../protocol/item';
import { openOne } from '../evaluators/open';
import type { ShardSet } from './collect';
import { Failures } from './failures';
import type { MergeRequest } from './mergeRequest';

/**
 * An evaluator for merging: the real one if ranking needs it. Otherwise it repeats the failures that the shards
 * recorded, and asks the real evaluator only for items that are missing from the shards' stores.
 */
export async function recalledEvaluator(
  sets: readonly ShardSet[],
  /** The evaluator's `info` as JSON. */
  key: string,
  request: MergeRequest,
  home: string,
): Promise<Evaluator> {
  const own = sets.flatMap(({ shards }) =>
    shards.flatMap(({ manifest: { evaluators, probes, dataset } }) =>
      evaluators
        .filter((one) => JSON.stringify(one.info) === key)
        .map((one) => ({ ...one, probes, dataset: dataset.path })),
    ),
  );
  const [{ reference, info, can, open, dataset }] = own;
  const failures = new Failures(own.flatMap((one) => one.failures));
  let opened: Promise<Evaluator> | undefined;
  const ranks = own.some(({ probes }) => probes.some(({ parts }) => parts === undefined));
  const real = (): Promise<Evaluator> => (opened ??= openSame());

  async function openSame(): Promise<Evaluator> {
    const { folders, ...rest } = request;
    const evaluator = await openOne(reference, home, {
      ...rest,
      dataset,
      probes: [],
      evaluators: [],
    });
    if (evaluator.info.sha256 === info.sha256) return evaluator;
    await evaluator.close();
    throw evaluatorError(
      say('shard.evaluatorDiffers'),
      say('shard.restoreEvaluator', folders.join(', ')),
      reference,
    );
  }

  if (open && ranks) return real();

  /** Returns `failed` for each item that failed in a shard, and the results of `ask` for the other items. */
  async function answers<T extends TextItem | ImageItem, A>(
    items: readonly T[],
    failed: (problem: Words) => A,
    ask: (evaluator: Evaluator, unknown: T[]) => Promise<A[]>,
  ): Promise<A[]> {
    const problems = items.map((item) => failures.of(item));
    const unknown = items.filter((_, i) => problems[i] === undefined);
    const made = unknown.length === 0 ? [] : await ask(await real(), unknown);
    let next = 0;
    return problems.map((problem) => (problem === undefined ? made[next++] : failed(problem)));
  }
  const lost = (problem: Words): Outcome<Float32Array> => ({ ok: false, problem });
  const itemsOf = (texts: readonly string[]): TextItem[] => texts.map((text) => ({ kind: 'text', text }));
  const textsOf = (items: readonly TextItem[]): string[] => items.map(({ text }) => text);

  return {
    info,
    ...(can.measureTexts && {
      measureTexts: (texts: readonly string[], signal?: AbortSignal) =>
        answers(
          itemsOf(texts),
          () => ({ tokens: 0, cut: false }),
          (evaluator, unknown) => evaluator.measureTexts!(textsOf(unknown), signal),
        ),
    }),
    ...(can.embedTexts && {
      embedTexts: (texts: readonly string[], signal?: AbortSignal) =>
        answers(itemsOf(texts), lost, (evaluator, unknown) =>
          evaluator.embedTexts!(textsOf(unknown), signal),
        ),
    }),
    ...(can.embedImages && {
      embedImages: (images: readonly ImageItem[], signal?: AbortSignal) =>
        answers(images, lost, (evaluator, unknown) => evaluator.embedImages!(unknown, signal)),
    }),
    close: async () => {
      await (await opened)?.close();
    },
  };
}
