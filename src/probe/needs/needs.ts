/* What a probe needs of an evaluator, and why an evaluator cannot be used. */
import type { CaptiousError } from '../../base/errors';
import { evaluatorError } from '../../base/errors';
import { inARow, say, type Words } from '../../base/say';
import type { Example } from '../../dataset/example';
import type { Evaluator, EvaluatorPreview } from '../../evaluator/evaluator';
import type { ImageItem, WantKind } from '../../protocol/item';
import { probes } from '../generated/probes';
import { resolveOptions } from '../list';
import { embedsBoth, rerankedBy } from '../pairScores';
import type { Ability, OptionValue, Probe } from '../probe';
import { cannotUse, isEnough } from './abilities';

/** How many examples show whether a probe can use a dataset with an evaluator. */
export const sampled = 200;

const wantKinds: readonly WantKind[] = ['text-text', 'image-text', 'image-image'];

export function abilitiesOf(evaluator: Evaluator): Ability[] {
  return [
    ...evaluator.info.scores,
    ...(evaluator.embedTexts === undefined ? [] : (['texts'] as const)),
    ...(embedsBoth(evaluator) || rerankedBy(evaluator) !== undefined ? (['ranking'] as const) : []),
  ];
}

const withReferences: readonly string[] = ['references', 'refclipscore', 'refpac-s'];

/** What an evaluator may be able to do, as far as is known before it opens. */
export function likelyAbilities({
  kind,
  scores,
  sharedSpace,
  remote,
}: Pick<EvaluatorPreview, 'kind' | 'scores' | 'sharedSpace' | 'remote'>): Ability[] {
  const scoresAll = scores.includes('image-text') && !remote && !withReferences.includes(kind);
  return [
    ...scores,
    ...(scores.includes('text-text') ? (['texts'] as const) : []),
    ...(sharedSpace || scoresAll ? (['ranking'] as const) : []),
  ];
}

/** Abilities of which one is enough for some of the examples. Empty if no evaluator can use them. */
export function neededFor(
  probe: Probe,
  options: Readonly<Record<string, OptionValue>>,
  examples: readonly Example[],
): Ability[] {
  return probe
    .needs(options)
    .filter(
      (need) =>
        need === 'texts' ||
        need === 'ranking' ||
        examples.some((example) => fits(probe, example, () => true, [need])),
    );
}

/** Whether a probe can use an example with an evaluator that computes `scores`. */
export function fits(...asked: Parameters<typeof refusal>): boolean {
  return refusal(...asked) === undefined;
}

/**
 * Why a probe cannot use an example with an evaluator that computes `scores`; undefined if it can. `isThere` says
 * which images exist.
 */
export function refusal(
  probe: Probe,
  example: Example,
  isThere: (name: string) => boolean,
  scores: readonly WantKind[] = wantKinds,
): Words | undefined {
  const options = resolveOptions(probe, {});
  const image = (index: number): ImageItem | undefined => {
    const ref = example.images.at(index);
    if (ref === undefined) return undefined;
    const { name, bytes } = ref;
    if (bytes === undefined && !isThere(name)) return undefined;
    return { kind: 'image', source: { name, path: name }, transforms: [] };
  };
  // `prepare` may read large files, so it is not called. A probe with `prepare` is offered for every example with
  // an image.
  if (probe.prepare !== undefined) {
    if (example.images.length === 0) return say('probe.noImage');
    return image(0) === undefined ? say('probe.imageNotFound') : undefined;
  }
  return probe.refuse(example, { dataset: '', seed: 0, options, scores, image });
}

/** The error of an evaluator that a probe cannot use on these examples. Undefined if it can, or might. */
export function unusable(
  probe: Probe,
  options: Readonly<Record<string, OptionValue>>,
  evaluator: Evaluator,
  examples: readonly Example[],
): CaptiousError | undefined {
  const abilities = abilitiesOf(evaluator);
  const needed = neededFor(probe, options, examples);
  if (isEnough(needed, abilities)) return undefined;
  const { name } = evaluator.info;
  const others = probes.filter((one) => isEnough(one.needs(resolveOptions(one, {})), abilities));
  return evaluatorError(
    cannotUse(probe.title, name, needed, abilities),
    say(
      'probe.chooseUsable',
      inARow(
        others.map(({ id }) => id),
        ', ',
      ),
    ),
  );
}
