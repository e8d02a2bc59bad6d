import { append } from '../../base/lists';
import { inARow, say, type Words } from '../../base/say';
import { listed, type Tally } from '../../base/text/tally';
import type { Instances } from '../../dataset/instances';
import type { Scale } from '../../evaluator/evaluator';
import type { Fill } from '../../perturb/image/fill';
import type { InvarianceOptions } from './options';
import type { InvarianceRow } from './row';
import { tiedLabels } from './taxonomy';
import { familyName } from './view';

/** The length of the evaluator's range, by which RRF divides. `name` is absent if a bound is not stated. */
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

/** The gap of the verdicts on swaps, as a part of the range. */
export const verdictGap = 0.007;

const fillWords: Record<Fill, Words> = {
  none: say('invariance.fillBlack'),
  blur: say('invariance.fillBlurred'),
  inpaint: say('invariance.fillTexture'),
  patches: say('invariance.fillPatches'),
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
  reasons: ReadonlyMap<string, Tally>;
  /** The examples that are in no metric, by reason. */
  unmeasured: Tally;
  tied: ReadonlySet<string>;
  /** Whether some scores are negative and others positive. */
  isOnBothSides: boolean;
}

export function warningsOf(told: Told): Words[] {
  const { options, scale, instances, templated, slices, reasons, unmeasured, tied, isOnBothSides } = told;
  const warnings: Words[] = [];
  if (instances === undefined) {
    if (options.captions === 'dataset') warnings.push(say('invariance.objectsTurnedOff'));
    else warnings.push(say('invariance.instancesNotFound'));
  } else {
    warnings.push(say('invariance.instancesSource', instances.path, instances.sha256));
    if (templated)
      warnings.push(say('invariance.objectCountSlices', slices.single, slices.multi, slices.none));
    if (options.spatial)
      warnings.push(
        inARow(
          [
            fillWords[options.fill],
            options.feather === 0
              ? say('invariance.edgeSharp')
              : say('invariance.edgeFaded', options.feather),
          ],
          ' ',
        ),
        options.plain < 1
          ? say('invariance.movesFiltered', options.plain)
          : say('invariance.movesUnfiltered'),
      );
  }
  append(warnings, withoutMetric(unmeasured));
  for (const [what, counts] of [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)))
    warnings.push(
      what === 'the image'
        ? say('invariance.objectsUnusedReasons', listed(bySize(counts)))
        : say('invariance.changesLeftOutReasons', familyName(what), listed(bySize(counts))),
    );
  if (tied.size > 0)
    warnings.push(say('invariance.labelsWithoutMajority', [...tied].sort().join(', '), tiedLabels().length));
  const { name } = rangeOf(scale);
  warnings.push(
    name === undefined ? say('invariance.flipRiskUnbounded') : say('invariance.flipRiskRange', name),
  );
  if (isOnBothSides) warnings.push(say('invariance.mixedSignsUseDelta'));
  if (options.societal) warnings.push(say('invariance.societalMetricsScope'));
  return warnings;
}

function withoutMetric(unmeasured: Tally): Words[] {
  const count = unmeasured.list.reduce((sum, one) => sum + one.count, 0);
  if (count === 0) return [];
  return [say('invariance.examplesInNoMetric', count, listed(bySize(unmeasured)))];
}

function bySize(reasons: Tally): { words: Words; count: number }[] {
  return reasons.list.sort((a, b) => b.count - a.count);
}
