import assert from 'node:assert/strict';
import { findSaid, say } from '../../../src/base/say';
import fc from 'fast-check';
import { atOnce } from '../../../src/base/turns/steps';
import type { Caption, CaptionRole, Example } from '../../../src/dataset/example';
import type { ImageItem, WantKind } from '../../../src/protocol/item';
import type { PlanContext } from '../../../src/probe/probe';
import { sugarcrepe } from '../../../src/probe/sugarcrepe/sugarcrepe';
import { winoground } from '../../../src/probe/winoground/winoground';
import { wholePlan } from './wholePlan';

function image(name: string): ImageItem {
  return { kind: 'image', source: { name, path: `/${name}` }, transforms: [] };
}

function context(scores: WantKind[], images: readonly (ImageItem | undefined)[]): PlanContext {
  return { dataset: 'swap_obj', seed: 42, options: {}, scores, image: (i) => images[i] };
}

function caption(text: string, role: CaptionRole, image = 0): Caption {
  return { text, role, image, field: role };
}

const pair: Example = {
  id: '1',
  form: 'pair',
  row: 0,
  images: [{ name: 'a.jpg' }],
  captions: [caption('a dog by a cat', 'caption'), caption('a cat by a bus', 'negative')],
  attributes: {},
};

describe('SugarCrepe', () => {
  const both: WantKind[] = ['image-text', 'text-text'];

  it('is right if the caption scores strictly above the negative, and counts ties', () => {
    const given = context(both, [image('a.jpg')]);
    const plan = wholePlan(sugarcrepe, pair, given);
    const summary = sugarcrepe.summary(given);
    const rows = [
      [0.3, 0.2, 0.9],
      [0.2, 0.3, 0.7],
      [0.2, 0.2, 0.8],
      [0.5, 0.1, 0.6],
    ].flatMap((scores) => [...sugarcrepe.measure(pair, plan, Float64Array.from(scores), given)]);
    for (const row of rows) summary.add(row);
    const { metrics } = atOnce(summary.finish());
    const of = (id: string) => metrics.find((metric) => metric.id === id)!;
    assert.deepEqual([of('sugarcrepe.swap_obj').value, of('sugarcrepe.swap_obj').ties], [0.5, 1]);
    assert.ok(Math.abs(of('sugarcrepe.swap_obj.gap').value! - (0.1 - 0.1 + 0 + 0.4) / 4) < 1e-12);
    assert.ok(Math.abs(of('sugarcrepe.swap_obj.textSimilarity').value! - 0.75) < 1e-12);
    assert.deepEqual(
      rows.map((row) => sugarcrepe.faults(row).length),
      [0, 1, 1, 0],
    );
  });

  it('works on texts alone without an image, and leaves out examples that cannot be scored', () => {
    assert.equal(sugarcrepe.refuse(pair, context(both, [])), undefined);
    assert.equal(wholePlan(sugarcrepe, pair, context(both, [])).wants.length, 1);
    const refused = (example: Example) => sugarcrepe.refuse(example, context(['image-text'], []));
    assert.deepEqual(refused(pair), say('sugarcrepe.imageNeeded', say('probe.imageNotFound')));
    assert.deepEqual(refused({ ...pair, images: [] }), say('sugarcrepe.imageNeeded', say('probe.noImage')));
    const statement = { ...pair, captions: [caption('The cat is on the bed.', 'caption')] };
    assert.deepEqual(sugarcrepe.refuse(statement, context(both, [])), say('sugarcrepe.notPair'));
  });
});

describe('Winoground', () => {
  const crossed: Example = {
    ...pair,
    form: 'crossed',
    images: [{ name: 'a.jpg' }, { name: 'b.jpg' }],
    captions: [caption('a dog by a cat', 'caption', 0), caption('a cat by a dog', 'caption', 1)],
  };
  const given = context(['image-text'], [image('a.jpg'), image('b.jpg')]);
  const plan = wholePlan(winoground, crossed, given);

  /** Scores each of the four pairs by its caption and image, not by its position in the plan. */
  function measured(score: (captionAt: number, imageAt: number) => number) {
    const values = plan.wants.map(({ left, right }) =>
      score(
        right.kind === 'text' && right.text === crossed.captions[1].text ? 1 : 0,
        left.kind === 'image' && left.source.name === 'b.jpg' ? 1 : 0,
      ),
    );
    return [...winoground.measure(crossed, plan, Float64Array.from(values), given)][0];
  }

  it('scores text, image and group as published', () => {
    const grade = fc.integer({ min: 0, max: 3 });
    fc.assert(
      fc.property(grade, grade, grade, grade, (c0i0, c1i0, c0i1, c1i1) => {
        const row = measured((c, i) => [c0i0, c1i0, c0i1, c1i1][c + 2 * i]);
        // The text score is right if each image finds its caption, and the image score if each caption finds
        // its image. The group score needs both.
        const text = c0i0 > c1i0 && c1i1 > c0i1;
        const image = c0i0 > c0i1 && c1i1 > c1i0;
        assert.deepEqual([row.right.text, row.right.image, row.right.group], [text, image, text && image]);
        const summary = winoground.summary(given);
        summary.add(row);
        const values = Object.fromEntries(
          atOnce(summary.finish()).metrics.map(({ id, value }) => [id, value]),
        );
        assert.deepEqual(values, {
          'winoground.text': text ? 1 : 0,
          'winoground.image': image ? 1 : 0,
          'winoground.group': text && image ? 1 : 0,
        });
        assert.equal(winoground.faults(row).length === 0, text && image);
      }),
    );
  });

  it('a label says whether the failed comparison is a tie', () => {
    const labelOf = (score: Parameters<typeof measured>[0]) => winoground.rows.line(measured(score), 0).label;
    const failed = say('winoground.failedCaption');
    // `scores` has image 0 with captions 0 and 1, then image 1 with captions 0 and 1.
    const by = (scores: number[]) => labelOf((c, i) => scores[c + 2 * i]);
    assert.deepEqual(by([0.9, 0.1, 0.1, 0.9]), say('winoground.bothPairsRight'));
    assert.deepEqual(by([0.5, 0.5, 0.1, 0.9]), say('visla.tiedComparison', failed));
    assert.deepEqual(by([0.5, 0.6, 0.1, 0.9]), say('visla.wrongComparison', failed));
    const tied = measured((c, i) => [0.5, 0.5, 0.1, 0.9][c + 2 * i]);
    assert.ok(findSaid(winoground.rows.mark!(tied).words, 'visla.tiedComparison'));
  });

  it('needs both images', () => {
    assert.equal(winoground.refuse(crossed, given), undefined);
    assert.deepEqual(
      winoground.refuse(crossed, context(['image-text'], [image('a.jpg')])),
      say('choice.imageMissing'),
    );
    assert.deepEqual(
      winoground.refuse(crossed, context(['text-text'], [])),
      say('choice.evaluatorLacksImageScores'),
    );
  });
});
