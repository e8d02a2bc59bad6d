import { inARow, say, type Words } from '../../base/say';
import { metricText } from '../../base/pValue';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
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

const margins: Record<Side, Words> = {
  above: say`Stable: a paraphrase changes the score less than a flip lowers it.`,
  below: say`Unstable: a paraphrase changes the score more than a flip lowers it.`,
  across: say`The data do not show whether a paraphrase changes the score less than a flip lowers it.`,
};

/** Compares paraphrases and flips of the same captions. Other captions may have only one of both. */
function steadiness(metrics: readonly Metric[]): Claim[] {
  const id = 'lgip.margin';
  const interval = intervalOf(metrics, id);
  if (interval === undefined) return [];
  const side = against(interval, 0);
  const shown = `[${interval.map((end) => metricText(id, end, interval)).join(', ')}]`;
  const rule = lies(id, shown, side, say`zero`);
  return [
    { text: margins[side], rule: say`${rule} It covers captions that have both paraphrases and flips.` },
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
