import assert from 'node:assert/strict';
import { explanationDrawing, signed } from '../../../src/chart/explanation';
import {
  explanationPage,
  explanationSvg,
  explanationTex,
  type ShownExplanation,
} from '../../../src/report/explanation/page';

const explained: ShownExplanation = {
  ...{
    evaluator: { name: 'Planted <1>' },
    dataset: 'a.jsonl',
    example: '1',
    line: 3,
    caption: 'A red & wet bus',
  },
  ...{ method: 'shapley', units: 'words', exact: false, permutations: 32, score: 0.75, base: 0.25, sum: 0.5 },
  words: [
    { word: 'A', start: 0, end: 1, influence: 0, without: 0.75, ci: [0, 0] },
    { word: 'red', start: 2, end: 5, influence: 0.75, without: 0.1, ci: [0.5, 1] },
    { word: 'wet', start: 8, end: 11, influence: -0.25, without: 0.9, ci: [-0.5, 0] },
    { word: 'bus', start: 12, end: 15, influence: null, without: null },
  ],
  grid: { rows: 4, columns: 4, fill: 'grey' },
  regions: Array.from({ length: 16 }, (_, cell) => ({
    ...{
      row: Math.floor(cell / 4),
      column: cell % 4,
      influence: cell === 5 ? 0.5 : cell === 6 ? -0.5 : null,
    },
    words: [0, cell === 5 ? 2 : 0, 0.1, null],
  })),
  budget: { pairs: 9, seed: 42 },
  change: {
    ...{ caption: 'A red & wet bus', other: 'A <b> bus', score: 0.75, otherScore: 0.5, difference: -0.25 },
    ...{ exact: true, changes: [{ from: 'red & wet', to: '<b>', influence: -0.25 }] },
  },
};

describe('the figure of an explanation', () => {
  it('says the direction without colour: by sign and by underline', () => {
    assert.deepEqual(
      [0.5, -0.5, 0, null].map((value) => signed(value)),
      ['+0.500', '−0.500', '0.000', '–'],
    );
    const { shapes } = explanationDrawing('t', explained.words, 300);
    const raises = shapes.filter((shape) => shape.is === 'line');
    const lowers = shapes.filter((shape) => shape.is === 'path');
    // "A" has no influence and "bus" none that is known.
    assert.equal(raises.length, 2);
    assert.equal(lowers.length, 1);
    assert.deepEqual(lowers[0].dash, [3, 3]);
  });

  it('shades the strongest word and region most', () => {
    const influences = [1, -2, null, 0];
    const { shapes } = explanationDrawing('t', [], 300, { rows: 2, columns: 2, influences });
    const boxes = shapes.flatMap((shape) => (shape.is === 'box' && shape.ink !== 'none' ? [shape] : []));
    assert.deepEqual(
      boxes.map(({ ink, opacity }) => [ink, opacity]),
      [
        ['mark', 0.375],
        ['wrong', 0.75],
      ],
    );
    // Only shades that are strong enough have a sign.
    assert.deepEqual(
      shapes.flatMap((shape) => (shape.is === 'text' && shape.anchor === 'middle' ? [shape.text] : [])),
      ['−'],
    );
  });

  it('stays within its width', () => {
    const words = Array.from({ length: 40 }, (_, i) => ({ word: `word${i}`, influence: i - 20 }));
    const { shapes, width } = explanationDrawing('t', words, 200);
    for (const shape of shapes) if (shape.is === 'box') assert.ok(shape.x + shape.wide <= width);
  });
});

describe('the page of an explanation', () => {
  it('has everything of the figure in tables, and escapes what it quotes', () => {
    const page = explanationPage('Why?', [{ explained }], []);
    assert.match(page, /<h2>A red &amp; wet bus<\/h2>/);
    assert.doesNotMatch(page, /<b>|Planted <1>/);
    assert.match(page, /<td>red<\/td><td[^>]*>\+0\.750?<\/td><td[^>]*>\[0\.5000, 1\.0000\]<\/td>/);
    assert.equal(page.match(/<summary>/g)?.length, 2);
    // Region 5 changes the word "red" most.
    assert.match(page, /<td>2<\/td><td>2<\/td><td[^>]*>\+0\.500<\/td><td>red \(\+2\.000\)<\/td>/);
    assert.match(page, /Changed to: A &lt;b&gt; bus/);
  });

  it('lists the objects that were hidden', () => {
    const objects = {
      ...{ fill: 'grey' as const, width: 10, height: 8, leftOut: 0 },
      found: [
        { name: 'dog <1>', box: [0, 0, 4, 4] as const, share: 0.2, influence: 0.5, words: [0, 2, 0, null] },
        { name: 'ball_2', box: [8, 0, 2, 2] as const, share: 0.05, influence: null, words: [0, 0, 0, null] },
      ],
    };
    const shown = { explained: { ...explained, objects } };
    const page = explanationPage('Why?', [shown], []);
    assert.match(page, /<td>dog &lt;1&gt;<\/td><td[^>]*>\+0\.500<\/td><td[^>]*>20\.0 %<\/td><td>red \(/);
    assert.match(explanationSvg(shown), /2\. ball_2/);
    assert.match(explanationTex(shown), /\\emph\{ball\\_2\} \(hidden\) & -- & \\\\/);
  });

  it('has a figure for a paper and a table for LaTeX', () => {
    assert.match(explanationSvg({ explained }), /^<svg xmlns.*<title>Influence on the score/);
    const table = explanationTex({ explained });
    assert.match(table, /A red \\& wet bus/);
    assert.match(table, /red & \$\+0\.750?\$ & \$\[0\.5000,\\,1\.0000\]\$ \\\\/);
    assert.match(table, /bus & -- & -- \\\\/);
  });
});
