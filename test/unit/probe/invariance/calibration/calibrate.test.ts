import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atOnce } from '../../../../../src/base/turns/steps';
import { CaptiousError } from '../../../../../src/base/errors';
import { calibrated } from '../../../../../src/evaluator/calibrated';
import { correctionOf, estimators, type Standing } from '../../../../../src/evaluator/calibration';
import type { Evaluator } from '../../../../../src/evaluator/evaluator';
import { openEvaluatorFile } from '../../../../../src/evaluator/evaluatorFile';
import type { Want } from '../../../../../src/protocol/item';
import { calibrate, chosenOf } from '../../../../../src/probe/invariance/calibration/calibrate';
import { keyOfRow } from '../../../../../src/probe/invariance/calibration/part';
import type { CalibrateOptions } from '../../../../../src/probe/invariance/calibration/calibration';
import { invariance } from '../../../../../src/probe/invariance/invariance';
import { type InvarianceRow, transformsOf } from '../../../../../src/probe/invariance/row';
import { riskBetween } from '../../../../../src/probe/invariance/systems';
import { invarianceRows } from '../../../../../src/probe/invariance/view';
import { box, drive, example, instancesOf, madeUpScore } from '../drive';

const ids = Array.from({ length: 40 }, (_, i) => `p${i}`);
const instances = instancesOf(
  Object.fromEntries(ids.map((id, i) => [id, [box(i % 2 === 0 ? 'dog' : 'chair', 40, 30, 14, 12)]])),
);
const examples = ids.map((id) => example(id));

/** A vertical flip lowers these scores by about 0.1. Other changes have little effect. */
function tilted(want: Want): number {
  const flipped = want.left.kind === 'image' && want.left.transforms.some(({ op }) => op === 'vflip');
  return 0.5 + 0.02 * madeUpScore(want) - (flipped ? 0.1 : 0);
}

const rows = drive(examples, instances, { score: tilted }).rows;
const options: CalibrateOptions = {
  estimator: 'signed',
  weights: 'uniform',
  epsilon: 0.01,
  dev: 0.5,
  seed: 42,
};

describe('the correction of a score', () => {
  const standing = (more: Partial<Standing>): Standing => ({
    weight: 1,
    shift: 0.1,
    variant: false,
    score: 0.5,
    others: [],
    ...more,
  });

  it("follows each estimator's definition", () => {
    const original = standing({ score: 0.5, others: [0.4, 0.7, 0.8] });
    const variant = standing({ score: 0.4, others: [0.5, 0.7, 0.8], variant: true, weight: 2 });
    const near = (value: number, expected: number) =>
      assert.ok(Math.abs(value - expected) < 1e-12, `${value}`);
    near(correctionOf('literal', [original]), 0.2);
    near(correctionOf('literal', [variant]), 2 * 0.3);
    near(correctionOf('signed', [original]), 0);
    near(correctionOf('signed', [variant]), 0.2);
    near(correctionOf('shrink', [original]), 0.5 - 0.6);
    near(correctionOf('shrink', [variant]), 2 * (0.4 - 0.6));
    near(correctionOf('shrink', [original, variant]), 0.5 - 0.6 + 2 * (0.4 - 0.6));
    for (const estimator of ['literal', 'shrink'] as const) near(correctionOf(estimator, [standing({})]), 0);
  });

  it('has no effect on a family of one with the literal estimator, which moves both ends equally', () => {
    const ends = [
      standing({ score: 0.5, others: [0.4] }),
      standing({ score: 0.4, others: [0.5], variant: true }),
    ];
    const [a, b] = ends.map((end) => correctionOf('literal', [end]));
    assert.ok(Math.abs(a - b) < 1e-15);
  });
});

