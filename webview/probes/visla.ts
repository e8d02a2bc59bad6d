import { percent } from '../format';
import { against, type Card, type Claim, intervalOf, metricNamed, type ProbeModel } from './model';
import type { ReportView } from '../../src/protocol';

const settings = [
  { id: 'visla.t2t', name: 'captions with captions', chance: 1 / 3 },
  { id: 'visla.i2t', name: 'photo with captions', chance: 1 / 3 },
] as const;

export const vislaModel: ProbeModel = {
  before: 'P1',
  after: 'N',

  cards(report): Card[] {
    return settings
      .filter(({ id }) => metricNamed(report, id) !== undefined)
      .flatMap(({ id, name, chance }): Card[] => [
        {
          title: `Right, ${name}`,
          metric: id,
          style: 'percent',
          chance,
          range: [0, 1],
          about: 'Both positives are closer to each other than to the negative. Guessing gets a third.',
        },
        {
          title: 'P1 against N',
          metric: `${id}.p1n`,
          style: 'percent',
          chance: 0.5,
          range: [0, 1],
          about: 'The positive that is worded like the negative beats it. Guessing gets half.',
        },
        {
          title: 'P2 against N',
          metric: `${id}.p2n`,
          style: 'percent',
          chance: 0.5,
          range: [0, 1],
          about: 'The positive that is worded differently beats the negative. Guessing gets half.',
        },
        {
          title: 'Margin',
          metric: `${id}.margin`,
          style: 'number',
          chance: 0,
          range: [-0.2, 0.2],
          about: 'Mean lead of the closest right pair over the negative. Below zero the negative leads.',
        },
      ]);
  },

  claims(report): Claim[] {
    return settings.flatMap(({ id, chance }) => claimsOf(report, id, chance));
  },
};

function claimsOf(report: ReportView, id: string, chance: number): Claim[] {
  const right = intervalOf(report, id);
  const p1n = intervalOf(report, `${id}.p1n`);
  const p2n = intervalOf(report, `${id}.p2n`);
  const claims: Claim[] = [];
  if (right) {
    const interval = `[${percent(right[0])}, ${percent(right[1])}]`;
    const where = against(right, chance);
    const words = {
      above: `Tells what is said from how it is said in ${percent(right[0])} to ${percent(right[1])} of the triplets.`,
      below: 'Does worse than guessing: wording counts for more than meaning.',
      across: 'Cannot be told from guessing.',
    }[where];
    claims.push({
      text: words,
      rule: `The 95 % interval ${interval} lies ${where === 'across' ? 'across' : where} ${percent(chance)}, what guessing gets.`,
    });
  }
  if (p1n && p2n) {
    const rule = `95 % intervals: P1 against N [${percent(p1n[0])}, ${percent(p1n[1])}], P2 against N [${percent(p2n[0])}, ${percent(p2n[1])}].`;
    if (p2n[1] < p1n[0]) {
      const coin = against(p2n, 0.5) === 'across';
      claims.push({
        text: coin
          ? 'Sure where the wording is alike; where it differs, a coin toss.'
          : 'Misled by wording: it loses more often when the same thing is said in other words.',
        rule: `${rule} They do not overlap.`,
      });
    } else if (p1n[1] < p2n[0]) {
      claims.push({
        text: 'Loses more often against the negative that looks alike.',
        rule: `${rule} They do not overlap.`,
      });
    }
  }
  return claims;
}
