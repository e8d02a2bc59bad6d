import assert from 'node:assert/strict';
import type { Chart } from '../../../src/protocol/rows';
import { paperSvg, ticks } from '../../../webview/panel/charts/paper';
import { markdownOf } from '../../../webview/panel/charts/plotNumbers';

const hostile = '"><script>alert(1)</script>&|';
const shares: Chart = {
  type: 'shares',
  id: 'kind',
  title: hostile,
  facet: 'kind',
  chance: 0.5,
  values: [
    { value: hostile, n: 1200, share: 0.75, interval: [0.72, 0.78], metrics: [] },
    { value: 'nothing', n: 1, share: 0, metrics: [] },
  ],
};
const histogram: Chart = {
  type: 'histogram',
  id: 'delta',
  title: 'Lead',
  x: { title: 'lead' },
  edges: [-0.02, 0, 0.02, 0.04],
  series: [
    { verdict: 'right', counts: [0, 3, 1] },
    { verdict: 'wrong', counts: [2, 0, 0] },
  ],
};
const points: Chart = {
  type: 'points',
  id: 'points',
  title: 'Points',
  x: { title: 'x' },
  y: { title: 'y' },
  border: 'diagonal',
  of: 9,
  points: [
    { index: 0, x: 0.1, y: 0.3, right: true },
    { index: 1, x: 0.2, y: 0.1, right: false },
  ],
};

const attributes = (svg: string, tag: string, name: string) =>
  [...svg.matchAll(new RegExp(`<${tag}[^>]* ${name}="([^"]*)"`, 'g'))].map(([, value]) => value);

describe('charts for a paper', () => {
  it('are self-contained: sized in points, with a common font, without theme, script or address', () => {
    for (const chart of [shares, histogram, points]) {
      const svg = paperSvg(chart);
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="238pt" height="[\d.]+pt"/);
      assert.match(svg, /font-family="Helvetica, Arial, sans-serif" font-size="7"/);
      assert.doesNotMatch(svg, /var\(|NaN|Infinity|undefined|<script|onload|href/);
      assert.equal(svg.replace('http://www.w3.org/2000/svg', '').includes('://'), false);
      // Every opened element must be closed.
      const open: string[] = [];
      for (const [, close, tag, empty] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g))
        if (close !== '') assert.equal(open.pop(), tag);
        else if (empty === '') open.push(tag);
      assert.deepEqual(open, []);
    }
  });

  it('draw each number at its place inside the chart', () => {
    const svg = paperSvg(histogram);
    const bars = [
      ...svg.matchAll(
        /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(#2a6fb0|url\(#wrong\))"/g,
      ),
    ]
      .map(([, ...numbers]) => numbers)
      // The last two bars are in the legend.
      .slice(0, -2);
    assert.equal(bars.length, 3);
    const heights = bars.map(([, , , height]) => Number(height));
    const [wrong, three, one] = heights;
    assert.ok(Math.abs(wrong / one - 2) < 0.01 && Math.abs(three / one - 3) < 0.01, String(heights));
    for (const at of [...attributes(svg, 'rect', 'x'), ...attributes(svg, 'text', 'x')].map(Number))
      assert.ok(at >= 0 && at <= 238, String(at));
    // Points above or to the left of the diagonal are right.
    const [dot] = paperSvg(points).matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g);
    const [triangle] = paperSvg(points).matchAll(/<path d="M([\d.]+) ([\d.]+)l/g);
    assert.ok(Number(dot[1]) < Number(triangle[1]) && Number(dot[2]) < Number(triangle[2]));
  });

  it('have round numbers on their axes', () => {
    assert.deepEqual(ticks(0, 7), [0, 2, 4, 6, 8]);
    assert.deepEqual(ticks(-0.02, 0.04, true), [-0.02, 0, 0.02, 0.04]);
    assert.deepEqual(ticks(0.31, 0.33), [0.31, 0.315, 0.32, 0.325, 0.33]);
    const same = ticks(0.5, 0.5);
    assert.ok(same[0] <= 0.5 && same.at(-1)! > same[0]);
  });

  it('give their numbers as a Markdown table', () => {
    const text = markdownOf(shares);
    assert.match(text, /^\| nothing \| 0\.0 % \| {2}\| 1 \|$/m);
    assert.doesNotMatch(text, /(?<!\\)<script/);
    // No character in a cell may end the cell.
    for (const line of text.split('\n').filter((row) => row.startsWith('| ')))
      assert.equal(line.replaceAll('\\|', '').split('|').length, 6);
    assert.equal(markdownOf(histogram).trimEnd().split('\n').length, 4 + 3);
  });
});
