import assert from 'node:assert/strict';
import type { CaptiousError } from '../../../../src/base/errors';
import type { Said } from '../../../../src/base/say';
import { Random } from '../../../../src/base/random';
import { atOnce } from '../../../../src/base/turns/steps';
import { keepFlipsClaims } from '../../../../src/probe/filter/claims';
import { KeepFlips } from '../../../../src/probe/filter/keepFlips';
import { keptPercents } from '../../../../src/probe/filter/keepOption';
import type { Metric } from '../../../../src/probe/metric';
import { normalCdf, normalQuantile } from '../../../../src/stats/normal';

function measured(percents: number[], add: (flips: KeepFlips) => void, key?: string): Metric[] {
  const flips = new KeepFlips(percents);
  add(flips);
  return atOnce(flips.metrics('toy', key));
}

/** The share of reversed decisions for two normal scores with a correlation, by integration over the first score. */
function reversedShare(percent: number, correlation: number): number {
  const limit = normalQuantile(1 - percent / 100);
  const rest = Math.sqrt(1 - correlation ** 2);
  const step = 1e-3;
  let both = 0;
  for (let at = limit + step / 2; at < 9; at += step)
    both +=
      ((step * Math.exp((-at * at) / 2)) / Math.sqrt(2 * Math.PI)) *
      normalCdf((correlation * at - limit) / rest);
  return 2 * (percent / 100 - both);
}

const normal = (random: Random): number =>
  normalQuantile(Math.min(1 - 1e-12, Math.max(1e-12, random.uniform())));

