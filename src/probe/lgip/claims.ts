import { inARow, say, type Words } from '../../base/say';
import { against, intervalOf, percent, percents, type Side } from '../claim';
import type { Claim } from '../probe';
import type { Metric } from '../metric';

const types = [
  { id: 'object', name: say`object` },
  { id: 'color', name: say`colour` },
  { id: 'number', name: say`number` },
];

export function lgipClaims(metrics: readonly Metric[]): Claim[] {
  return [...steadiness(metrics), ...caught(metrics), ...byType(metrics)];
}

function steadiness(metrics: readonly Metric[]): Claim[] {
  const inv = intervalOf(metrics, 'lgip.inv');
  const sens = intervalOf(metrics, 'lgip.sens');
  if (inv === undefined || sens === undefined) return [];
  const [low, high] = [inv, sens].map((ends) => `[${ends.map((end) => end.toFixed(3)).join(', ')}]`);
  if (inv[1] < sens[0]) {
    return [
      {
        text: say`Stable: a paraphrase changes the score less than a flip lowers it.`,
        rule: say`The interval of ${'lgip.inv'}, ${low}, lies below that of ${'lgip.sens'}, ${high}.`,
      },
    ];
  }
  if (inv[0] > sens[1]) {
    return [
      {
        text: say`Unstable: a paraphrase changes the score more than a flip lowers it.`,
        rule: say`The interval of ${'lgip.inv'}, ${low}, lies above that of ${'lgip.sens'}, ${high}.`,
      },
    ];
  }
  return [
    {
      text: say`The data do not show whether a paraphrase changes the score less than a flip lowers it.`,
      rule: say`The intervals of ${'lgip.inv'}, ${low}, and ${'lgip.sens'}, ${high}, overlap.`,
    },
  ];
}

function caught(metrics: readonly Metric[]): Claim[] {
  const interval = intervalOf(metrics, 'lgip.pr');
  if (interval === undefined) return [];
  return [
    {
      text: say`It catches ${percent(interval[0])} to ${percent(interval[1])} of the flips.`,
      rule: say`The 95 % interval of ${'lgip.pr'}, ${percents(interval)}. A flip is caught if it scores strictly lower than the caption.`,
    },
  ];
}

type Standing = 'detected' | Side;

/** A type of flip counts as detected if its interval lies above this share of caught flips. */
const detectedFrom = 0.75;

const words: Record<Standing, (types: Words) => Words> = {
  detected: (of) => say`${of} detected`,
  above: (of) => say`${of} above chance level`,
  across: (of) => say`${of} cannot be told from chance`,
  below: (of) => say`${of} below chance level`,
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
    return names.length === 0 ? [] : [words[standing](names.reduce((a, b) => say`${a} and ${b}`))];
  });
  return [
    {
      text: say`By type of flip: ${inARow(parts, '; ')}.`,
      rule: say`A type counts as detected if its whole interval lies above ${percent(detectedFrom)}. The other types are compared with chance level (${percent(0.5)}). Intervals: ${inARow(
        found.map(({ name, interval }) => inARow([name, percents(interval)], ' ')),
        ', ',
      )}.`,
    },
  ];
}
