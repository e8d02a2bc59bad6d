import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../src/base/turns/steps';
import { drawFrom } from '../../../src/sessions/draw';
import { LgipCorrection } from '../../../src/sessions/lgip/correct';
import { type LgipVerdict, mergeLgipChecks } from '../../../src/sessions/lgip/merge';
import { lgipId, LgipVariants } from '../../../src/sessions/lgip/variants';
import { lgipRowWithout, lgipSummaryOf } from '../../../src/sessions/lgip/without';
import { CheckSession } from '../../../src/sessions/check';
import { strataOf } from '../../../src/sessions/strata';
import type { LgipRow } from '../../../src/probe/lgip/row';
import type { Grade, Meaning } from '../../../src/protocol/judgement';

const rows = readFileSync(join(__dirname, '../../oracle/lgip/rows.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as LgipRow);
const options = { perFamily: 12, quotas: {}, seed: 42 };
const context = { options: {}, scores: ['image-text', 'text-text'] as const };
const origin = {
  ...{ report: 'lgip.a.report.json', probe: 'lgip' as const, rowsSha256: 'abc', dataset: 'a.json', seed: 42 },
};

function drawnFrom(of: readonly LgipRow[], strata?: 'frequency') {
  const variants = new LgipVariants(strata === undefined ? options : { ...options, strata });
  for (const row of of) variants.add(row);
  return variants.draw();
}

/** Labels for the variants that `take` accepts. `valid` chooses the label by the score gap and the family. */
function verdictsOf(valid: (gap: number, family: string) => boolean, take = () => true): LgipVerdict[] {
  return rows.flatMap((row) =>
    row.variants.filter(take).map((variant): LgipVerdict => {
      const { family, kind, delta } = variant;
      const verdict = { meaning: null, worse: false, judged: 1 };
      return { id: lgipId(row, variant), family, kind, ...verdict, valid: valid(-delta, family) };
    }),
  );
}

function correctionOf(verdicts: readonly LgipVerdict[]) {
  const correction = new LgipCorrection(verdicts, undefined);
  for (const row of rows) correction.add(row);
  return correction.finish();
}

describe('a sample of the variants of an LGIP report', () => {
  it('has captions of the same image, spread over the kinds of each family', () => {
    const { items } = drawnFrom(rows);
    assert.ok(items.every(({ original, changed }) => original.image === changed.image));
    assert.ok(items.every(({ original, changed }) => original.text !== changed.text));
    const kinds = (family: string) =>
      new Set(items.filter((one) => one.family === family).map(({ variant }) => variant));
    const all = (family: string) =>
      new Set(
        rows
          .flatMap(({ variants }) => variants)
          .filter((one) => one.family === family)
          .map(({ kind }) => kind),
      );
    for (const family of ['paraphrase', 'flip']) assert.deepEqual(kinds(family), all(family));
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
  });

  it('is the same for any order of calls, and says which families are too small', () => {
    assert.deepEqual(drawnFrom(rows), drawnFrom(rows));
    const { short, items } = drawnFrom(rows.slice(0, 1));
    const flips = rows[0].variants.filter(({ family }) => family === 'flip').length;
    assert.ok(flips < options.perFamily);
    assert.deepEqual(
      short.find(({ family }) => family === 'flip'),
      { family: 'flip', items: flips, wanted: 12 },
    );
    assert.equal(items.filter(({ family }) => family === 'flip').length, flips);
  });

  it('draws from each stratum by frequency', () => {
    const made = ['rare', 'rare', 'common'].map((stratum, i) => ({
      ...{ family: 'flip', stratum, image: String(i) },
      item: () => ({ ...drawnFrom(rows).items[0], id: `${stratum}${i}` }),
    }));
    const { items } = drawFrom(made, { perFamily: 2, quotas: {}, seed: 1 });
    assert.equal(items.filter(({ id }) => id.startsWith('common')).length, 1);
    const bands = drawnFrom(rows, 'frequency').items;
    assert.equal(new Set(bands.map(({ id }) => id)).size, bands.length);
  });
});

describe('the labels of a report of several draws', () => {
  it('count once for each variant, however many draws have it', () => {
    const [first] = rows.filter(({ variants }) => variants.some(({ family }) => family === 'paraphrase'));
    const paraphrase = first.variants.find(({ family }) => family === 'paraphrase')!;
    const verdicts = verdictsOf(() => true).filter(({ id }) => id === lgipId(first, paraphrase));
    const correction = new LgipCorrection(verdicts, undefined);
    for (const row of rows) for (const seed of [42, 43, 44]) correction.add({ ...row, seed });
    // One label is too few, although three draws have its variant.
    assert.ok(correction.finish().leftOut.includes('paraphrase'));

    const all = new LgipCorrection(
      verdictsOf(() => true),
      undefined,
    );
    for (const row of rows) for (const seed of [42, 43, 44]) all.add({ ...row, seed });
    const once = correctionOf(verdictsOf(() => true));
    assert.deepEqual(
      all.finish().valid.map(({ family, labels, variants }) => ({ family, labels, variants })),
      once.valid.map(({ family, labels, variants }) => ({ family, labels, variants })),
    );
  });
});

describe('judgments of captions with another wording', () => {
  const { items: sample } = drawnFrom(rows);
  type Answer = [original: Grade, changed: Grade, meaning: Meaning];

  function sessionOf(annotator: string, answers: (family: string) => Answer) {
    const session = CheckSession.begin(sample, origin, annotator);
    for (const [at, { changedOn, family }] of session.items.entries()) {
      const [original, changed, meaning] = answers(family);
      session.change(
        at,
        changedOn === 'left'
          ? { left: changed, right: original, meaning }
          : { left: original, right: changed, meaning },
      );
    }
    return { session: CheckSession.parse(session.toString(), annotator), at: annotator };
  }

  it('ask for the meaning instead of the better version', () => {
    const session = CheckSession.begin(sample, origin, 'ann');
    assert.equal(session.lastQuestion, 'meaning');
    assert.deepEqual(session.items[0].judgement, { left: null, right: null, better: null, meaning: null });
    session.change(0, { meaning: 'same' });
    assert.equal(session.undo(), 0);
    assert.equal(session.items[0].judgement.meaning, null);
  });

  it('accept a paraphrase with the same meaning and a flip that describes the image worse', () => {
    const good = (family: string): Answer =>
      family === 'paraphrase' ? ['fully', 'fully', 'same'] : ['fully', 'partly', 'different'];
    const bad = (): Answer => ['partly', 'fully', 'unsure'];
    const merged = mergeLgipChecks([sessionOf('ann', good), sessionOf('bo', good), sessionOf('cy', bad)]);
    assert.equal(merged.judged, sample.length);
    assert.ok(merged.verdicts.every(({ valid, judged }) => valid && judged === 3));
    const outvoted = mergeLgipChecks([sessionOf('ann', good), sessionOf('bo', bad), sessionOf('cy', bad)]);
    assert.ok(outvoted.verdicts.every(({ valid, meaning }) => !valid && meaning === 'unsure'));
    const tied = mergeLgipChecks([sessionOf('ann', good), sessionOf('bo', bad)]);
    assert.ok(tied.verdicts.every(({ valid, meaning }) => !valid && meaning === null));
    const all = merged.kinds.reduce((sum, { items }) => sum + items, 0);
    assert.equal(all, sample.length);
    assert.equal(merged.kappa.meaning.n, sample.length);
  });

  it('reject a flip with the same meaning, and a paraphrase that describes the image worse', () => {
    const swapped = mergeLgipChecks([
      sessionOf('ann', (family) =>
        family === 'paraphrase' ? ['fully', 'partly', 'same'] : ['fully', 'partly', 'same'],
      ),
    ]);
    assert.ok(swapped.verdicts.every(({ valid }) => !valid));
  });
});

describe('the metrics over valid variants', () => {
  const pooled = (id: string) => {
    const summary = lgipSummaryOf(context);
    for (const row of rows) summary.add(row);
    return atOnce(summary.finish()).metrics.find((metric) => metric.id === id)!.value!;
  };

  it('equal those of the report if people accept everything', () => {
    const { metrics, valid } = correctionOf(verdictsOf(() => true));
    assert.deepEqual(
      metrics.map(({ id }) => id),
      ['lgip.inv.pooled', 'lgip.sens.pooled', 'lgip.pr.pooled'],
    );
    for (const { id, reported, estimate } of metrics) {
      assert.ok(Math.abs(reported - pooled(id)) < 1e-12, id);
      assert.ok(Math.abs(estimate! - pooled(id)) < 1e-12, id);
    }
    for (const { estimate, ci } of valid) {
      assert.equal(estimate, 1);
      assert.ok(ci![0] < 1 && ci![0] > 0 && ci![1] === 1);
    }
  });

  it('are the means over the accepted variants if every variant is labelled', () => {
    const accepts = (gap: number): boolean => gap > -0.2;
    const { metrics, valid } = correctionOf(verdictsOf(accepts));
    const gaps = rows
      .flatMap(({ variants }) => variants)
      .filter(({ family }) => family === 'flip')
      .map(({ delta }) => -delta);
    const kept = gaps.filter(accepts);
    assert.ok(kept.length < gaps.length);
    const sens = metrics.find(({ id }) => id === 'lgip.sens.pooled')!;
    const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
    assert.ok(Math.abs(sens.estimate! - mean(kept)) < 1e-9);
    assert.ok(sens.ci![0] < mean(kept) && mean(kept) < sens.ci![1]);
    const share = valid.find(({ family }) => family === 'flip')!;
    assert.ok(Math.abs(share.estimate! - kept.length / gaps.length) < 1e-12);
  });

  it('name families with too few labels, and strata that were joined', () => {
    const { leftOut, metrics } = correctionOf([]);
    assert.ok(leftOut.includes('flip') && leftOut.includes('paraphrase'));
    assert.deepEqual(metrics, []);
    const units = [
      { path: ['a', 'x'], label: 1 },
      { path: ['a', 'x'], label: 0 },
      { path: ['a', 'y'], label: 1 },
      { path: ['b', 'x'] },
    ];
    const joined = strataOf(units);
    assert.deepEqual([joined.pooled, joined.leftOut], [['a'], ['b']]);
    assert.equal(new Set(joined.placed.map(({ stratum }) => stratum)).size, 1);
  });

  it('are recomputed without rejected variants and the flips of rejected paraphrases', () => {
    const row = rows.find(({ variants }) => variants.some(({ of }) => of !== undefined && of > 0))!;
    const combined = row.variants.find(({ of }) => of !== undefined && of > 0)!;
    const first = new Set([lgipId(row, row.variants[0])]);
    const left = lgipRowWithout(row, first);
    const moved = left.variants.find(({ text }) => text === combined.text)!;
    assert.equal(left.variants[moved.of!].text, row.variants[combined.of!].text);
    const gone = lgipRowWithout(row, new Set([lgipId(row, row.variants[combined.of!])]));
    assert.ok(!gone.variants.some(({ text }) => text === combined.text));
    const none = lgipRowWithout(row, new Set(row.variants.map((variant) => lgipId(row, variant))));
    assert.deepEqual([none.variants, none.outcome], [[], 'no-variant']);
  });
});
