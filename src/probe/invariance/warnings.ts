import { append } from '../../base/append';
import { english } from '../../base/english';
import { say, type Words } from '../../base/say';
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
    if (options.captions === 'dataset') warnings.push(english(say('invariance.objectsTurnedOff')));
    else warnings.push(english(say('invariance.instancesNotFound')));
  } else {
    warnings.push(english(say('invariance.instancesSource', instances.path, instances.sha256)));
    if (templated)
      warnings.push(english(say('invariance.objectCountSlices', slices.single, slices.multi, slices.none)));
    if (options.spatial)
      warnings.push(
        `${english(fillWords[options.fill])} ${english(options.feather === 0 ? say('invariance.edgeSharp') : say('invariance.edgeFaded', options.feather))}`,
        english(
          options.plain < 1
            ? say('invariance.movesFiltered', options.plain)
            : say('invariance.movesUnfiltered'),
        ),
      );
  }
  append(warnings, withoutMetric(unmeasured));
  for (const [what, counts] of [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)))
    warnings.push(
      english(
        what === 'the image'
          ? say('invariance.objectsUnusedReasons', listed(counts))
          : say('invariance.changesLeftOutReasons', what, listed(counts)),
      ),
    );
  if (tied.size > 0)
    warnings.push(
      english(say('invariance.labelsWithoutMajority', [...tied].sort().join(', '), tiedLabels().length)),
    );
  const { name } = rangeOf(scale);
  warnings.push(
    english(name === undefined ? say('invariance.flipRiskUnbounded') : say('invariance.flipRiskRange', name)),
  );
  if (isOnBothSides) warnings.push(english(say('invariance.mixedSignsUseDelta')));
  if (options.societal) warnings.push(english(say('invariance.societalMetricsScope')));
  return warnings;
}

function withoutMetric(unmeasured: ReadonlyMap<string, number>): string[] {
  if (unmeasured.size === 0) return [];
  const count = [...unmeasured.values()].reduce((a, b) => a + b);
  return [english(say('invariance.examplesInNoMetric', count, listed(unmeasured)))];
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} × ${reason}`)
    .join('; ');
}
