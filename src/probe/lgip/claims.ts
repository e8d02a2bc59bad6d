import { inARow, say, together, type Words } from '../../base/say';
import { metricText } from '../../base/pValue';
import { against, intervalOf, lies, percent, percents, type Side } from '../claim';
import {
  type Adjusted,
  adjustedTogether,
  adjustedWords,
  isSupported,
  type Tested,
  verdictLevel,
} from '../claimFamily';
import { keepFlipsClaims } from '../filter/claims';
import { type Metric, metricOf, type Claim } from '../metric';
import { fairLevel, tiesOf } from './rates/fairLevel';
import { goesBothWays, mostTied, preference, testOfType, wordsRule } from './rates/levels';
import { byWord, sideByWord } from './rates/overWords';

const types = [
  { id: 'object', name: say('lgip.kindObject') },
  { id: 'color', name: say('lgip.kindColour') },
  { id: 'number', name: say('lgip.kindNumber') },
];

export function lgipClaims(metrics: readonly Metric[]): Claim[] {
  return [
    ...steadiness(metrics),
    ...caught(metrics),
    ...byType(metrics),
    ...keepFlipsClaims(metrics, 'lgip', (kept, reversed, unrelated) =>
      say('filter.rewordingReverses', kept, reversed, unrelated),
    ),
  ];
}

const margins: Record<Side, Words> = {
  above: say('lgip.paraphrasesChangeLess'),
  below: say('lgip.paraphrasesChangeMore'),
  across: say('lgip.paraphrasesUndecided'),
};

/**
 * Compares paraphrases and flips of the same captions. Other captions may have only one of both. A sentence about flips in
 * general needs that no type clearly goes the other way; otherwise the sentence names the types.
 */
function steadiness(metrics: readonly Metric[]): Claim[] {
  const id = 'lgip.margin';
  const interval = intervalOf(metrics, id);
  if (interval === undefined) return [];
  const { whole, byType } = marginTests(metrics);
  const side = whole !== undefined && isSupported(whole) ? against(interval, 0) : 'across';
  const isGeneral = !isContradicted(metrics, id, side);
  // Changes are positive by definition. So they exceed falls that are zero on average, however steady the score is.
  const falls = intervalOf(metrics, 'lgip.sens');
  const fall = falls && sideByWord(metrics, 'lgip.sens', against(falls, 0), 0);
  if (isGeneral && side === 'below' && falls !== undefined && fall !== undefined && fall !== 'above') {
    const isRise = fall === 'below' && !isContradicted(metrics, 'lgip.sens', fall);
    return [
      {
        text: isRise ? say('lgip.flipsRaiseScore') : say('lgip.flipsUndecided'),
        rule: together(
          lies('lgip.sens', ends('lgip.sens', falls), against(falls, 0), say('human.zero')),
          wordsRule([{ id: 'lgip.sens' }], metrics, ends),
        ),
      },
    ];
  }
  const types = byType.length === 0 ? undefined : marginsByType(byType, metrics);
  if (side === 'across' ? types?.isAny : !isGeneral) return types === undefined ? [] : [types.claim];
  const rule = say('lgip.gapRule', lies(id, ends(id, interval), against(interval, 0), say('human.zero')));
  return [
    {
      text: margins[side],
      rule: together(
        generalRule(side, rule),
        whole && adjustedWords(whole),
        wordsRule([{ id }], metrics, ends),
      ),
    },
  ];
}

/**
 * Whether the interval of a type of flip lies on the other side than the interval over all types. The type needs no 20
 * images, because this only withholds a sentence.
 */
function isContradicted(
  metrics: readonly Metric[],
  id: string,
  side: Side,
  sideOf = (_: string, interval: readonly [number, number]): Side => against(interval, 0),
): boolean {
  const opposite = { above: 'below', below: 'above', across: undefined }[side];
  return types.some(({ id: type }) => {
    const ci = metricOf(metrics, `${id}.${type}`)?.ci;
    return ci !== undefined && sideOf(`${id}.${type}`, ci) === opposite;
  });
}

