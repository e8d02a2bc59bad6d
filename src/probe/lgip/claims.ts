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
        text: 'Steady: a paraphrase moves the score less than a change of meaning lowers it.',
        rule: `The interval of the first lies below that of the second: ${figures}.`,
      },
    ];
  }
  if (inv[0] > sens[1]) {
    return [
      {
        text: 'Restless: a paraphrase moves the score more than a change of meaning lowers it.',
        rule: `The interval of the first lies above that of the second: ${figures}.`,
      },
    ];
  }
  return [
    {
      text: 'A paraphrase moves the score about as much as a change of meaning lowers it.',
      rule: `The two intervals overlap: ${figures}.`,
    },
  ];
}

function caught(metrics: readonly Metric[]): Claim[] {
  const interval = intervalOf(metrics, 'lgip.pr');
  if (interval === undefined) return [];
  return [
    {
      text: `It catches between ${percent(interval[0])} and ${percent(interval[1])} of the flips.`,
      rule: `The 95 % interval of lgip.pr, ${percents(interval)}; a flip is caught when it scores strictly lower.`,
    },
  ];
}

type Standing = 'seen' | Side;

/** From here on, a type counts as seen. */
const seenFrom = 0.75;

const words: Record<Standing, (names: string, many: boolean) => string> = {
  seen: (names) => `sees ${names}`,
  above: (names) => `does better than a coin at ${names}`,
  across: (names, many) => `${names} ${many ? 'are' : 'is'} a coin toss`,
  below: (names) => `prefers the wrong ${names}`,
};

function byType(metrics: readonly Metric[]): Claim[] {
  const found = types.flatMap(({ id, name }) => {
    const interval = intervalOf(metrics, `lgip.pr.${id}`);
    if (interval === undefined) return [];
    const standing: Standing = interval[0] > seenFrom ? 'seen' : against(interval, 0.5);
    return [{ name, interval, standing }];
  });
  if (found.length === 0) return [];
  const parts = (['seen', 'above', 'across', 'below'] as const).flatMap((standing) => {
    const names = found.filter((type) => type.standing === standing).map(({ name }) => name);
    return names.length === 0 ? [] : [words[standing](names.join(' and '), names.length > 1)];
  });
  return [
    {
      text: `By type of flip: ${parts.join('; ')}.`,
      rule:
        `Seen is an interval above ${percent(seenFrom)}; else above, across or below 50.0 %, which guessing gets: ` +
        `${found.map(({ name, interval }) => `${name} ${percents(interval)}`).join(', ')}.`,
    },
  ];
}
