import assert from 'node:assert/strict';
import type { QueryRow } from '../../../src/probe/prsm/row';
import type { Row } from '../../../src/probe/metric';
import type { CaptionRow, ImageRow } from '../../../src/probe/rococo/row';
import type { VislaRow } from '../../../src/probe/visla/row';
import { chartsOf } from '../../../src/report/export/html';
import { reportOf } from './reportOf';
import { saying, sentence } from '../../sentence';

async function* stream(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

const drawn = async (probe: string, rows: readonly Row[], metrics = reportOf().metrics): Promise<string> =>
  (await chartsOf(reportOf({ probe, metrics }), stream(rows))).join('\n');
const about = (i: number) => ({ example: String(i), row: i, image: `${i}.jpg` });

describe('charts of a probe', () => {
  it('VISLA: distances, margins, and failures by setting', async () => {
    const row = (i: number, seen: boolean, read: boolean): VislaRow => ({
      ...about(i),
      ...{ p1: `first ${i}`, p2: `second ${i}`, n: `<b>wrong ${i}`, swapped: false },
      characters: { p1p2: 30, p1n: 4, p2n: 31 },
      words: { p1p2: 5, p1n: 1, p2n: 5 },
      t2t: { p1p2: 0.5, p1n: read ? 0.25 : 0.75, p2n: 0.25, right: read, tie: false },
      i2t: { p1: 0.5, p2: 0.5, n: seen ? 0.25 : 0.75, right: seen, tie: false },
    });
    const page = await drawn('visla', [row(0, true, true), row(1, false, true), row(2, true, false)]);
    for (const title of [
      sentence('visla.distancesChart', '3'),
      `${sentence('visla.captionsMarginChart')} (3)`,
    ])
      assert.ok(page.includes(title), title);
    const [, failing, onlySeen] = page.split('<h3>');
    for (const [part, title, text] of [
      [failing, 'visla.wrongOrTiedTable', 'first 1'],
      [onlySeen, 'visla.rightOnlySeenTable', 'first 2'],
    ] as const)
      assert.ok(part.startsWith(`${sentence(title)} (1)`) && part.includes(text), part);
    assert.doesNotMatch(page, /<b>|first 0/);
  });

  it('RoCOCO: the chart of the chosen words says "word" once', async () => {
    const share = (word: string) => ({ id: 'rococo.chosen', value: 0.5, n: 4, slice: { word } });
    const page = await drawn('rococo', [], [share('dog'), share('cat')]);
    assert.ok(page.includes(sentence('export.metricBySlice', sentence('rococo.choiceShare'), 'word')));
    assert.doesNotMatch(page, saying('rococo.chosenWord'));
  });

  it('RoCOCO: words by influence, the long tail, agreement, and important image regions', async () => {
    const caption = (i: number, chosen: number, votes: number): CaptionRow => ({
      ...about(i),
      kind: 'caption',
      caption: 'A dog & a <cat>.',
      words: [
        { start: 2, end: 5, text: 'dog', influence: 0.1 },
        { start: 11, end: 14, text: 'cat', influence: 0.05 },
      ],
      ...{ chosen, votes, voters: 2 },
      altered: [],
    });
    const image: ImageRow = {
      ...about(9),
      ...{ kind: 'image', caption: 'A dog.', score: 1, clean: { r1: 1 }, first: [], lists: [] },
      occlusion: Array.from({ length: 16 }, (_, i) => 1 - i / 100),
    };
    const page = await drawn('rococo', [caption(0, 1, 2), caption(1, 1, 1), caption(2, 0, 1), image]);
    assert.match(
      page,
      /A <span class="shade5">dog<sub>0\.100<\/sub><\/span> &amp; a &lt;<span class="shade3">cat<sub>0\.050<\/sub><\/span>&gt;\./,
    );
    assert.ok(page.includes(sentence('rococo.leastInfluentialNouns', 2, 3)));
    assert.match(page, /cat<\/text>.*0\.667 · 2/s);
    assert.match(page, /2 of 2 encoders<\/text>.*0\.333 · 1/s);
    assert.match(page, /9\.jpg: change of its embedding.*>0\.150</s);
  });

  it('PRSM: agreement of every two wordings, and results that entered or left', async () => {
    const row = (i: number, rho: number): QueryRow => ({
      ...about(i),
      kind: 'query',
      caption: `query ${i}`,
      wordings: ['o', 'c1', 'c2'].map((label) => ({ label, text: `${label} ${i}`, first: [] })),
      pairs: [
        { first: 'o', second: 'c1', rho, listwise: null, shared: { '2': 0.5, '9': 1 } },
        { first: 'c2', second: 'o', rho: null, listwise: null, shared: { '2': 1, '9': 1 } },
      ],
      moved: [{ label: 'c1', against: 'o', entered: ['in.jpg'], left: [] }],
      ...{ global: rho, listwise: null, local: { '2': 0.75, '9': 1 } },
    });
    const page = await drawn(
      'prsm',
      [row(0, 0.9), row(1, 0.5)],
      [{ id: 'prsm.local@9', value: 1, n: 2, moot: true }],
    );
    const [byRank, byTop] = page.split(/(?=<figure>)/);
    assert.ok(byRank.includes(sentence('prsm.agreementByPairChart')), byRank);
    assert.match(byRank, />0\.700</);
    assert.ok(byTop.includes(sentence('prsm.overlapByPairChart', 2)), byTop);
    assert.match(byTop, />0\.500<.*>1\.000</s);
    assert.ok(!page.includes(sentence('prsm.overlapByPairChart', 9)));
    const [, table] = page.split('<h3>');
    assert.ok(table.indexOf('query 1') < table.indexOf('query 0'));
    const moved = sentence('prsm.addedAndDropped', 'in.jpg', '–');
    assert.ok(table.includes(`c1</strong> c1 1<span class="quiet">${moved}`), table);
  });
});