describe('the share of filter decisions that a change reverses', () => {
  it('is the share of changes that cross the threshold of the originals', () => {
    // Of 10 captions, a filter of 30 % keeps the scores 10, 9 and 8.
    const [metric] = measured([30], (flips) => {
      for (let score = 1; score <= 10; score++) flips.addOriginal(score);
      flips.addChange({ before: 10, after: 7.9, cluster: 10 });
      flips.addChange({ before: 8, after: 8, cluster: 8 });
      flips.addChange({ before: 8, after: 7, cluster: 8 });
      flips.addChange({ before: 3, after: 9, cluster: 3 });
      flips.addChange({ before: 3, after: 4, cluster: 3 });
    });
    assert.equal(metric.value, 3 / 5);
    assert.deepEqual([metric.id, metric.n, metric.images, metric.ties], ['toy.keepFlips@30', 5, 3, 2]);
    assert.equal(metric.ci, undefined, 'three images are too few for an interval');
  });

  it('keeps all captions that tie at the threshold', () => {
    const [metric] = measured([30], (flips) => {
      for (const [image, score] of [1, 1, 1, 1, 0, 0, 0, 0, 0, 0].entries()) {
        flips.addOriginal(score);
        flips.addChange({ before: score, after: score, cluster: image });
      }
    });
    assert.deepEqual([metric.value, metric.ties], [0, 4]);
    assert.deepEqual(metric.note, {
      code: 'row',
      values: [
        ' ',
        { code: 'probe.wilsonInterval', values: [] },
        { code: 'filter.threshold', values: ['1', '4', '10'] },
      ],
    });
  });

  it('is zero for an evaluator that no change moves, with no verdict', () => {
    const random = new Random(1, 'perfect');
    const metrics = measured([10, 30], (flips) => {
      for (let image = 0; image < 50; image++) {
        const score = random.uniform();
        flips.addOriginal(score);
        for (let i = 0; i < 3; i++) flips.addChange({ before: score, after: score, cluster: image });
      }
    });
    assert.deepEqual(
      metrics.map(({ value }) => value),
      [0, 0],
    );
    assert.ok(metrics.every(({ ci }) => ci?.[0] === 0));
    assert.deepEqual(
      keepFlipsClaims(metrics, 'toy', (...values) => values.join(' ')),
      [],
    );
  });

  for (const [percent, noise] of [
    [10, 0.2],
    [30, 0.5],
    [50, 1],
  ])
    it(`follows the bivariate normal distribution for noise of ${noise} and ${percent} %`, () => {
      const random = new Random(7, `noise ${noise}`);
      const images = 4000;
      const [metric] = measured([percent], (flips) => {
        for (let image = 0; image < images; image++) {
          const truth = normal(random);
          const score = truth + noise * normal(random);
          flips.addOriginal(score);
          flips.addChange({ before: score, after: truth + noise * normal(random), cluster: image });
        }
      });
      const expected = reversedShare(percent, 1 / (1 + noise ** 2));
      const band = 3.3 * Math.sqrt((expected * (1 - expected)) / images);
      assert.ok(Math.abs(metric.value! - expected) < band, `${metric.value}, expected ${expected} ± ${band}`);
      assert.ok(metric.ci![0] < metric.value! && metric.value! < metric.ci![1]);
    }).timeout(60_000);

  it('has the closed form arccos(ρ)/π at the median', () => {
    for (const correlation of [0.2, 0.5, 0.9])
      assert.ok(Math.abs(reversedShare(50, correlation) - Math.acos(correlation) / Math.PI) < 1e-6);
  });

  it('counts images, not changes', () => {
    // Each image has 20 equal decisions, so the interval is that of 40 images, far wider than that of 800 decisions.
    const random = new Random(3, 'clusters');
    const add = (flips: KeepFlips) => {
      for (let image = 0; image < 40; image++) {
        const [before, after] = [normal(random), normal(random)];
        flips.addOriginal(before);
        for (let i = 0; i < 20; i++) flips.addChange({ before, after, cluster: image });
      }
    };
    const width = ([{ ci }]: Metric[]): number => ci![1] - ci![0];
    const clustered = width(measured([30], add));
    assert.ok(clustered > 0.2 && clustered < 0.6, `${clustered}`);
  });

  it('has a slice for each part if there are several', () => {
    const metrics = measured(
      [50],
      (flips) => {
        for (let image = 0; image < 10; image++) {
          flips.addOriginal(image);
          flips.addChange({ before: image, after: 9 - image, cluster: image, part: 'image' });
          flips.addChange({ before: image, after: image, cluster: image, part: 'words' });
        }
      },
      'axis',
    );
    assert.deepEqual(
      metrics.map(({ value, slice, n }) => [value, slice, n]),
      [
        [0.5, undefined, 20],
        [1, { axis: 'image' }, 10],
        [0, { axis: 'words' }, 10],
      ],
    );
  });

  it('gives no verdict on a change as small as rounding, which reverses the caption at the threshold', () => {
    for (const images of [20, 50, 200]) {
      const metrics = measured([30], (flips) => {
        for (let image = 0; image < images; image++) {
          flips.addOriginal(image);
          for (let i = 0; i < 3; i++) flips.addChange({ before: image, after: image - 1e-9, cluster: image });
        }
      });
      assert.equal(metrics[0].value, 1 / images);
      assert.ok(metrics[0].ci![0] > 0);
      assert.deepEqual(
        keepFlipsClaims(metrics, 'toy', (...values) => values.join(' ')),
        [],
      );
    }
  });

  it('gives a verdict for 20 images, not for 19', () => {
    const claims = (images: number) =>
      keepFlipsClaims(
        measured([50], (flips) => {
          for (let image = 0; image < images; image++) {
            flips.addOriginal(image);
            flips.addChange({
              before: image,
              after: image % 3 === 0 ? images - image : image,
              cluster: image,
            });
          }
        }),
        'toy',
        (percent, range) => `${percent}: ${range}`,
      );
    assert.equal(claims(20).length, 1);
    assert.match(String(claims(20)[0].text), /^50: \d+\.\d–\d+\.\d$/);
    assert.equal(claims(19).length, 0);
  });

  it('says that there are no changes', () => {
    const [metric] = measured([30], (flips) => flips.addOriginal(1));
    assert.deepEqual(
      [metric.value, metric.n, metric.note],
      [null, 0, { code: 'probe.noExamples', values: [] }],
    );
  });
});

describe('the option keep', () => {
  it('lists percentages in order, each once', () => {
    assert.deepEqual(keptPercents('lgip', '30%, 10,30'), [10, 30]);
    assert.deepEqual(keptPercents('lgip', undefined), [30]);
  });

  for (const text of ['', '0', '100', '2.5', '-3', 'half'])
    it(`rejects ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => keptPercents('lgip', text),
        ({ what }: CaptiousError) => (what as Said).code === 'probe.optionValueInvalid',
      );
    });
});