/** The rule of a sentence on flips in general. */
function generalRule(side: Side, rule: Words): Words {
  return side === 'across' ? rule : say('lgip.generalRule', rule);
}

const marginParts: Record<Side, (types: Words) => Words> = {
  above: (of) => say('lgip.marginAbove', of),
  below: (of) => say('lgip.marginBelow', of),
  across: (of) => say('lgip.marginUndecided', of),
};

interface TestedType extends Tested {
  name: Words;
  metric: string;
  interval: readonly [number, number];
}

/** The margin over all types of flip, and of each type with enough images. All are one family, because either gives the verdict. */
function marginTests(metrics: readonly Metric[]): {
  whole: Adjusted<Tested> | undefined;
  byType: Adjusted<TestedType>[];
} {
  const whole = testOfType(metrics, 'lgip.margin', 0);
  const tested = types.flatMap(({ id, name }) => {
    const [metric, interval] = [`lgip.margin.${id}`, intervalOf(metrics, `lgip.margin.${id}`)];
    const test = testOfType(metrics, metric, 0);
    return interval === undefined || test === undefined ? [] : [{ name, metric, interval, ...test }];
  });
  const adjusted = adjustedTogether<Tested>(whole === undefined ? tested : [...tested, whole]);
  return {
    whole: whole && adjusted.at(-1),
    byType: tested.map((one, i) => ({ ...adjusted[i], ...one })),
  };
}

/** The verdict that names the types. */
function marginsByType(
  tested: readonly Adjusted<TestedType>[],
  metrics: readonly Metric[],
): { claim: Claim; isAny: boolean } {
  const found = tested.map((one) => ({
    ...one,
    standing: isSupported(one) ? against(one.interval, 0) : 'across',
  }));
  const intervals = found.map(({ name, metric, interval }) => inARow([name, ends(metric, interval)], ' '));
  return {
    isAny: found.some(({ standing }) => standing !== 'across'),
    claim: {
      text: say('lgip.marginsByType', standingsOf(found, ['above', 'below', 'across'], marginParts)),
      rule: together(
        say('lgip.typesRule', say('lgip.marginRule', inARow(intervals, ', ')), verdictLevel, tested[0].of),
        wordsRule(
          found.map(({ metric, name }) => ({ id: metric, name })),
          metrics,
          ends,
        ),
      ),
    },
  };
}

/** The types of each standing. */
function standingsOf<S extends Standing>(
  found: readonly { name: Words; standing: S }[],
  order: readonly S[],
  parts: Record<S, (types: Words) => Words>,
): Words {
  const said = order.flatMap((standing) => {
    const names = found.filter((type) => type.standing === standing).map(({ name }) => name);
    return names.length === 0 ? [] : [parts[standing](listed(names))];
  });
  return inARow(said, '; ');
}

function ends(id: string, interval: readonly [number, number]): string {
  return `[${interval.map((end) => metricText(id, end, interval)).join(', ')}]`;
}

function caught(metrics: readonly Metric[]): Claim[] {
  const interval = intervalOf(metrics, 'lgip.pr');
  if (interval === undefined) return [];
  const own = against(interval, fairLevel(metrics, 'lgip.pr'));
  const side = sideByWord(metrics, 'lgip.pr', own, fairLevel(metrics, 'lgip.pr', byWord));
  if (isContradicted(metrics, 'lgip.pr', side, (id, own) => against(own, fairLevel(metrics, id)))) return [];
  if (goesBothWays(metrics)) return [];
  const { ties, n } = tiesOf(metrics, 'lgip.pr');
  const rule = together(
    generalRule(side, say('lgip.caughtRule', 'lgip.pr', percents(interval))),
    wordsRule([{ id: 'lgip.pr' }], metrics),
  );
  const texts = {
    above: say('lgip.caughtAboveChance'),
    // The headline has the interval of the rate, and the rule the one over words, which may be wider.
    across: own === 'across' ? say('lgip.notFromChance') : say('lgip.notFromChanceByWord'),
    below: say('lgip.caughtBelowChance'),
  };
  const unnoticed = ties > mostTied * n ? say('lgip.flipsUnnoticed', percent(ties / n)) : undefined;
  return [
    {
      text: together(unnoticed, texts[side]),
      rule:
        ties > 0 ? say('lgip.tiesNotCaught', rule, ties, n, percent(fairLevel(metrics, 'lgip.pr'))) : rule,
    },
  ];
}

