import { against, intervalOf, percent, percents, type Side } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

const types = [
  { id: 'object', name: 'object' },
  { id: 'color', name: 'colour' },
  { id: 'number', name: 'number' },
];

export function lgipClaims(metrics: readonly Metric[]): Claim[] {
  return [...steadiness(metrics), ...caught(metrics), ...byType(metrics)];
}

function steadiness(metrics: readonly Metric[]): Claim[] {
  const inv = intervalOf(metrics, 'lgip.inv');
  const sens = intervalOf(metrics, 'lgip.sens');
  if (inv === undefined || sens === undefined) return [];
  const figures = `lgip.inv [${inv.map((end) => end.toFixed(3)).join(', ')}], lgip.sens [${sens.map((end) => end.toFixed(3)).join(', ')}]`;
  if (inv[1] < sens[0]) {
    return [
      {
        text: 'Stable: a paraphrase changes the score less than a change of meaning lowers it.',
        rule: `The first interval lies below the second: ${figures}.`,
      },
    ];
  }
  if (inv[0] > sens[1]) {
    return [
      {
        text: 'Unstable: a paraphrase changes the score more than a change of meaning lowers it.',
        rule: `The first interval lies above the second: ${figures}.`,
      },
    ];
  }
  return [
    {
      text: 'The data do not show whether a paraphrase changes the score less than a change of meaning lowers it.',
      rule: `The intervals overlap: ${figures}.`,
    },
  ];
}

function caught(metrics: readonly Metric[]): Claim[] {
  const interval = intervalOf(metrics, 'lgip.pr');
  if (interval === undefined) return [];
  return [
    {
      text: `It catches ${percent(interval[0])} to ${percent(interval[1])} of the flips.`,
      rule: `The 95 % interval of lgip.pr, ${percents(interval)}. A flip is caught if it scores strictly lower.`,
    },
  ];
}

type Standing = 'detected' | Side;

/** A type counts as detected from this share of caught flips on. */
const detectedFrom = 0.75;

const words: Record<Standing, string> = {
  detected: 'detected',
  above: 'above chance level',
  across: 'not distinguishable from chance level',
  below: 'below chance level',
};

function byType(metrics: readonly Metric[]): Claim[] {
  const found = types.flatMap(({ id, name }) => {
    const interval = intervalOf(metrics, `lgip.pr.${id}`);
    if (interval === undefined) return [];
    const standing: Standing = interval[0] > detectedFrom ? 'detected' : against(interval, 0.5);
    return [{ name, interval, standing }];
  });
  if (found.length === 0) return [];
  const parts = (['detected', 'above', 'across', 'below'] as const).flatMap((standing) => {
    const names = found.filter((type) => type.standing === standing).map(({ name }) => name);
    return names.length === 0 ? [] : [`${names.join(' and ')} ${words[standing]}`];
  });
  return [
    {
      text: `By type of flip: ${parts.join('; ')}.`,
      rule:
        `Detected: the interval lies above ${percent(detectedFrom)}. Otherwise it lies above, across or below chance level (50.0 %): ` +
        `${found.map(({ name, interval }) => `${name} ${percents(interval)}`).join(', ')}.`,
    },
  ];
}