describe('fitting a calibration', () => {
  it('removes a systematic shift, also on held-out images', () => {
    const { lambda, heldOut, dev, words } = atOnce(calibrate(rows, [], options));
    assert.ok(dev.images > 10 && heldOut.images > 10 && dev.images + heldOut.images === 40);
    assert.ok(lambda > 0.8);
    const vflip = heldOut.families.find(({ family }) => family === 'vflip');
    assert.ok(vflip !== undefined && vflip.before > 0.09 && vflip.after < 0.02, JSON.stringify(vflip));
    assert.ok(words.some((localized) => /lowers total sensitivity on held-out images/.test(localized)));
    assert.ok(words.some((localized) => /No reference evaluator/.test(localized)));
  });

  it('never chooses a correction without an effect on plain files by default, and says so', () => {
    const fits = estimators.map((estimator) => atOnce(calibrate(rows, [], { ...options, estimator })));
    const signed = fits.find((fit) => fit.options.estimator === 'signed')!;
    // However low its sensitivity on images that Captious changed itself.
    signed.dev.total.after = -1;
    assert.notEqual(chosenOf(fits), signed);
    assert.equal(chosenOf(fits, 'signed'), signed);
    const names = fits.filter(({ words }) => words.some((text) => text.includes('never chosen by default')));
    assert.deepEqual(
      names.map(({ options: { estimator } }) => estimator),
      ['signed'],
    );
  });

  it('says in words if it does not help', () => {
    const noise = drive(examples, instances, { score: madeUpScore }).rows;
    for (const estimator of estimators) {
      const { lambda, heldOut, words } = atOnce(calibrate(noise, [], { ...options, estimator }));
      const helps = heldOut.total.after < heldOut.total.before;
      const said = words.join(' ');
      if (lambda === 0) assert.match(said, /scores stay as they are/);
      else assert.equal(/does NOT lower/.test(said), !helps, said);
    }
    const literal = atOnce(calibrate(rows, [], { ...options, estimator: 'literal' }));
    const vflip = literal.heldOut.families.find(({ family }) => family === 'vflip');
    assert.ok(Math.abs(vflip!.after - vflip!.before) < 1e-12, 'a family of one stays as it is');
  });

  it('claims lower sensitivity only if the interval of the difference is below zero', () => {
    const claimed = new Set<boolean>();
    for (const score of [tilted, madeUpScore]) {
      const audited = drive(examples, instances, { score }).rows;
      for (const estimator of estimators) {
        const { lambda, heldOut, words } = atOnce(
          calibrate(audited, [], { ...options, estimator, width: 2 }),
        );
        if (lambda === 0) continue;
        const { ci, before, after } = heldOut.total;
        assert.ok(ci !== undefined && ci[0] <= after - before && after - before <= ci[1]);
        const said = words.join(' ');
        assert.equal(/ lowers total sensitivity on held-out images /.test(said), ci[1] < 0, said);
        claimed.add(ci[1] < 0);
      }
    }
    assert.equal(claimed.size, 2, 'both happen');
  });

  it('chooses the smallest λ with the least sensitivity that keeps the agreement', () => {
    // The reference orders items like the raw scores, so any other order is a loss.
    const own = {
      name: 'self',
      scores: new Map(
        rows.flatMap((row) => (row.score === null ? [] : [[keyOfRow(row), row.score] as const])),
      ),
    };
    const free = atOnce(calibrate(rows, [], { ...options, estimator: 'shrink' }));
    const held = atOnce(calibrate(rows, [own], { ...options, estimator: 'shrink', epsilon: 0 }));
    assert.equal(held.lambda, 0);
    assert.ok(free.lambda > 0);
    for (const fit of [free, held]) {
      const allowed = fit.sweep.filter((one) => one.allowed);
      const least = Math.min(...allowed.map(({ total }) => total));
      assert.equal(fit.lambda, allowed.find(({ total }) => total <= least * (1 + 1e-12))?.lambda);
    }
    assert.equal(held.dev.agreement[0].before, 1);
  });

  it('includes words and moved objects if the orbits come from the rows', () => {
    const fit = (more: Partial<CalibrateOptions>) =>
      atOnce(calibrate(rows, [], { ...options, estimator: 'shrink', epsilon: 1, ...more }));
    const saved = fit({});
    const all = fit({ orbits: 'rows' });
    const after = (fitted: typeof all, family: string) =>
      fitted.heldOut.families.find((one) => one.family === family)!;
    // With λ = 1, each member of an orbit (an item and its variants) has the orbit's median.
    assert.equal(all.lambda, 1);
    for (const { family, before, after: left } of all.heldOut.families) {
      assert.ok(before > 0, family);
      assert.ok(left < 1e-12, `${family} ${left}`);
    }
    for (const family of ['cultural', 'reposition'])
      assert.ok(Math.abs(after(saved, family).after) > 1e-3, family);
    assert.match(all.words.join(), /cannot be saved as an evaluator/);
  });

  it('measures intervals, flip risks and the best λ by family on request', () => {
    const fit = atOnce(calibrate(rows, [], { ...options, width: 1, orbits: 'rows', byFamily: true }));
    assert.deepEqual(
      fit.familyRrf?.map(({ family }) => family),
      fit.heldOut.families.map(({ family }) => family),
    );
    for (const { family, before, after, beforeCi, afterCi } of fit.heldOut.families) {
      assert.ok(beforeCi && beforeCi[0] <= before && before <= beforeCi[1], family);
      assert.ok(afterCi && afterCi[0] <= after && after <= afterCi[1], family);
    }
    const flipped = fit.familyRrf.find(({ family }) => family === 'vflip')!;
    assert.equal(flipped.before.id, 'invariance.spatial.vflip.rrf@0.7');
    assert.ok(flipped.before.ci !== undefined);
    assert.ok(fit.oracle !== undefined && fit.oracle.total <= fit.heldOut.total.after + 1e-12);
    const plain = atOnce(calibrate(rows, [], { ...options, orbits: 'rows' }));
    assert.equal(plain.familyRrf, undefined);
    assert.equal(plain.heldOut.total.after, fit.heldOut.total.after);
  });

  it('subtracts another quantile of the changes with the literal estimator', () => {
    const original: Standing = { weight: 1, shift: 0, variant: false, score: 0, others: [0.1, 0.2, 0.4] };
    assert.equal(correctionOf('literal', [original]), 0.2);
    assert.ok(Math.abs(correctionOf('literal', [original], 0.75) - 0.3) < 1e-12);
  });

  it('weighs families by their sensitivity on request', () => {
    const { families } = atOnce(calibrate(rows, [], { ...options, weights: 'sensitivity' }));
    const weight = (name: string) => families.find((family) => family.name === name)?.weight ?? NaN;
    assert.ok(weight('vflip') > 3 && weight('hflip') < 1);
  });
});

