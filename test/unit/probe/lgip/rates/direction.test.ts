import assert from 'node:assert/strict';
import type { Words } from '../../../../../src/base/say';
import { lgipClaims } from '../../../../../src/probe/lgip/claims';
import { directionOf } from '../../../../../src/probe/lgip/rates/direction';
import type { Metric, Slice } from '../../../../../src/probe/metric';
import { drive, example } from '../drive';

const codesIn = (text: Words): string[] =>
  typeof text === 'string' ? [] : [text.code, ...text.values.flatMap((value) => codesIn(value as Words))];

describe('the direction of a flip of a number', () => {
  const flip = (caption: string, from: string, to: string) => {
    const at = caption.indexOf(from);
    const text = caption.replace(from, to);
    const [was, span]: [number, number][] = [
      [at, at + from.length],
      [at, at + to.length],
    ];
    const variant = { text, family: 'flip' as const, kind: 'number', rule: 'number', score: 0, delta: 0 };
    return directionOf(caption, { ...variant, was, span });
  };

  it('is known in each language, whatever the case', () => {
    assert.equal(flip('Two dogs', 'Two', 'Three'), 'larger');
    assert.equal(flip('five dogs', 'five', 'one'), 'smaller');
    assert.equal(flip('vier Hunde', 'vier', 'zwei'), 'smaller');
    assert.equal(flip('deux chiens', 'deux', 'cinq'), 'larger');
    assert.equal(flip('many dogs', 'many', 'few'), undefined);
    assert.equal(flip('two dogs', 'two', 'two'), undefined);
  });

  it('splits the metrics: an evaluator that likes small numbers catches every flip to a larger one', () => {
    const numbers = ['one', 'two', 'three', 'four', 'five'];
    const captions = ['two', 'three', 'four'].map((n) => `There are ${n} wooden chairs in the room.`);
    const examples = Array.from({ length: 30 }, (_, i) => example(`e${i}`, [captions[i % 3]]));
    const { findings } = drive(examples, {
      score: ({ right }) =>
        right.kind === 'text' ? -numbers.findIndex((n) => right.text.toLowerCase().includes(n)) : 0,
    });
    const rate = (slice?: Slice) =>
      findings.metrics.find(
        ({ id, slice: own }) =>
          id === 'lgip.pr' && own?.flip === 'number' && own.direction === slice?.direction,
      );
    assert.equal(rate({ direction: 'larger' })?.value, 1);
    assert.equal(rate({ direction: 'smaller' })?.value, 0);
    const both = rate()!;
    assert.ok(both.value! > 0 && both.value! < 1, String(both.value));
    const texts = lgipClaims(findings.metrics).flatMap(({ text }) => codesIn(text));
    assert.ok(!texts.includes('lgip.typeDetected') && !texts.includes('lgip.typeBelowChance'), String(texts));
  });
});

describe('the verdict by type of flip', () => {
  const rate = (id: string, low: number, high: number, more: Partial<Metric> = {}): Metric => ({
    ...{ id, value: (low + high) / 2, n: 100, ci: [low, high] },
    ...more,
  });
  const direction = (name: string, low: number, high: number) =>
    rate('lgip.pr', low, high, { slice: { flip: 'number', direction: name }, n: 10 });
  const texts = (metrics: Metric[]) => lgipClaims(metrics).flatMap(({ text }) => codesIn(text));

  it('withholds a sentence on numbers if one direction goes the other way, however few its images are', () => {
    const number = rate('lgip.pr.number', 0.8, 0.95);
    assert.ok(texts([number]).includes('lgip.typeDetected'));
    const agreeing = [number, direction('larger', 0.9, 1), direction('smaller', 0.4, 0.7)];
    assert.ok(texts(agreeing).includes('lgip.typeDetected'));
    const opposite = [number, direction('larger', 0.9, 1), direction('smaller', 0.05, 0.3)];
    assert.deepEqual(
      texts(opposite).filter((code) => code.startsWith('lgip.type')),
      ['lgip.typesDetected', 'lgip.typeMixed'],
    );
  });

  it('names the flips that it does not notice, by type', () => {
    const tied = rate('lgip.pr.color', 0.3, 0.45, { ties: 40 });
    assert.ok(texts([tied]).includes('lgip.typesUnnoticed'));
    assert.ok(!texts([rate('lgip.pr.color', 0.3, 0.45, { ties: 5 })]).includes('lgip.typesUnnoticed'));
  });
});
