import assert from 'node:assert/strict';
import { findSaid, say, type Words } from '../../../../../src/base/say';
import { english } from '../../../../../src/base/english';
import { lgipClaims } from '../../../../../src/probe/lgip/claims';
import type { Metric } from '../../../../../src/probe/metric';
import { byWord } from '../../../../../src/probe/lgip/rates/overWords';
import { drive, example } from '../drive';

const codesIn = (text: Words): string[] =>
  typeof text === 'string' ? [] : [text.code, ...text.values.flatMap((value) => codesIn(value as Words))];
const texts = (metrics: readonly Metric[]) => lgipClaims(metrics).flatMap(({ text }) => codesIn(text));

const rate = (id: string, ci: [number, number], more: Partial<Metric> = {}): Metric => ({
  ...{ id, value: (ci[0] + ci[1]) / 2, n: 100, ci },
  ...more,
});
const perWord = (id: string, ci: [number, number]) => rate(id, ci, { slice: byWord });

describe('rates of flips with one observation per replaced word', () => {
  it('withhold a statement that images alone support', () => {
    const color = rate('lgip.pr.color', [0.6, 0.8]);
    assert.ok(texts([color, perWord('lgip.pr.color', [0.6, 0.9])]).includes('lgip.typeAboveChance'));
    assert.ok(texts([color, perWord('lgip.pr.color', [0.4, 0.95])]).includes('lgip.typeNotFromChance'));
    assert.ok(texts([color, perWord('lgip.pr.color', [0.1, 0.4])]).includes('lgip.typeNotFromChance'));
    const { ci, ...few } = perWord('lgip.pr.color', [0.6, 0.9]);
    assert.ok(ci !== undefined && texts([color, few]).includes('lgip.typeNotFromChance'));
  });

  it('count for the sentence on all flips, too', () => {
    const all = rate('lgip.pr', [0.55, 0.7]);
    assert.deepEqual(texts([all, perWord('lgip.pr', [0.55, 0.75])]), ['lgip.caughtAboveChance']);
    assert.deepEqual(texts([all, perWord('lgip.pr', [0.45, 0.75])]), ['lgip.notFromChanceByWord']);
  });

  it('leave the interval of the rate to the headline, and give the interval over words in the rule', () => {
    const found = (ci: [number, number]) =>
      lgipClaims([rate('lgip.pr', ci), perWord('lgip.pr', [0.404, 0.838])])[0];
    const contradicted = found([0.51, 0.78]);
    assert.deepEqual(contradicted.text, say('lgip.notFromChanceByWord'));
    const wider = findSaid(contradicted.rule, 'lgip.wordsRule');
    assert.match(english(wider!.values[0]), /\[40\.4 %, 83\.8 %\]/);
    assert.deepEqual(found([0.45, 0.7]).text, say('lgip.notFromChance'));
  });

  it('find no skill in an evaluator that only likes some colours, however many images show it', () => {
    // Only "white" and "black" are frequent, and this evaluator likes the one and dislikes the other.
    const captions = [
      ...Array<string>(26).fill('A white wooden chair stands in the room.'),
      ...Array<string>(6).fill('A black wooden chair stands in the room.'),
    ];
    const { findings } = drive(
      captions.map((caption, i) => example(`e${i}`, [caption])),
      {
        score: ({ right }) =>
          right.kind === 'text' ? (/white/.test(right.text) ? 2 : /black/.test(right.text) ? -2 : 0) : 0,
      },
    );
    const found = findings.metrics.find(({ id, slice }) => id === 'lgip.pr.color' && slice === undefined)!;
    assert.ok(found.ci![0] > 0.5, JSON.stringify(found));
    assert.ok(!texts(findings.metrics).some((code) => /typeDetected|typeAboveChance|caughtAbove/.test(code)));
  });
});
