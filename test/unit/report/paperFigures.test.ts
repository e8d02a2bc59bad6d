import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { figureChoice, mostFigures } from '../../../src/report/paper/figures/choose';
import { writePaper } from '../../../src/report/paper/paper';
import type { ImageSource } from '../../../src/report/imageSource';
import { paperReport, vislaRows } from './paperReports';

const noImages: ImageSource = {
  image: () => Promise.resolve(undefined),
  file: () => Promise.resolve(undefined),
  attributions: () => Promise.resolve(new Map([['cat.jpg', 'Jane, CC BY']])),
};

/** An LGIP row of a caption with one flip. */
function flipRow(i: number, caption: number, flip: number): object {
  const text = `A cat sits on sofa ${i}.`;
  const flipped = `A person sits on sofa ${i}.`;
  return {
    ...{ example: `e${i}`, row: i, image: i === 1 ? 'cat.jpg' : `${i}.jpg`, caption: 0, field: 'caption' },
    ...{ text, words: 5, outcome: 'perturbed', score: caption },
    variants: [
      {
        ...{ text: flipped, family: 'flip', kind: 'object', rule: 'object', score: flip },
        ...{ delta: flip - caption, gap: caption - flip, span: [2, 8], was: [2, 5] },
      },
    ],
  };
}

describe('figures of a paper', () => {
  let folder: string;
  let reports: string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-figures-'));
    reports = [];
    for (const probe of ['lgip', 'visla', 'invariance'])
      for (const [i, evaluator] of ['ann', 'bo'].entries()) {
        const rows =
          probe === 'visla'
            ? vislaRows(Array.from({ length: 40 }, (_, j) => (j * 7) % 40 < 30 - 10 * i))
            : probe === 'lgip'
              ? [
                  flipRow(0, 0.3, 0.2),
                  flipRow(1, 0.3, i === 0 ? 0.1 : 0.5),
                  flipRow(2, 0.3, i === 0 ? 0.31 : 0.2),
                ]
                  .map((row) => `${JSON.stringify(row)}\n`)
                  .join('')
              : '';
        reports.push(await paperReport(folder, { probe, dataset: 'figures', evaluator, shift: 5 * i, rows }));
      }
  });
  after(() => rm(folder, { recursive: true }));

  const written = async (
    figures: string | undefined,
    more: { images?: ImageSource; onLeftOut?: (names: readonly string[]) => void } = {},
  ) =>
    (
      await writePaper({
        ...{ reports, layout: 'auto', to: 'svg', spread: 'ci', out: join(folder, 'out') },
        figures: figureChoice(figures),
        ...more,
      })
    ).map((file) => basename(file, '.svg'));

  it('are at most eight by default, the most important kinds first', async () => {
    let leftOut: readonly string[] = [];
    const some = await written(undefined, { onLeftOut: (names) => (leftOut = names) });
    const all = await written('all');
    assert.equal(some.length, mostFigures);
    assert.ok(all.length > 2 * mostFigures, String(all.length));
    assert.ok(some.every((name) => all.includes(name)));
    // One forest of the leading metric for each probe comes first, then each probe's first comparison.
    assert.deepEqual(some, [
      ...['lgip.pr.forest', 'visla.t2t.forest', 'invariance.comparison1', 'visla.distances'],
      ...['lgip.ann.changes', 'lgip.bo.changes', 'visla.t2t.ranks', 'lgip.pr.object.forest'],
    ]);
    assert.ok(leftOut.length > 0 && leftOut.every((name) => !some.includes(name)));
  });

  it('can be chosen by kind and by name, or left out', async () => {
    assert.deepEqual(await written('none'), []);
    assert.deepEqual((await written('distances, lgip.pr.object.forest')).sort(), [
      'lgip.pr.object.forest',
      'visla.distances',
    ]);
    const forests = await written('forest');
    assert.ok(forests.includes('lgip.pr.forest') && forests.includes('lgip.pr.object.forest'));
    assert.ok(forests.every((name) => name.endsWith('.forest')));
    await assert.rejects(written('main,pie'), (error: { kind?: string; message: string }) => {
      assert.equal(error.kind, 'usage');
      assert.match(error.message, /pie/);
      return true;
    });
  });

  it('have the flips that the evaluators of LGIP dispute, with images and both scores', async () => {
    assert.deepEqual(await written('examples', { images: noImages }), ['lgip.examples']);
    const svg = await readFile(join(folder, 'out', 'lgip.examples.svg'), 'utf8');
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    // The clearest first: evaluator ann catches the flip of row 1 by more than it misses that of row 2.
    const captions = texts.filter((text) => text.startsWith('caption: '));
    assert.deepEqual(captions, ['caption: A cat sits on sofa 1.', 'caption: A cat sits on sofa 2.']);
    assert.ok(texts.includes('ann: 0.300, flip 0.100'));
    assert.match(texts.join(' '), /bo: 0\.300, flip 0\.500 \(prefers the flip\)/);
    assert.match(texts.join(' '), /cat → person.*Jane, CC BY/);
    await assert.rejects(written('examples'), /no figure/);
  });
});
