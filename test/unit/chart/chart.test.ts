import assert from 'node:assert/strict';
import type { Chart } from '../../../src/chart/chart';
import { draw, type Drawn } from '../../../src/chart/draw';
import { type Shape, textWidth } from '../../../src/chart/drawing';
import { printed } from '../../../src/chart/inks';
import { columns } from '../../../src/chart/svg';
import { frontier } from '../../../src/chart/kinds/tradeOff';
import { invarianceComparison } from '../../../src/probe/invariance/charts';
import { comparisonHtml } from '../../../src/report/export/comparison';
import { drawn } from '../../../src/report/export/chartMarkup';
import { lineUpReports } from '../../../src/report/lineUp';
import { reportOf } from '../report/reportOf';

function yOf(shape: Shape): number {
  return shape.is === 'text' ? shape.y : NaN;
}

/** The x coordinates of a shape's ends or, for a path, of its points. */
function xsOf(shape: Shape): number[] {
  switch (shape.is) {
    case 'line':
      return [shape.x1, shape.x2];
    case 'path':
      return shape.points.map(([x]) => x);
    case 'dot':
      return [shape.x - shape.r, shape.x + shape.r];
    case 'text': {
      if (shape.turn !== undefined) return [shape.x];
      const width = textWidth(shape.text, shape.size);
      const from = shape.x - { start: 0, middle: width / 2, end: width }[shape.anchor ?? 'start'];
      return [from, from + width];
    }
    default:
      return [shape.x, shape.x + shape.wide];
  }
}

