import { append } from '../../base/append';
import { english, say, type Words } from '../../base/say';
import type { Instances } from '../../dataset/instances';
import type { Scale } from '../../evaluator/evaluator';
import type { Fill } from '../../perturb/picture/fill';
import type { InvarianceOptions } from './options';
import type { InvarianceRow } from './row';
import { tiedLabels } from './taxonomy';

/**
 * The length of the evaluator's range, by which RRF divides shifts. `name` is absent if the evaluator does not
 * state both bounds of the range.
 */
export function rangeOf(scale: Scale | undefined): { width: number; name?: string } {
  switch (scale?.name) {
    case 'clipped':
      return { width: scale.weight, name: `0 to ${scale.weight}` };
    case 'sigmoid':
      return { width: 1, name: '0 to 1' };
    case 'own':
      return scale.low === undefined || scale.high === undefined
        ? { width: 1 }
        : { width: scale.high - scale.low, name: `${scale.low} to ${scale.high}` };
    case 'cosine':
    case undefined:
      return { width: 2, name: '−1 to 1 for a cosine' };
  }
}

const fillWords: Record<Fill, Words> = {
  none: say`The former place of a moved object is black.`,
  blur: say`The former place of a moved object is filled with its blurred surroundings.`,
  inpaint: say`The former place of a moved object is filled with the surrounding texture.`,
  patches: say`The former place of a moved object is filled with patches of its surroundings.`,
};

/** The facts that warnings depend on. */
interface Told {
  options: InvarianceOptions;
  scale: Scale | undefined;
  instances: Instances | undefined;
  /** Whether captions were generated for known objects. */
  templated: boolean;
  slices: Readonly<Record<InvarianceRow['objects'], number>>;
  /** For each kind of change that was left out: its reasons, with counts. */
  reasons: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The examples that are in no metric, by reason. */
  unmeasured: ReadonlyMap<string, number>;
  tied: ReadonlySet<string>;
  /** Whether some scores are negative and others positive. */
  isOnBothSides: boolean;
}

export function warningsOf({
  options,
  scale,
  instances,
  templated,
  slices,
  reasons,
  unmeasured,
  tied,
  isOnBothSides,
}: Told): string[] {
  const warnings: string[] = [];
  if (instances === undefined) {
    if (options.captions === 'dataset')
      warnings.push(english(say`The dataset’s own captions were scored, and objects were not used.`));
    else
      warnings.push(
        english(
          say`No file of outlined objects was found next to the dataset. The captions of the dataset were scored; no object was moved, and there are no metrics of objects. Set the option "instances" to use such a file.`,
        ),
      );
  } else {
    warnings.push(english(say`Objects and masks come from ${instances.path} (SHA-256 ${instances.sha256}).`));
    if (templated)
      warnings.push(
        english(
          say`Images with one prominent object: ${slices.single}. Only these count for metrics without a slice. Images with two to four prominent objects: ${slices.multi}. These count for the slice "objects: multi". Other images: ${slices.none}.`,
        ),
      );
    if (options.spatial)
      warnings.push(
        `${english(fillWords[options.fill])} ${english(options.feather === 0 ? say`The edge of a moved object is sharp.` : say`The edge of a moved object is faded over ${options.feather} pixels.`)}`,
        english(
          options.plain < 1
            ? say`Moves were left out if the object touches another one or if the colours around it vary by more than ${options.plain} (standard deviation). invariance.plain=1 keeps all moves, as in the paper.`
            : say`Objects were moved regardless of their surroundings, as in the paper, so former places may be visible.`,
        ),
      );
  }
  append(warnings, withoutMetric(unmeasured));
  for (const [what, counts] of [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)))
    warnings.push(
      english(
        what === 'the image'
          ? say`Images whose object was not used, by reason: ${listed(counts)}.`
          : say`Changes that were left out, ${what}: ${listed(counts)}.`,
      ),
    );
  if (tied.size > 0)
    warnings.push(
      english(
        say`Labels without a majority for one category in COCO, Open Images and Objects365: ${[...tied].sort().join(', ')}. The first of the three datasets that has the label decides. In total, ${tiedLabels().length} labels have no majority.`,
      ),
    );
  const { name } = rangeOf(scale);
  warnings.push(
    english(
      name === undefined
        ? say`The score has no bounds, so the risk of a rank swap (rrf) uses score changes as they are. A gap of 0.7 % is a difference of 0.007 in the score.`
        : say`For the risk of a rank swap (rrf), score changes were divided by the length of the score's range (${name}). Gaps are percentages of that range.`,
    ),
  );
  if (isOnBothSides)
    warnings.push(
      english(
        say`Some scores are positive and others are negative, so changes in percent mean little. Use the metrics delta and absDelta instead.`,
      ),
    );
  if (options.societal)
    warnings.push(
      english(
        say`The societal metrics describe how this evaluator reacts to words. They say nothing about the people named.`,
      ),
    );
  return warnings;
}

function withoutMetric(unmeasured: ReadonlyMap<string, number>): string[] {
  if (unmeasured.size === 0) return [];
  const count = [...unmeasured.values()].reduce((a, b) => a + b);
  return [english(say`Examples that are in no metric: ${count}. Reasons: ${listed(unmeasured)}.`)];
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} × ${reason}`)
    .join('; ');
}