/** Mixed: a preference for small or for large numbers may give the rate. */
type Standing = 'detected' | 'mixed' | Side;

/** A type of flip counts as detected if its interval lies above this share of caught flips. */
const detectedFrom = 0.75;

const words: Record<Standing, (types: Words) => Words> = {
  detected: (of) => say('lgip.typeDetected', of),
  above: (of) => say('lgip.typeAboveChance', of),
  across: (of) => say('lgip.typeNotFromChance', of),
  below: (of) => say('lgip.typeBelowChance', of),
  mixed: (of) => say('lgip.typeMixed', of),
};

function listed(names: readonly Words[]): Words {
  return names.length === 1
    ? names[0]
    : say('lgip.nameList', inARow(names.slice(0, -1), ', '), names.at(-1)!);
}

function standingOfType(
  metrics: readonly Metric[],
  own: Adjusted<Tested & { metric: string; interval: readonly [number, number] }>,
  detected: Adjusted<Tested>,
): { standing: Standing; mixed?: Words } {
  if (!isSupported(own)) return { standing: 'across' };
  const side = against(own.interval, fairLevel(metrics, own.metric));
  const mixed = own.metric === 'lgip.pr.number' ? preference(metrics, side) : undefined;
  if (mixed !== undefined) return { standing: 'mixed', mixed };
  return { standing: own.interval[0] > detectedFrom && isSupported(detected) ? 'detected' : side };
}

/** The types of which more than `mostTied` of the flips have the score of their caption. */
function unnoticedTypes(metrics: readonly Metric[], tested: readonly { name: Words; metric: string }[]) {
  const shares = tested.flatMap(({ name, metric }) => {
    const { ties, n } = tiesOf(metrics, metric);
    return ties > mostTied * n ? [inARow([name, percent(ties / n)], ' ')] : [];
  });
  return shares.length === 0 ? undefined : say('lgip.typesUnnoticed', inARow(shares, ', '));
}

function byType(metrics: readonly Metric[]): Claim[] {
  const tested = types.flatMap(({ id, name }) => {
    const [metric, interval] = [`lgip.pr.${id}`, intervalOf(metrics, `lgip.pr.${id}`)];
    const level = fairLevel(metrics, metric);
    const test = testOfType(metrics, metric, level);
    return interval === undefined || test === undefined ? [] : [{ name, metric, level, interval, ...test }];
  });
  if (tested.length === 0) return [];
  // Both limits of all types are one family, because one sentence states them.
  const family = adjustedTogether([
    ...tested,
    ...tested.map((one) => ({ ...one, ...testOfType(metrics, one.metric, detectedFrom)! })),
  ]);
  const found = family.slice(0, tested.length).map((one, i) => ({
    ...one,
    ...standingOfType(metrics, one, family[tested.length + i]),
  }));
  const intervals = found.map(({ name, interval }) => inARow([name, percents(interval)], ' '));
  const levels = tested.some(({ level }) => level < 0.5)
    ? say(
        'lgip.levelsWithTies',
        inARow(
          tested.map(({ name, level }) => inARow([name, percent(level)], ' ')),
          ', ',
        ),
      )
    : percent(0.5);
  const rule = together(
    say('lgip.detectionRule', percent(detectedFrom), levels, inARow(intervals, ', ')),
    ...found.map(({ mixed }) => mixed),
  );
  const order = ['detected', 'above', 'across', 'mixed', 'below'] as const;
  return [
    {
      text: together(
        say('lgip.typesDetected', standingsOf(found, order, words)),
        unnoticedTypes(metrics, tested),
      ),
      rule: together(
        say('lgip.typesRule', rule, verdictLevel, family.length),
        wordsRule(
          tested.map(({ metric, name }) => ({ id: metric, name })),
          metrics,
        ),
      ),
    },
  ];
}
