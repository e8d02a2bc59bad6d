import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Said } from '../../../src/base/say';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import { probeIds } from '../../../src/probe/list';
import { imagesPath } from '../evaluator/fixtures';
import { fakeScorer } from './fakeScorer';
import { audited, type Probe } from './patients';

const images = 24;

/** Scores from image and text. Unlike a table of scores, it is tested before the run. */
function scorer(id: string, score: (image: string, text: string) => number): Evaluator {
  return {
    ...fakeScorer(id),
    knowsImage: undefined,
    scorePairs: (pairs) =>
      Promise.resolve(
        pairs.map(({ image, text }) => ({ ok: true as const, value: score(image.source.name, text) })),
      ),
  };
}

const share = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32;

describe('an evaluator that gives every pair the same score', function () {
  this.timeout(240_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-constant-'));
    const bytes = await readFile(join(imagesPath, 'small.png'));
    for (let i = 0; i < images; i++)
      for (const name of [`${i}.jpg`, `${i} other.jpg`])
        await writeFile(join(folder, name), Buffer.concat([bytes, Buffer.from(name)]));
  });
  after(() => rm(folder, { recursive: true }));

  async function reportOf(probe: Probe, evaluator: Evaluator) {
    const [{ report }] = await audited(folder, probe, { images, evaluators: [evaluator] });
    const codes = report.claims.map(({ text, rule }) => [(text as Said).code, (rule as Said).code]);
    return { report, codes };
  }

  // The tests of scales plant it in two other probes. RoCOCO takes half a minute to choose words.
  for (const probe of probeIds.filter((id) => !['lgip', 'invariance', 'rococo'].includes(id)))
    it(`is named as such, and gets no other verdict: ${probe}`, async () => {
      const { report, codes } = await reportOf(
        probe,
        scorer('constant', () => 0.1),
      );
      assert.deepEqual(report.repeat, { pairs: 48, constant: true });
      const rule = report.spread === undefined ? 'probe.constantRepeat' : 'probe.constantSample';
      assert.deepEqual(codes, [['probe.constantScores', rule]]);
    });

  for (const probe of ['visla', 'choice', 'sugarcrepe', 'winoground', 'human'] as const)
    it(`is named by the ties of a table of scores: ${probe}`, async () => {
      const { report, codes } = await reportOf(probe, fakeScorer('table', { map: () => 0.1 }));
      assert.equal(report.repeat, undefined);
      assert.deepEqual(codes, [['probe.onlyTies', 'probe.onlyTiesSample']]);
    });

  it('is told from one that sees the image only, whose comparisons of captions are all ties', async () => {
    const imageOnly = scorer('image only', (image) => share(image));
    const { report, codes } = await reportOf('sugarcrepe', imageOnly);
    assert.deepEqual(report.repeat, { pairs: 48 });
    assert.deepEqual(codes, [['probe.onlyTies', 'probe.onlyTiesSample']]);
    // Two captions of one image tie, two images of one caption do not.
    assert.ok((await reportOf('winoground', imageOnly)).codes.every(([code]) => code !== 'probe.onlyTies'));
  });

  for (const probe of ['sugarcrepe', 'choice', 'prsm'] as const)
    it(`is told from a metric that scores mismatched pairs alike: ${probe}`, async () => {
      const numberIn = (text: string): string | undefined => /number (\d+)/i.exec(text)?.[1];
      const sharedWords = scorer('shared words', (image, text) =>
        numberIn(text) === /^\d+/.exec(image)![0] ? 0.5 + share(text) / 2 : 0,
      );
      const { report, codes } = await reportOf(probe, sharedWords);
      assert.ok(report.rowCount > 0);
      assert.ok(codes.every(([code]) => code !== 'probe.constantScores' && code !== 'probe.onlyTies'));
    });
});
