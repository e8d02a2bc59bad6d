import assert from 'node:assert/strict';
import { bars, frontier, histogram, tradeOff } from '../../../src/report/export/chart';
import { invarianceComparison } from '../../../src/probe/invariance/charts';
import { comparisonHtml } from '../../../src/report/export/comparison';
import { drawn } from '../../../src/report/export/probeCharts';
import { curves } from '../../../src/report/export/lines';
import { lineUpReports } from '../../../src/report/lineUp';
import { reportOf } from './reportOf';

describe('charts of a report', () => {
  it('the frontier contains the points that no other beats on both axes', () => {
    const point = (name: string, x: number, y: number) => ({ name, x, y });
    const points = [
      point('beaten', 0.3, 0.1),
      point('steady', 0.1, 0.1),
      point('alert', 0.3, 0.5),
      point('worse', 0.4, 0.5),
    ];
    assert.deepEqual(
      frontier(points).map(({ name }) => name),
      ['steady', 'alert'],
    );
    assert.deepEqual(
      frontier([point('same', 0.1, 0.2), point('less', 0.1, 0.1)]).map(({ name }) => name),
      ['same'],
    );
  });

  it('escape names as text and print numbers as numbers', () => {
    const hostile = '"><script>alert(1)</script>';
    const pictures = [
      bars(hostile, [{ name: hostile, value: 0, n: 0 }], 0.5),
      bars('one value', [{ name: 'a', value: 0.5, ci: [0.5, 0.5], n: 1 }]),
      bars('below zero', [{ name: 'a', value: -0.5, ci: [-1, 0.2], n: 3 }]),
      histogram(hostile, hostile, Float64Array.of(1)),
      histogram('equal', 'x', Float64Array.of(2, 2, 2)),
      tradeOff(hostile, hostile, hostile, [{ name: hostile, x: 1, y: 1 }]),
      tradeOff('one place', 'x', 'y', [
        { name: 'a', x: 0, y: 0 },
        { name: 'b', x: 0, y: 0 },
      ]),
      curves(hostile, { x: hostile, y: hostile, mark: { x: 1, name: hostile } }, [
        { name: hostile, points: [{ x: 1, y: 1, ci: [1, 1] }] },
      ]),
    ];
    for (const picture of pictures) {
      assert.doesNotMatch(picture, /<script|NaN|Infinity/);
      assert.match(picture, /^<figure>.*<\/figure>$/s);
    }
    assert.equal(histogram('none', 'x', new Float64Array()), '');
    assert.equal(curves('none', { x: 'x', y: 'y' }, [{ name: 'a', points: [] }]), '');
  });

  it('the curve of coverage has a gap where a bin is empty', () => {
    const metrics = ['0-10', '10-20', '35-50', '50-70'].map((bin, i) => ({
      id: `invariance.object.coverage.${bin}.median`,
      value: 0.2 + i / 10,
      n: 3,
    }));
    const report = reportOf({ probe: 'invariance', metrics });
    const [coverage] = drawn(invarianceComparison([report])).filter((one) =>
      one.includes('that the object covers'),
    );
    const lines = [...coverage.matchAll(/<polyline class="curve" points="([^"]*)"/g)];
    assert.deepEqual(
      lines.map(([, points]) => points.split(' ').length),
      [2, 2],
    );
    assert.equal(coverage.match(/<circle/g)?.length, 4);
  });

  it('two audits whose scores have both signs are compared in scores', () => {
    const report = reportOf({
      probe: 'invariance',
      metrics: [
        { id: 'invariance.spatial.vflip.median', value: -195.56, n: 46, moot: true },
        { id: 'invariance.spatial.vflip.delta', value: -0.012, n: 46 },
      ],
    });
    const html = drawn(invarianceComparison([report, report])).join('');
    assert.match(html, /Images flipped vertically and horizontally: median change of the score/);
    assert.doesNotMatch(html, /median change, %|195/);
  });

  it('an audit’s charts show the metrics without a slice, with several evaluators side by side', () => {
    const metrics = [
      { id: 'invariance.spatial.vflip.median', value: 6.9, n: 46, ci: [6.1, 7.7] as const },
      { id: 'invariance.spatial.vflip.median', value: 99, n: 3, slice: { objects: 'multi' } },
      { id: 'invariance.spatial.vflip.rrf@0.7', value: 0.28, n: 46 },
      { id: 'invariance.spatial.rrf@0.3', value: 0.5, n: 46 },
      { id: 'invariance.spatial.rrf@1.0', value: 0.4, n: 46 },
      { id: 'invariance.societal.cultural.median', value: -4, n: 46 },
      { id: 'invariance.societal.cultural.African.median', value: -7, n: 46 },
      { id: 'invariance.societal.neutral.median', value: 1, n: 46 },
      { id: 'invariance.object.coverage.0-10.median', value: 0.4, n: 9 },
      { id: 'invariance.object.coverage.50-70.median', value: 0.6, n: 9 },
      { id: 'invariance.object.category.animal.median', value: null, n: 0 },
    ];
    const charts = (...names: string[]) =>
      drawn(invarianceComparison(names.map((name) => ({ evaluator: { name }, metrics }))));
    const own = charts('Tiny');
    const titles = own.map((picture) => /aria-label="([^"]*)"/.exec(picture)?.[1]);
    assert.deepEqual(titles, [
      'Images flipped vertically and horizontally: median change, %',
      'Median score by the share of the image that the object covers',
      'Words: cultural, compared with a neutral word: median change, %',
      'Risk that two systems 0.7 % of the range apart change places (RRF)',
      'Flip risk by the gap between two systems',
    ]);
    assert.match(own[0], /6\.900 · 46/);
    assert.doesNotMatch(own.join(''), /99\.000|Tiny/);
    const both = charts('Tiny', 'Other');
    assert.match(both[0], /upside down, Tiny.*upside down, Other/);
  });

  it('every value of a histogram is in one column', () => {
    const picture = histogram(
      'title',
      'axis',
      Float64Array.from({ length: 100 }, (_, i) => i / 10 - 5),
      10,
    );
    // Ten columns of ten values each. All have the full height.
    assert.equal(picture.match(/<rect/g)?.length, 10);
    assert.equal(new Set(picture.match(/height="[\d.]+"\/>/g)).size, 1);
  });

  it('a comparison shows the trade-off of LGIP and every report of the table', () => {
    const one = (name: string, inv: number, sens: number) => {
      const report = reportOf({
        probe: 'lgip',
        metrics: [
          { id: 'lgip.inv', value: inv, n: 10, ci: [inv - 0.01, inv + 0.01] },
          { id: 'lgip.sens', value: sens, n: 10 },
        ],
      });
      return { ...report, evaluator: { ...report.evaluator, name } };
    };
    const reports = [one('First', 0.02, 0.07), one('Second <b>', 0.05, 0.03)];
    const page = comparisonHtml(reports, lineUpReports(reports), []);
    assert.match(page, /Invariance and sensitivity/);
    assert.match(page, /Second &lt;b&gt;/);
    assert.match(page, /0\.0200/);
    assert.doesNotMatch(page, /<script|https?:/);
  });
});
