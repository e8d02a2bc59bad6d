import { against, intervalOf } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

const spatial = [
  { id: 'vflip', name: 'flipping an image vertically' },
  { id: 'hflip', name: 'flipping it horizontally' },
  { id: 'rotation', name: 'rotating it by 5 or 10 degrees' },
  { id: 'reposition', name: 'moving its object' },
  { id: 'blur', name: 'blurring it' },
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
    text: `Two systems whose scores differ by 0.7 % of the range swap ranks in ${shares(interval)} of cases when ${axis === 'spatial' ? 'images change but not what they show' : 'captions get words for something invisible'}.`,
    rule: `The 95 % interval of invariance.${axis}.rrf@0.7.`,
  }));
}

function shares([low, high]: readonly [number, number]): string {
  return `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %`;
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
        sideClaim(metrics, id, `the word "${id.split('.')[3]}" in place of a neutral one`),
      ),
  );
}

/** A direction needs an interval that excludes zero. If percent is meaningless, the score difference is used. */
function sideClaim(metrics: readonly Metric[], percentId: string, name: string): Claim[] {
  const isMoot = metrics.some(({ id, slice, moot }) => id === percentId && slice === undefined && moot);
  const id = isMoot ? percentId.replace(/median$/, 'delta') : percentId;
  const interval = intervalOf(metrics, id);
  if (interval === undefined) return [];
  const side = against(interval, 0);
  if (side === 'across') return [];
  const ends = interval.map((end) => Math.abs(end)).sort((a, b) => a - b);
  const [digits, unit] = isMoot ? [3, ''] : [1, ' %'];
  const range = `${ends.map((end) => end.toFixed(digits)).join(' to ')}${unit}`;
  const text = `${name[0].toUpperCase()}${name.slice(1)} ${side === 'above' ? 'raises' : 'lowers'} the score by ${range} at the median.`;
  return [
    {
      text,
      rule: `The 95 % interval of ${id}, [${interval.map((end) => end.toFixed(digits + 1)).join(', ')}], lies ${side} zero.`,
    },
  ];
}
