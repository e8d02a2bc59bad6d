import { say, type Words } from '../../base/say';
import { against, intervalOf, lies } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

const spatial = [
  { id: 'vflip', name: say`Flipping an image vertically` },
  { id: 'hflip', name: say`Flipping an image horizontally` },
  { id: 'rotation', name: say`Rotating an image by 5 or 10 degrees` },
  { id: 'reposition', name: say`Moving the object of an image` },
  { id: 'blur', name: say`Blurring an image` },
];
const societal = ['cultural', 'economic', 'gender', 'emotion', 'sociopolitical'];

export function invarianceClaims(metrics: readonly Metric[]): Claim[] {
  return [...flipRisk(metrics), ...moves(metrics), ...words(metrics)];
}

function flipRisk(metrics: readonly Metric[]): Claim[] {
  const found = (['spatial', 'societal'] as const).flatMap((axis) => {
    const interval = intervalOf(metrics, `invariance.${axis}.rrf@0.7`);
    return interval === undefined ? [] : [{ axis, interval }];
  });
  return found.map(({ axis, interval }) => ({
    text:
      axis === 'spatial'
        ? say`Two systems with a score gap of 0.7 swap ranks in ${shares(interval)} of cases when images are changed but their content stays the same.`
        : say`Two systems with a score gap of 0.7 swap ranks in ${shares(interval)} of cases when captions get words about invisible properties.`,
    rule: say`The 95 % interval of ${`invariance.${axis}.rrf@0.7`}. A gap of 0.7 is 0.7 % of the score's range, or 0.007 if the score has no bounds.`,
  }));
}

function shares([low, high]: readonly [number, number]): Words {
  return say`${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %`;
}

function moves(metrics: readonly Metric[]): Claim[] {
  return spatial.flatMap(({ id, name }) => sideClaim(metrics, `invariance.spatial.${id}.median`, name));
}

function words(metrics: readonly Metric[]): Claim[] {
  return societal.flatMap((family) =>
    metrics
      .filter(
        ({ id, slice }) =>
          slice === undefined &&
          id.startsWith(`invariance.societal.${family}.`) &&
          id.endsWith('.median') &&
          id.split('.').length === 5,
      )
      .flatMap(({ id }) =>
        sideClaim(metrics, id, say`The word "${id.split('.')[3]}" in place of a neutral word`),
      ),
  );
}

/**
 * A verdict on the direction of a change, if its interval excludes zero. If changes in percent are meaningless,
 * the verdict is about the score difference.
 */
function sideClaim(metrics: readonly Metric[], percentId: string, name: Words): Claim[] {
  const isMoot = metrics.some(({ id, slice, moot }) => id === percentId && slice === undefined && moot);
  const id = isMoot ? percentId.replace(/median$/, 'delta') : percentId;
  const interval = intervalOf(metrics, id);
  if (interval === undefined) return [];
  const side = against(interval, 0);
  if (side === 'across') return [];
  const ends = interval.map((end) => Math.abs(end)).sort((a, b) => a - b);
  const digits = isMoot ? 3 : 1;
  const [least, most] = ends.map((end) => end.toFixed(digits));
  const range = isMoot ? say`${least} to ${most}` : say`${least} to ${most} %`;
  const text =
    side === 'above'
      ? say`${name} raises the score by ${range} at the median.`
      : say`${name} lowers the score by ${range} at the median.`;
  const shown = `[${interval.map((end) => end.toFixed(digits + 1)).join(', ')}]`;
  return [{ text, rule: lies(id, shown, side, say`zero`) }];
}
