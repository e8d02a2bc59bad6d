import { against, type Claim, intervalOf, percent, percents, type Side } from '../claim';
import type { Metric } from '../probe';

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

const verdicts: Record<Side, (names: string) => string> = {
  above: (names) => `Sees ${names}`,
  across: (names) => `${names} a coin toss`,
  below: (names) => `prefers the wrong ${names}`,
};

function byType(metrics: readonly Metric[]): Claim[] {
  const found = types.flatMap(({ id, name }) => {
    const interval = intervalOf(metrics, `lgip.pr.${id}`);
    return interval === undefined ? [] : [{ name, interval, side: against(interval, 0.5) }];
  });
  if (found.length === 0) return [];
  const parts = (['above', 'across', 'below'] as const).flatMap((side) => {
    const names = found.filter((type) => type.side === side).map(({ name }) => name);
    if (names.length === 0) return [];
    const verb = side === 'across' ? (names.length === 1 ? ' is' : ' are') : '';
    return [verdicts[side](`${names.join(' and ')}${side === 'across' ? verb : ''}`)];
  });
  const text = parts.join('; ');
  return [
    {
      text: `By type of flip: ${text.charAt(0).toLowerCase()}${text.slice(1)}.`,
      rule: `Above, across or below 50 %, which guessing gets: ${found.map(({ name, interval }) => `${name} ${percents(interval)}`).join(', ')}.`,
    },
  ];
}