describe('a calibrated evaluator', () => {
  const inner: Evaluator = {
    info: {
      id: 'inner',
      name: 'Inner',
      kind: 'dual-encoder',
      sha256: 'abc',
      scores: ['image-text'],
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'cosine' },
      prefix: '',
      notes: [],
    },
    close: () => Promise.resolve(),
  };
  const image = (row: InvarianceRow) => {
    const name = `photos/${row.example}.jpg`;
    return { kind: 'image' as const, source: { name, path: name }, transforms: [] };
  };

  for (const estimator of estimators) {
    it(`gives exactly the differences predicted from the rows (${estimator})`, () => {
      const fit = atOnce(calibrate(rows, [], { ...options, estimator }));
      const { derived } = calibrated(
        inner,
        { encoder: 'inner', estimator, lambda: fit.lambda, families: fit.families },
        { id: 'x', name: 'x', path: 'x' },
      );
      assert.ok(derived !== undefined);
      const score = (want: Want) => derived.combine(want, derived.expand(want).map(tilted));
      const bySplit = new Map<string, number[]>();
      for (const row of rows) {
        if (row.score === null) continue;
        const text = { kind: 'text' as const, text: row.text };
        const before = score({ left: image(row), right: text });
        for (const variant of row.variants.filter(({ axis }) => axis === 'spatial')) {
          const left = { ...image(row), transforms: transformsOf(row, variant) };
          const list = bySplit.get(variant.family) ?? [];
          list.push(Math.abs(score({ left, right: text }) - before));
          bySplit.set(variant.family, list);
        }
      }
      // The median over all pairs is between the medians of the dev part and the held-out part.
      for (const { family, after } of fit.heldOut.families) {
        const list = bySplit.get(family);
        if (list === undefined) continue;
        const other = fit.dev.families.find((one) => one.family === family)!.after;
        const middle = [...list].sort((a, b) => a - b)[list.length >> 1];
        const slack = 1e-3;
        assert.ok(
          middle >= Math.min(after, other) - slack && middle <= Math.max(after, other) + slack,
          `${family}: ${middle}, ${after}, ${other}`,
        );
      }
    });
  }

  it('subtracts a signed shift from captions with its words, whole words only', () => {
    const file = {
      encoder: 'inner',
      estimator: 'signed' as const,
      lambda: 0.5,
      families: [{ name: 'economic', weight: 1, shift: -0.2, words: ['cheap'] }],
    };
    const { derived } = calibrated(inner, file, { id: 'x', name: 'x', path: 'x' });
    const say = (text: string) => {
      const want: Want = { left: image(rows[0]), right: { kind: 'text', text } };
      assert.deepEqual(derived!.expand(want), [want]);
      return derived!.combine(want, [0.5]);
    };
    assert.equal(say('There is a cheap car.'), 0.5 + 0.1);
    assert.equal(say('There is a cheaper car.'), 0.5);
  });

  it('opens from a file, even with a family unknown to the code, and rejects a broken one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-calibrated-'));
    try {
      const path = join(folder, 'steadier.evaluator.json');
      const file = {
        kind: 'calibrated',
        encoder: 'inner',
        estimator: 'shrink',
        lambda: 1,
        families: [
          {
            name: 'slight turns',
            weight: 1,
            shift: 0,
            transforms: [
              { op: 'rotate', degrees: 2 },
              { op: 'rotate', degrees: -2 },
            ],
          },
        ],
      };
      const open = (value: object) => {
        writeFileSync(path, JSON.stringify(value));
        return openEvaluatorFile(path, {
          open: () => Promise.resolve(inner),
          openFolder: () => assert.fail('no folder is named'),
          openPython: () => assert.fail('nothing is written in Python'),
          home: folder,
          secret: () => undefined,
          references: () => assert.fail('no references'),
        });
      };
      const { derived, info } = await open(file);
      assert.equal(info.id, 'steadier');
      const want: Want = { left: image(rows[0]), right: { kind: 'text', text: 'a dog' } };
      assert.equal(derived!.expand(want).length, 4);
      assert.ok(Math.abs(derived!.combine(want, [0.5, 0.5, 0.6, 0.9]) - 0.6) < 1e-12, 'the orbit’s median');
      await assert.rejects(open({ ...file, lambda: 2 }), CaptiousError);
      await assert.rejects(
        open({ ...file, families: [{ name: 'x', weight: 1, shift: 0, transforms: [{ op: 'melt' }] }] }),
        CaptiousError,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('two systems', () => {
  const risky = (...systems: Parameters<typeof riskBetween>) => {
    const risk = atOnce(riskBetween(...systems));
    assert.ok(risk !== undefined);
    return risk;
  };
  const system = (offset: number, flipPenalty: number): InvarianceRow[] =>
    drive(
      ids.map((id) => example(id, [`${id} says`])),
      undefined,
      {
        options: { societal: false },
        score: (want) => {
          const op = want.left.kind === 'image' ? want.left.transforms[0]?.op : undefined;
          const { name } = (want.left as { source: { name: string } }).source;
          return (
            0.5 + 0.001 * ids.indexOf(/p\d+/.exec(name)![0]) + offset - (op === 'vflip' ? flipPenalty : 0)
          );
        },
      },
    ).rows;

  it('swap ranks exactly if a transform changes the sign of their difference', () => {
    const risk = risky(system(0.01, 0.05), system(0, 0));
    assert.equal(risk.images, 40);
    assert.equal(risk.pairs, 40 * 8);
    assert.ok(Math.abs(risk.value - 1 / 8) < 1e-12);
    assert.deepEqual(
      risk.byTransform.filter(({ overtakes }) => overtakes).map(({ transform }) => transform),
      ['vflip'],
    );
    assert.match(risk.words, /reverses with: vflip\. Do not rank/);
  });

  it('keep their ranks if no sign changes, and say so; a tie is no lead', () => {
    assert.match(risky(system(0.01, 0), system(0, 0)).words, /stays the same with all 8 transforms/);
    const tie = risky(system(0, 0), system(0, 0));
    assert.equal(tie.value, 0);
    assert.equal(tie.ties, 40);
    assert.match(tie.words, /does not rank them/);
    assert.equal(atOnce(riskBetween(system(0, 0), [])), undefined);
    // A is better by .01 on even images, and worse by slightly less on odd images.
    const even = system(0.01, 0).map((row, i) => (i % 2 === 0 ? row : system(-0.0099, 0)[i]));
    const undecided = risky(even, system(0, 0));
    assert.ok(undecided.gap > 0 && undecided.gapCi![0] < 0 && undecided.gapCi![1] > 0);
    assert.match(undecided.words, /which is not significant on 40 images\. Do not rank/);
  });

  it('compare a transform that only some images have with the same images unchanged', () => {
    // B leads on the ten rotated images. A leads on the others and on average.
    const ahead = system(0.01, 0).map((row, i) => (i < 10 ? system(-0.01, 0)[i] : row));
    const some = ahead.map((row, i) =>
      i < 10 ? row : { ...row, variants: row.variants.filter(({ family }) => family !== 'rotation') },
    );
    const risk = risky(some, system(0, 0));
    assert.ok(risk.gap > 0);
    const turned = risk.byTransform.find(({ transform }) => transform === 'rotation +5');
    assert.ok(turned !== undefined && turned.n === 10 && turned.before < 0 && turned.gap < 0);
    assert.equal(turned.overtakes, false);
  });

  it('swap ranks if a replaced word changes the sign of their difference; a caption without it stays', () => {
    const boy = (score: number, neutral: number): InvarianceRow['variants'] => [
      {
        axis: 'societal',
        family: 'gender',
        variant: 'boy',
        natural: 'neutralised',
        text: 'a boy',
        againstText: 'a kid',
        against: neutral,
        score,
        delta: score - neutral,
        change: null,
      },
    ];
    const [plain, ahead] = [system(0, 0), system(0.01, 0)];
    const says = (rows: InvarianceRow[], at: number, drop: number) =>
      rows.map((row, i) =>
        i === at ? { ...row, variants: [...row.variants, ...boy(row.score!, row.score! - drop)] } : row,
      );
    const risk = risky(says(says(ahead, 0, 0.02), 1, 0.005), says(plain, 2, 0.5));
    assert.deepEqual([risk.wording!.pairs, risk.wording!.value], [3, 1 / 3]);
    assert.equal(risk.pairs, 40 * 8, 'words are counted apart from images');
    const both = risky(says(ahead, 0, 0.02), says(plain, 0, 0.02));
    assert.deepEqual([both.wording!.pairs, both.wording!.value], [1, 0]);
    assert.equal(
      both.byTransform.find(({ axis }) => axis === 'societal')!.transform,
      'gender boy, neutralised',
    );
  });

  it('do not swap ranks by a gender word’s counterpart, which is false of the image', () => {
    const swapped = (family: string): InvarianceRow['variants'][number] => ({
      ...{
        axis: 'societal',
        family,
        variant: 'man',
        natural: 'swapped',
        text: 'a woman',
        againstText: 'a man',
      },
      ...{ against: 0.2, score: 0.1, delta: -0.1, change: -50 },
    });
    const withSwap = (family: string) =>
      system(0.01, 0).map((row) => ({ ...row, variants: [...row.variants, swapped(family)] }));
    assert.equal(risky(withSwap('gender'), system(0, 0)).wording, undefined);
    assert.equal(risky(withSwap('economic'), system(0, 0)).wording!.pairs, 40);
    const [row] = withSwap('gender').map((one) => ({ ...one, variants: one.variants.slice(-1) }));
    assert.deepEqual(invariance.faults(row), []);
    assert.equal(invarianceRows.mark!(row).unstable, undefined);
    const [cheap] = withSwap('economic').map((one) => ({ ...one, variants: one.variants.slice(-1) }));
    assert.equal(invariance.faults(cheap).length, 1);
  });

  it('are compared only after the same move of an object', () => {
    const moved = (rows: InvarianceRow[], dx: number): InvarianceRow[] =>
      rows.map((row) => ({
        ...row,
        variants: row.variants.map((variant) => ({
          ...variant,
          family: 'reposition',
          transform: { op: 'move' as const, dx, dy: 0, tries: 1, fill: 'none' as const, feather: 0 },
        })),
      }));
    assert.equal(atOnce(riskBetween(moved(system(0, 0), 0), moved(system(0, 0), 5))), undefined);
    assert.ok(atOnce(riskBetween(moved(system(0, 0), 5), moved(system(0, 0), 5))) !== undefined);
  });
});
