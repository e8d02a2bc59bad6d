import assert from 'node:assert/strict';
import { markdownText } from '../../../../../src/base/text/markdown';
import type { Chart } from '../../../../../src/protocol/parts/chart';
import { roundedOut, ticksOf } from '../../../../../src/chart/ticks';
import { paperSvg } from '../../../../../webview/panel/charts/paper';
import { markdownOf } from '../../../../../webview/panel/charts/plotNumbers';
import { sentence } from '../../../../sentence';

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
  tied: true,
};
const points: Chart = {
  type: 'points',
  id: 'points',
  title: 'Points',
  x: { title: 'x' },
  y: { title: 'y' },
  isJudged: true,
  border: 'diagonal',
  of: 9,
  points: [
    { index: 0, x: 0.1, y: 0.3, right: true },
    { index: 1, x: 0.2, y: 0.1, right: false },
  ],
};

const versus: Chart = {
  type: 'versus',
  id: 'versus',
  title: 'A against B',
  x: { title: 'A' },
  y: { title: 'B' },
  of: 3,
  points: [
    { index: 0, x: 0.1, y: 0.3, side: 'both' },
    { index: 1, x: 0.2, y: -0.1, side: 'onlyFirst' },
    { index: 2, x: -0.2, y: 0.1 },
  ],
};

const attributes = (svg: string, tag: string, name: string) =>
  [...svg.matchAll(new RegExp(`<${tag}[^>]* ${name}="([^"]*)"`, 'g'))].map(([, value]) => value);

describe('charts for a paper', () => {
  it('are self-contained: sized in millimetres, with a common font, without theme, script or address', () => {
    for (const chart of [shares, histogram, points, versus]) {
      const svg = paperSvg(chart);
      assert.match(
        svg,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[\d. ]+" width="84mm" height="[\d.]+mm"/,
      );
      assert.match(svg, /font:12px Helvetica,Arial,"Liberation Sans",sans-serif/);
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
        /<rect class="(?:mark|wrong)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
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
      assert.ok(at >= 0 && at <= 408.2, String(at));
    // The right result is above the diagonal, and the wrong result is below it.
    const [dot] = paperSvg(points).matchAll(/<circle class="mark" cx="([\d.]+)" cy="([\d.]+)"/g);
    const [triangle] = paperSvg(points).matchAll(/<polygon class="wrong" points="([\d.]+),([\d.]+) /g);
    assert.ok(Number(dot[1]) < Number(triangle[1]) && Number(dot[2]) < Number(triangle[2]));
  });

  it('draw all rows behind those of a filter, to their own scale, and list both', () => {
    const filtered: Chart = { ...histogram, behind: [20, 30, 40] };
    const pale = [
      ...paperSvg(filtered).matchAll(/<rect class="none"[^>]* height="([\d.]+)" opacity="0\.20"/g),
    ];
    const heights = pale.map(([, height]) => Number(height));
    // The last one is in the legend.
    assert.equal(heights.length, 4);
    assert.ok(Math.abs(heights[2] / heights[0] - 2) < 0.01 && Math.abs(heights[1] / heights[0] - 1.5) < 0.01);
    const [, , heads, , first] = markdownOf(filtered).split('\n');
    assert.ok(heads.endsWith(`${markdownText(sentence('panel.withoutFilter'))} |`), heads);
    assert.match(first, /\| 0 \| 2 \| 20 \|$/);
  });

  it('have round numbers on their axes', () => {
    assert.deepEqual(ticksOf(0, 7).values, [0, 2, 4, 6]);
    assert.deepEqual(ticksOf(-0.02, 0.04).values, [-0.02, 0, 0.02, 0.04]);
    assert.deepEqual(roundedOut([0.31, 0.329]), [0.31, 0.33]);
    assert.deepEqual(roundedOut([0, 7]), [0, 8]);
    const [low, high] = roundedOut([0.5, 0.5]);
    assert.ok(low <= 0.5 && high > low);
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
