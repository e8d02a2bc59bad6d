import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { say } from '../../../../src/base/say';
import { atOnce } from '../../../../src/base/turns/steps';
import type { Example } from '../../../../src/dataset/example';
import type { ImageItem, WantKind } from '../../../../src/protocol/item';
import type { PlanContext } from '../../../../src/probe/probe';
import { characterDistance, wordDistance } from '../../../../src/base/text/levenshtein';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { visla } from '../../../../src/probe/visla/visla';
import { wholePlan } from '../wholePlan';

const imageItem: ImageItem = { kind: 'image', source: { name: 'a.jpg', path: '/a.jpg' }, transforms: [] };

function context(scores: WantKind[], image: ImageItem | undefined = imageItem): PlanContext {
  return { dataset: 'triplets', seed: 42, options: {}, scores, image: () => image };
}

function triplet(first: string, second: string, negative: string, id = '1', image = 'a.jpg'): Example {
  const caption = (text: string, role: 'caption' | 'negative') => ({ text, role, image: 0, field: role });
  return {
    id,
    form: 'triplet',
    row: 0,
    images: [{ name: image }],
    captions: [caption(first, 'caption'), caption(second, 'caption'), caption(negative, 'negative')],
    attributes: {},
  };
}

function rowOf(example: Example, scores: number[], kinds: WantKind[] = ['text-text']): VislaRow {
  const plan = wholePlan(visla, example, context(kinds));
  assert.equal(plan.wants.length, scores.length);
  return [...visla.measure(example, plan, Float64Array.from(scores), context(kinds))][0];
}

describe('VISLA', () => {
  it('takes as P1 the positive closer to the negative in letters, or the first one on a tie', () => {
    const swapped = rowOf(triplet('far from it all', 'a red bus', 'a red car'), [0.9, 0.1, 0.1]);
    assert.deepEqual([swapped.p1, swapped.p2, swapped.swapped], ['a red bus', 'far from it all', true]);
    const tied = rowOf(triplet('ab', 'ac', 'ad'), [0.9, 0.1, 0.1]);
    assert.deepEqual([tied.p1, tied.swapped], ['ab', false]);
  });

  it('requests exactly what the evaluator can score', () => {
    const example = triplet('a', 'b', 'c');
    const kinds = (scores: WantKind[], image?: ImageItem) =>
      wholePlan(visla, example, { ...context(scores), image: () => image }).wants.map(
        ({ left }) => left.kind,
      );
    assert.deepEqual(kinds(['text-text'], imageItem), ['text', 'text', 'text']);
    assert.deepEqual(kinds(['text-text', 'image-text'], imageItem), [
      'text',
      'text',
      'text',
      'image',
      'image',
      'image',
    ]);
    assert.deepEqual(kinds(['text-text', 'image-text']), ['text', 'text', 'text']);
    assert.equal(visla.refuse(example, context(['text-text'])), undefined);
    assert.match(
      english(visla.refuse(triplet('a', 'b'.repeat(4001), 'c'), context(['text-text']))!),
      /^a caption has more than 4000 characters/,
    );
    assert.match(
      english(visla.refuse(example, { ...context(['image-text']), image: () => undefined })!),
      /^its image was not found, and the evaluator needs one$/,
    );
    assert.deepEqual(
      visla.refuse({ ...example, images: [] }, { ...context(['image-text']), image: () => undefined }),
      say('sugarcrepe.imageNeeded', say('probe.noImage')),
    );
    assert.match(
      english(visla.refuse({ ...example, form: 'captions' }, context(['text-text']))!),
      /not a triplet/,
    );
  });

  it('is right only if both positives are strictly closer to each other, and counts ties', () => {
    const example = triplet('ab', 'ac', 'ad');
    const [right, wrong, tie] = [
      [0.9, 0.8, 0.7],
      [0.8, 0.9, 0.7],
      [0.8, 0.8, 0.7],
    ].map((scores) => rowOf(example, scores).t2t!);
    assert.deepEqual([right.right, right.tie], [true, false]);
    assert.deepEqual([wrong.right, wrong.tie], [false, false]);
    assert.deepEqual([tie.right, tie.tie], [false, true]);
  });

  it('measures P1-N and P2-N crosswise for captions and directly for images', () => {
    const kinds: WantKind[] = ['text-text', 'image-text'];
    // The scores in order: S(P1,P2), S(P1,N), S(P2,N), S(I,P1), S(I,P2), S(I,N).
    const rows = [
      rowOf(triplet('ab', 'ac', 'ad', '1', '1.jpg'), [0.9, 0.95, 0.5, 0.3, 0.1, 0.2], kinds),
      rowOf(triplet('ab', 'ac', 'ad', '2', '2.jpg'), [0.9, 0.5, 0.5, 0.3, 0.3, 0.2], kinds),
    ];
    const summary = visla.summary(context(kinds));
    for (const row of rows) summary.add(row);
    const { metrics, warnings } = atOnce(summary.finish());
    const value = (id: string) => metrics.find((metric) => metric.id === id && !metric.slice)?.value;
    assert.equal(value('visla.t2t'), 0.5);
    // P1-N compares S(P2,P1) with S(P2,N), and is right for both triplets. P2-N compares S(P1,P2) with
    // S(P1,N), and is right for one.
    assert.equal(value('visla.t2t.p1n'), 1);
    assert.equal(value('visla.t2t.p2n'), 0.5);
    assert.equal(value('visla.i2t'), 0.5);
    assert.equal(value('visla.i2t.p1n'), 1);
    assert.equal(value('visla.i2t.p2n'), 0.5);
    assert.deepEqual(warnings, []);
  });

  it('reports a metric without examples as null, with the reason', () => {
    const { metrics } = atOnce(visla.summary(context(['text-text'])).finish());
    assert.ok(metrics.length > 0);
    for (const metric of metrics)
      assert.deepEqual([metric.value, metric.n, metric.note], [null, 0, say('probe.noExamples')]);
  });
});

describe('edit distance', () => {
  it('counts insertions, deletions and substitutions', () => {
    assert.equal(characterDistance('kitten', 'sitting'), 3);
    assert.equal(characterDistance('', 'abc'), 3);
    assert.equal(characterDistance('same', 'same'), 0);
    assert.equal(characterDistance('😀a', 'a'), 1);
    assert.equal(wordDistance('A red bus, parked.', 'a blue bus parked'), 1);
    assert.equal(wordDistance("the dog's bowl", 'the dog bowl'), 1);
  });

  it('is a metric', () => {
    const words = ['', 'a', 'ab', 'ba', 'abc', 'bus', 'bust', 'a bus'];
    for (const a of words)
      for (const b of words) {
        assert.equal(characterDistance(a, b), characterDistance(b, a));
        for (const c of words)
          assert.ok(characterDistance(a, c) <= characterDistance(a, b) + characterDistance(b, c));
      }
  });
});
