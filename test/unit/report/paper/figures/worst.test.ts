import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../../../../src/probe/metric';
import type { ImageSource } from '../../../../../src/report/imageSource';
import type { Entry } from '../../../../../src/report/paper/entry';
import { worstSheet } from '../../../../../src/report/paper/figures/worst';
import { readReport } from '../../../../../src/report/report';
import { sentence } from '../../../../sentence';
import { reportOf, writeReport } from '../../reportOf';

describe('the sheet of the worst examples', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-worst-'))));
  afterEach(() => rm(folder, { recursive: true }));

  /** The frames of these rows, and the names of the images that they ask for. */
  async function sheetOf(probe: string, rows: readonly object[]) {
    const report = reportOf({ probe, rows: `${probe}.rows.jsonl` });
    const path = await writeReport(folder, report, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const asked: Row['image'][] = [];
    const images: Pick<ImageSource, 'image' | 'attributions'> = {
      image({ row }) {
        asked.push(row.image);
        return Promise.resolve({ width: 1, height: 1, type: 'image/jpeg', bytes: new Uint8Array() });
      },
      attributions: (_, names) => Promise.resolve(new Map([...names].map((name) => [name, `by ${name}`]))),
    };
    const entry = { path, report: await readReport(path), evaluator: 'Tiny', dataset: 'd' } as Entry;
    const { frames } = await worstSheet(entry, images as ImageSource);
    return { frames, asked };
  }

  it('has the image, the texts and the score of one comparison of two images', async () => {
    const row = { example: 'e', row: 0, image: 'a.jpg', captions: ['a', 'b'], images: ['a.jpg', 'b.jpg'] };
    const scores = { c0i0: 0.75, c1i0: 0.25, c0i1: 0.5, c1i1: 0.25 };
    const { frames, asked } = await sheetOf('winoground', [
      { ...row, ...scores, right: { text: false, image: false, group: false } },
    ]);
    // Of the leads .5, −.25, .25 and 0, the second decides: of b over a with b.jpg.
    assert.deepEqual(asked, ['b.jpg']);
    assert.equal(frames[0].attribution, 'by b.jpg');
    assert.deepEqual(frames[0].captions, [
      { label: sentence('rococo.ownCaption'), text: 'b', score: 0.25 },
      { label: sentence('winoground.otherOfPair'), text: 'a' },
    ]);
  });

  it('has no edit that the rate of exploit does not count', async () => {
    const rowOf = (image: string, ...edits: [family: string, delta: number][]) => ({
      ...{ example: image, row: 0, image, caption: 0, field: 'caption', text: 'a red dog', words: 3 },
      ...{ score: 0.5, omitted: [] },
      edits: edits.map(([family, delta]) => ({
        ...{ family, kind: 'noun', text: family, score: 0.5 + delta, delta },
        ...{ span: [0, 1], was: [0, 0] },
      })),
    });
    const { frames } = await sheetOf('exploit', [
      rowOf('a.jpg', ['drop', 0.4], ['repeat', 0.1]),
      rowOf('b.jpg', ['drop', 0.3], ['repeat', -0.1]),
    ]);
    assert.deepEqual(
      frames.map(({ captions }) => captions.map(({ text }) => text)),
      [['a red dog', 'repeat']],
    );
  });
});
