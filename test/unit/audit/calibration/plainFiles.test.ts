import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { atOnce } from '../../../../src/base/turns/steps';
import {
  judgePlainCases,
  type PlainCase,
  rowsForFiles,
  withPlainFolder,
} from '../../../../src/audit/calibration/plainFiles';
import { estimators } from '../../../../src/evaluator/calibration';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { clusterOf } from '../../../../src/probe/metric';
import { calibrate, chosenOf, isForFitting } from '../../../../src/probe/invariance/calibration/calibrate';
import type { Calibration } from '../../../../src/probe/invariance/calibration/calibration';
import { plainWords } from '../../../../src/probe/invariance/calibration/calibrationWords';
import type { ImageItem, Want } from '../../../../src/protocol/item';
import { drive, example, instancesOf } from '../../probe/invariance/drive';

const ids = Array.from({ length: 40 }, (_, i) => `p${i}`);
const options = { weights: 'uniform', epsilon: 0.01, dev: 0.5, seed: 42 } as const;
const signal = new AbortController().signal;
const inner: Evaluator = {
  info: {
    ...{ id: 'inner', name: 'Inner', kind: 'dual-encoder', sha256: 'abc', precision: 'float32' },
    ...{ scores: ['image-text'], provider: 'cpu', scale: { name: 'cosine' }, prefix: '', notes: [] },
  },
  close: () => Promise.resolve(),
};

/** How often the content was turned upside down: before Captious read the file, and by Captious. */
function turns({ source, transforms }: ImageItem): [before: number, own: number] {
  return [source.name.split('|').length - 1, transforms.filter(({ op }) => op === 'vflip').length];
}

/** The loss of an image that was turned this often. Both lose 0.1 where Captious turns an original image. */
const losses = {
  /** Two turns give the original image, as with real images. */
  undone: (before: number, own: number): number => 0.1 * ((before + own) % 2),
  /** Each turn costs as much, so the orbit of a turned file is lower as a whole. */
  kept: (before: number, own: number): number => 0.1 * (before + own),
};

async function judged(loss: (before: number, own: number) => number): Promise<Calibration[]> {
  const score = ({ left }: Want): number => 0.5 - loss(...turns(left as ImageItem));
  const { rows } = drive(
    ids.map((id) => example(id, [`${id} says`])),
    instancesOf({}),
    { score, options: { captions: 'dataset' } },
  );
  const fits = estimators.map((estimator) => atOnce(calibrate(rows, [], { ...options, estimator })));
  const cases = rowsForFiles(rows, options, 12).map((row): PlainCase => {
    const right = { kind: 'text', text: row.text } as const;
    const file = (name: string): Want => ({
      left: { kind: 'image', source: { name, path: name }, transforms: [] },
      right,
    });
    const name = `${row.example}.jpg`;
    return { family: 'vflip', image: clusterOf(row), wants: [file(name), file(`${name}|turned`)] };
  });
  const found = await judgePlainCases(cases, fits, {
    inner,
    bench: {
      scores: ({ derived }, wants) =>
        Promise.resolve(
          wants.map((want) => ({
            ok: true,
            value:
              derived === undefined ? score(want) : derived.combine(want, derived.expand(want).map(score)),
          })),
        ),
    },
    signal,
  });
  for (const [i, plain] of found.entries()) fits[i].plain = plain;
  return fits;
}

describe('calibration of files that were changed before', () => {
  const of = (fits: readonly Calibration[], estimator: string) =>
    fits.find((fit) => fit.options.estimator === estimator)!;

  it('is measured with planted evaluators, and decides between the corrections', async () => {
    const [undone, kept] = await Promise.all([judged(losses.undone), judged(losses.kept)]);
    for (const estimator of estimators) {
      const [a, b] = [of(undone, estimator), of(kept, estimator)];
      assert.equal(a.lambda, b.lambda, 'the fit sees no difference');
      assert.deepEqual(a.heldOut, b.heldOut);
      for (const { plain } of [a, b]) assert.ok(plain?.dev.images === 12 && plain.heldOut.images === 12);
    }
    const near = (value: number, expected: number) =>
      assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);
    near(of(undone, 'shrink').plain!.heldOut.total.before, 0.1);
    near(of(undone, 'shrink').plain!.heldOut.total.after, 0);
    near(of(kept, 'shrink').plain!.heldOut.total.after, 0.1);
    for (const fits of [undone, kept]) {
      const signed = of(fits, 'signed');
      assert.ok(signed.lambda > 0 && signed.heldOut.total.after < signed.heldOut.total.before);
      near(signed.plain!.heldOut.total.after, 0.1);
    }
    assert.equal(chosenOf(undone).options.estimator, 'shrink');
    assert.equal(chosenOf(kept).options.estimator, 'literal');
    const said = (fit: Calibration): string => plainWords(fit, fit.plain!.heldOut);
    assert.match(said(of(undone, 'shrink')), / lowers .* as files/);
    assert.match(said(of(kept, 'shrink')), /does NOT lower .* as files/);
  });

  it('has other images for the choice than for the measurement', async () => {
    const fits = await judged(losses.undone);
    const [literal, shrink] = [of(fits, 'literal'), of(fits, 'shrink')];
    const total = { ...literal.plain!.heldOut.total, after: 0 };
    const better = {
      ...literal,
      plain: { ...literal.plain!, heldOut: { ...literal.plain!.heldOut, total } },
    };
    assert.equal(chosenOf([better, shrink]).options.estimator, 'shrink');
  });

  it('removes the files after an error', async () => {
    let made = '';
    const work = (folder: string): Promise<never> => {
      made = folder;
      assert.ok(existsSync(folder));
      return Promise.reject(new Error('cancelled'));
    };
    await assert.rejects(withPlainFolder(work));
    assert.ok(made !== '' && !existsSync(made));
  });

  it('uses as many images for fitting as held-out ones', () => {
    const { rows } = drive(
      ids.map((id) => example(id, [`${id} says`])),
      instancesOf({}),
      { score: () => 0.5, options: { captions: 'dataset' } },
    );
    const images = [...new Set(rowsForFiles(rows, options, 5).map(clusterOf))];
    assert.equal(images.length, 10);
    assert.equal(images.filter((image) => isForFitting(image, options)).length, 5);
    assert.equal(new Set(rowsForFiles(rows, options, 100).map(clusterOf)).size, ids.length);
  });
});