describe('charts of a report', () => {
  it('writes the names of crowded points where none covers another, or numbers them', () => {
    const points = Array.from({ length: 12 }, (_, i) => ({
      name: `evaluator number ${i}`,
      x: i < 6 ? 0.1 * i : 0.3 + 0.004 * i,
      y: i < 6 ? 0.5 + 0.05 * (i % 3) : 0.42 + 0.01 * (i % 4),
      ...(i < 6 ? {} : { xci: [0.28, 0.4] as const, yci: [0.4, 0.48] as const }),
    }));
    const { shapes, height } = draw({ type: 'tradeOff', title: 'crowded', x: 'x', y: 'y', points })!;
    const texts = shapes.filter((shape) => shape.is === 'text' && shape.turn === undefined);
    const boxes = texts.map((shape) => ({ shape, xs: xsOf(shape) }));
    for (const [i, a] of boxes.entries())
      for (const b of boxes.slice(0, i))
        assert.ok(
          a.xs[1] <= b.xs[0] || b.xs[1] <= a.xs[0] || Math.abs(yOf(a.shape) - yOf(b.shape)) >= 12,
          `${JSON.stringify(a.shape)} covers ${JSON.stringify(b.shape)}`,
        );
    const shown = texts.flatMap((shape) => (shape.is === 'text' ? [shape.text] : []));
    for (const { name } of points)
      assert.equal(shown.filter((text) => text.endsWith(` ${name.split(' ').at(-1)}`)).length, 1, name);
    assert.ok(shown.some((text) => /^\d+ +evaluator/.test(text)) && shown.includes('evaluator number 0'));
    for (const { shape } of boxes) assert.ok(yOf(shape) <= height - 3);
  });

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
    assert.deepEqual(
      frontier(points, { x: 'higher', y: 'lower' }).map(({ name }) => name),
      ['worse', 'beaten'],
    );
    assert.deepEqual(frontier(points, { y: 'higher' }), []);
  });

  it('cuts the middle of a long name, because evaluators often differ at the end', () => {
    const names = ['small', 'large'].map((size) => `multilingual-caption-encoder-${size}-v2`);
    const svgs = names.map((name) =>
      drawn([{ type: 'forest', title: 't', axis: 'a', bars: [{ name, value: 0.5, n: 40 }], reference: 0.5 }]),
    );
    assert.match(svgs[0].join(''), />multilingual-c…oder-small-v2</);
    assert.match(svgs[1].join(''), />multilingual-c…oder-large-v2</);
    assert.match(svgs[0].join(''), />n = 40; dashed line: chance level</);
  });

  it('escape names as text and print numbers as numbers', () => {
    const hostile = '"><script>alert(1)</script>';
    const title = hostile;
    const one = { name: hostile, value: 0, n: 0 };
    const charts: Chart[] = [
      { type: 'bars', title, bars: [one], reference: 0.5 },
      { type: 'bars', title: 'one value', bars: [{ name: 'a', value: 0.5, ci: [0.5, 0.5], n: 1 }] },
      { type: 'bars', title: 'below zero', bars: [{ name: 'a', value: -0.5, ci: [-1, 0.2], n: 3 }] },
      { type: 'forest', title, axis: hostile, bars: [one] },
      { type: 'histogram', title, axis: hostile, values: [1] },
      { type: 'histogram', title: 'equal', axis: 'x', values: [2, 2, 2] },
      { type: 'outlines', title, axis: hostile, edges: [0, 1], outlines: [{ name: hostile, shares: [1] }] },
      {
        type: 'ridges',
        title,
        axis: hostile,
        ridges: [
          { name: hostile, low: 0, step: 0.01, density: [1], median: 0, n: 1 },
          { name: hostile, values: [0, 0, 0], median: 0, n: 3 },
        ],
      },
      {
        ...{ type: 'ranks', title, axis: hostile, n: 30 },
        ranks: [{ name: hostile, rank: 1, low: 1, high: 1, best: 1 }],
      },
      {
        type: 'sheet',
        title,
        frames: [{ captions: [{ label: hostile, text: hostile }], note: hostile, attribution: hostile }],
      },
      { type: 'heatmap', title, rows: [hostile], columns: [hostile], values: [[1]] },
      { type: 'tradeOff', title, x: hostile, y: hostile, points: [{ name: hostile, x: 1, y: 1 }] },
      {
        type: 'tradeOff',
        title: 'one place',
        ...{ x: 'x', y: 'y' },
        points: [
          { name: 'a', x: 0, y: 0 },
          { name: 'b', x: 0, y: 0 },
        ],
      },
      {
        type: 'curves',
        title,
        axes: { x: hostile, y: hostile, mark: { x: 1, name: hostile } },
        curves: [{ name: hostile, points: [{ x: 1, y: 1, ci: [1, 1] }] }],
      },
    ];
    const images = drawn(charts);
    assert.equal(images.length, charts.length);
    for (const image of images) {
      assert.doesNotMatch(image, /<script|NaN|Infinity|undefined/);
      assert.match(image, /^<figure>.*<\/figure>$/s);
    }
    const empty: Chart[] = [
      { type: 'histogram', title: 'none', axis: 'x', values: [] },
      { type: 'curves', title: 'none', axes: { x: 'x', y: 'y' }, curves: [{ name: 'a', points: [] }] },
    ];
    assert.deepEqual(drawn(empty), []);
  });

  it('the curve of coverage has a gap where a bin is empty', () => {
    const metrics = ['0-10', '10-20', '35-50', '50-70'].map((bin, i) => ({
      id: `invariance.object.coverage.${bin}.median`,
      value: 0.2 + i / 10,
      n: 3,
    }));
    const report = reportOf({ probe: 'invariance', metrics });
    const [coverage] = drawn(invarianceComparison([report])).filter((one) =>
      one.includes('by the size of the object'),
    );
    const lines = [...coverage.matchAll(/<polyline class="curve" points="([^"]*)"/g)];
    assert.deepEqual(
      lines.map(([, points]) => points.split(' ').length),
      [2, 2],
    );
    assert.equal(coverage.match(/<circle/g)?.length, 4);
  });

  it('two audits whose scores have both signs are compared in units of the score', () => {
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
    const titles = own.map((image) => /aria-label="([^"]*)"/.exec(image)?.[1]);
    assert.deepEqual(titles, [
      'Images flipped vertically and horizontally: median change, %',
      'Median score by the size of the object',
      'Culture words, compared with a neutral word: median change, %',
      'Risk that two systems with a score gap of 0.7 % swap ranks (RRF)',
      'Risk that two systems swap ranks, by their score gap (RRF)',
    ]);
    assert.match(own[0], /6\.900 · 46/);
    assert.doesNotMatch(own.join(''), /99\.000|Tiny/);
    assert.match(own[4], /Changes of the image/);
    const both = charts('Tiny', 'Other');
    assert.match(both[0], /upside down, Tiny.*upside down, Other/);
  });

  it('every value of a histogram is in one column', () => {
    const values = Array.from({ length: 300 }, (_, i) => i / 10 - 15);
    const [image] = drawn([{ type: 'histogram', title: 'title', axis: 'axis', values }]);
    // Thirty full-height columns of ten values each.
    assert.equal(image.match(/<rect/g)?.length, 30);
    assert.equal(
      new Set(image.match(/<rect[^>]* height="[\d.]+"\/>/g)?.map((box) => /height="[^"]*"/.exec(box)![0]))
        .size,
      1,
    );
  });

  it('draws every kind inside its frame, in text of one size, with colours that differ in grey', () => {
    const wide = 'A name that is much longer than its place';
    const items = Array.from({ length: 14 }, (_, i) => ({
      name: `${wide} ${i}`,
      value: i / 7 - 1,
      ci: [i / 7 - 1.3, i / 7 - 0.8] as const,
      n: 12_345,
    }));
    const charts: Drawn[] = [
      { type: 'bars', title: 't', bars: items, reference: 0.5 },
      { type: 'forest', title: 't', axis: 'a', bars: items },
      {
        type: 'ranks',
        title: 't',
        axis: 'a',
        n: 12_345,
        ranks: items.map(({ name }, i) => ({ name, rank: i + 1, low: 1, high: 14, best: 0.1 })),
      },
      {
        type: 'ridges',
        title: 't',
        axis: 'a',
        ridges: items.map(({ name, value }) => ({
          name,
          low: value,
          step: 0.1,
          density: [1, 5, 2],
          n: 8,
          median: value,
        })),
        reference: 0,
      },
    ];
    for (const chart of charts)
      for (const { units } of Object.values(columns)) {
        const drawing = draw(chart, units)!;
        assert.equal(drawing.width, units);
        for (const shape of drawing.shapes) {
          const xs = xsOf(shape);
          assert.ok(Math.min(...xs) >= -1 && Math.max(...xs) <= units + 1, JSON.stringify(shape));
        }
      }
    const luminance = (colour: string) => {
      const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
      return 0.299 * red + 0.587 * green + 0.114 * blue;
    };
    const [right, wrong, paper] = [printed.blue, printed.orange, printed.paper].map(luminance);
    assert.ok(wrong - right > 0.25 && paper - wrong > 0.2, String([right, wrong, paper]));
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
