import assert from 'node:assert/strict';
import {
  anchorWants,
  lineLength,
  projection,
  projectionWants,
  ValenceRecord,
} from '../../../../src/probe/invariance/valence';
import { box, drive, example, instancesOf, madeUpScore } from './drive';

/** A vector per text, for cosines and projections. */
const vectors: Record<string, number[]> = {
  good: [1, 0.2, 0],
  nice: [0.9, -0.1, 0.3],
  bad: [-0.5, 0.4, 0.8],
  ugly: [-0.2, 0.9, 0.1],
  cheap: [0.1, 0.7, -0.3],
};
const norm = (v: number[]): number[] => v.map((x) => x / Math.hypot(...v));
const dot = (a: number[], b: number[]): number => a.reduce((sum, x, i) => sum + x * b[i], 0);
const anchors = { positive: ['good', 'nice'], negative: ['bad', 'ugly'] };

describe('valence', () => {
  it('is the projection on the line between the means, computed from cosines alone', () => {
    const unit = (word: string) => norm(vectors[word]);
    const middle = (words: string[]) =>
      [0, 1, 2].map((i) => words.reduce((sum, word) => sum + unit(word)[i], 0) / words.length);
    const line = middle(anchors.positive).map((x, i) => x - middle(anchors.negative)[i]);
    const expected = dot(unit('cheap'), norm(line));
    const cosines = (wants: ReturnType<typeof anchorWants>) =>
      wants.map(({ left, right }) =>
        left.kind === 'text' && right.kind === 'text' ? dot(unit(left.text), unit(right.text)) : NaN,
      );
    const length = lineLength(anchors, cosines(anchorWants(anchors)));
    assert.ok(Math.abs(length - Math.hypot(...line)) < 1e-12);
    assert.ok(
      Math.abs(projection(anchors, cosines(projectionWants(anchors, 'cheap')), length) - expected) < 1e-12,
    );
  });

  it('is requested only from evaluators with a text space', () => {
    const dog = instancesOf({ one: [box('dog', 40, 30, 14, 12)] });
    const places = (scores: ('image-text' | 'text-text')[]) =>
      drive([example('one')], dog, {
        scores,
        score: (want) => 0.1 + 0.5 * madeUpScore(want),
      }).rows[0].variants.flatMap(({ valence }) => valence ?? []);
    assert.equal(places(['image-text']).length, 0);
    const found = places(['image-text', 'text-text']);
    assert.equal(found.length, 5);
    assert.ok(found.every(({ word, phrase }) => Number.isFinite(word) && word !== phrase));
  });

  it('correlates with the changes by rank, by family and over all words', () => {
    const record = new ValenceRecord();
    const words = { cheap: [0.3, 2], expensive: [-0.2, -6], budget: [0.1, 0], happy: [0.5, -1] };
    for (const [word, [place]] of Object.entries(words))
      record.add(word === 'happy' ? 'emotion' : 'economic', word, { word: place, phrase: -place });
    const metrics = record.metrics((_, word) => words[word as keyof typeof words][1]);
    const value = (what: string, family?: string) =>
      metrics.find(
        ({ id, slice }) => id === `invariance.societal.valence.${what}` && slice?.family === family,
      )?.value;
    assert.equal(value('word', 'economic'), 1);
    assert.equal(value('phrase', 'economic'), -1);
    assert.ok(Math.abs((value('word') ?? NaN) - 0.4) < 1e-12);
    assert.equal(value('word', 'emotion'), null);
  });
});
