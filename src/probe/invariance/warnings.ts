import type { Instances } from '../../dataset/instances';
import type { Scale } from '../../evaluator/evaluator';
import type { InvarianceOptions } from './options';
import type { InvarianceRow } from './row';
import { tiedLabels } from './taxonomy';

/** Length of the score's range: RRF divides shifts by it before comparing them with a gap. */
export function rangeOf(scale: Scale | undefined): { width: number; name: string } {
  switch (scale?.name) {
    case 'clipped':
      return { width: scale.weight, name: `0 to ${scale.weight}` };
    case 'sigmoid':
      return { width: 1, name: '0 to 1' };
    case 'own':
      return scale.low === undefined || scale.high === undefined
        ? { width: 1, name: 'none: the score has no bounds and is taken as it is' }
        : { width: scale.high - scale.low, name: `${scale.low} to ${scale.high}` };
    case 'cosine':
    case undefined:
      return { width: 2, name: '−1 to 1, of a cosine' };
  }
}

/** What the warnings of a report are made of. */
interface Told {
  options: InvarianceOptions;
  scale: Scale | undefined;
  instances: Instances | undefined;
  /** Captions were made for known objects. */
  templated: boolean;
  slices: Readonly<Record<InvarianceRow['objects'], number>>;
  /** Counts of the reasons for which something was left out, by what it was. */
  reasons: ReadonlyMap<string, ReadonlyMap<string, number>>;
  tied: ReadonlySet<string>;
  /** Of zero. */
  isOnBothSides: boolean;
}

export function warningsOf({
  options,
  scale,
  instances,
  templated,
  slices,
  reasons,
  tied,
  isOnBothSides,
}: Told): string[] {
  const warnings: string[] = [];
  if (instances === undefined) {
    if (options.captions === 'dataset')
      warnings.push('The dataset’s own captions were scored; no object was looked for.');
    else
      warnings.push(
        'No file of outlined objects was found beside the dataset, so its own captions were scored: nothing was repositioned, and there is no object axis. Name one with the option instances.',
      );
  } else {
    warnings.push(`Objects and masks are those of ${instances.path} (SHA-256 ${instances.sha256}).`);
    if (templated)
      warnings.push(
        `Figures without a slice stand on ${slices.single} photos of one prominent object; ${slices.multi} photos of two to four are the slice "objects: multi", and ${slices.none} are in neither.`,
      );
    if (options.spatial)
      warnings.push(
        `Where a moved object stood, ${{ none: 'nothing is left (black)', blur: 'what is around it was run together', inpaint: 'the texture around it goes on' }[options.fill]}; its edge is ${options.feather === 0 ? 'cut hard' : `faded over ${options.feather} pixels`}.`,
      );
  }
  for (const [what, counts] of [...reasons].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const list = [...counts].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} × ${reason}`);
    warnings.push(`Left out, ${what}: ${list.join('; ')}.`);
  }
  if (tied.size > 0)
    warnings.push(
      `The vocabularies tie on the category of: ${[...tied].sort().join(', ')} (${tiedLabels().length} labels in all).`,
    );
  const { name } = rangeOf(scale);
  warnings.push(
    `For rrf, shifts were divided by the length of the score's range (${name}), so that a gap of 0.7 is 0.7 % of it.`,
  );
  if (isOnBothSides)
    warnings.push(
      'Scores lie on both sides of zero: changes in percent mean little here, and only delta and absDelta do.',
    );
  if (options.societal)
    warnings.push(
      'The societal figures tell how this evaluator reacts to words; they say nothing about the people named.',
    );
  return warnings;
}
