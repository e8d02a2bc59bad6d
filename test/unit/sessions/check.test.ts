import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce } from '../../../src/base/turns/steps';
import { isJudged, type Judgement } from '../../../src/protocol/judgement';
import { mergeChecks, type Verdict } from '../../../src/sessions/mergeChecks';
import { drawSample } from '../../../src/sessions/sample';
import type { Sampled } from '../../../src/protocol/sampled';
import { CaptiousError } from '../../../src/base/errors';
import { english } from '../../../src/base/english';
import { CheckSession, shownOn } from '../../../src/sessions/check';
import { rowsWithout, stabilityOf } from '../../../src/sessions/without';
import { figuresOver } from '../../../src/probe/invariance/figuresOver';
import { unassigned } from '../../../src/sessions/session';
import type { InvarianceRow } from '../../../src/probe/invariance/row';
import { rarestBand } from '../../../src/perturb/words/frequencyBand';
import { median } from '../../../src/stats/summary';

const oracle = join(__dirname, '../../oracle');
const rows = readFileSync(join(oracle, 'invariance/rows.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as InvarianceRow)
  // The oracle's rows have no masks, but moved objects need one.
  .map((row) =>
    row.object === undefined
      ? row
      : { ...row, object: { ...row.object, mask: { width: 1, height: 1, runs: [1] } } },
  );
const origin = { report: 'a.report.json', rowsSha256: 'abc', dataset: 'a.json', seed: 42 };
const options = { perFamily: 6, quotas: {}, seed: 42 };

function parsed(session: CheckSession): CheckSession {
  return CheckSession.parse(session.toString(), 'a.check.json');
}

describe('a sample for the human check', () => {
  const drawn = drawSample(rows, options).items;
  const of = (family: string): Sampled[] => drawn.filter((one) => one.family === family);

  it('contains the requested number per family, spread over its variants and over images', () => {
    const families = [...new Set(drawn.map(({ family }) => family))].sort();
    assert.ok(families.includes('vflip') && families.includes('cultural') && !families.includes('neutral'));
    for (const family of families) assert.ok(of(family).length <= 6, family);
    assert.deepEqual(
      new Set(of('rotation').map(({ variant }) => variant)),
      new Set(['-10', '-5', '+5', '+10']),
    );
    const images = of('vflip').map(({ original }) => original.image);
    assert.equal(new Set(images).size, images.length);
    assert.equal(new Set(drawn.map(({ id }) => id)).size, drawn.length);
  });

  it('pairs a changed image with the same caption, and a changed caption with the same image and its control', () => {
    for (const { axis, original, changed } of drawn) {
      assert.deepEqual(original.transforms, []);
      assert.equal(original.image, changed.image);
      if (axis === 'spatial') {
        assert.equal(original.text, changed.text);
        assert.equal(changed.transforms.length, 1);
      } else {
        assert.notEqual(original.text, changed.text);
        assert.deepEqual(changed.transforms, []);
      }
    }
  });

  it('draws blur from the smallest and the largest objects', () => {
    const bins = of('blur').map(
      ({ original }) =>
        rows.find(({ image, score }) => image === original.image && score !== null)?.object?.bin,
    );
    const all = rows.filter(({ objects }) => objects === 'single').map(({ object }) => object?.bin ?? '');
    const ordered = [...new Set(all)].sort();
    assert.ok(bins.includes(ordered[0]) && bins.includes(ordered.at(-1)), JSON.stringify([bins, ordered]));
  });

  it('draws from every band of word frequency, if asked, and names the families that are too small', () => {
    const { items, short } = drawSample(rows, { ...options, perFamily: 9, strata: 'frequency' });
    const bands = new Set(
      items
        .filter(({ family }) => family === 'cultural')
        .map(({ original, changed }) => rarestBand(changed.text, original.text)),
    );
    const all = new Set(
      rows
        .filter(({ source, objects }) => source === 'template' && objects === 'single')
        .flatMap((row) =>
          row.variants
            .filter(({ family }) => family === 'cultural')
            .map((variant) => [row, variant] as const),
        )
        .map(([row, { text, againstText }]) => rarestBand(text ?? row.text, againstText ?? row.text)),
    );
    assert.deepEqual(bands, all);
    const { short: few } = drawSample(rows, { ...options, quotas: { vflip: 5000 } });
    const flips = rows.filter(({ source, objects }) => source === 'template' && objects === 'single').length;
    assert.deepEqual(
      few.find(({ family }) => family === 'vflip'),
      {
        family: 'vflip',
        items: flips,
        wanted: 5000,
      },
    );
    assert.ok(short.every(({ items: found, wanted }) => found < wanted));
  });

  it('is the same for the same seed, differs for another, and accepts a number per family', () => {
    assert.deepEqual(drawSample(rows, options).items, drawn);
    assert.notDeepEqual(drawSample(rows, { ...options, seed: 43 }).items, drawn);
    const more = drawSample(rows, { ...options, quotas: { vflip: 2, hflip: 0 } }).items;
    assert.equal(more.filter(({ family }) => family === 'vflip').length, 2);
    assert.equal(more.filter(({ family }) => family === 'hflip').length, 0);
    assert.throws(
      () => drawSample(rows, { ...options, quotas: { flip: 3 } }),
      /no variants of the family "flip"/,
    );
    assert.throws(
      () => drawSample([], { ...options, quotas: { flip: 3 } }),
      (error) =>
        error instanceof CaptiousError &&
        error.message === 'The report has no variants to judge.' &&
        english(error.remedy!) === 'Choose a report with variants.',
    );
  });
});

describe('judging a sample', () => {
  const drawn = drawSample(rows, options).items;

  it('shows the sides in an order drawn per annotator, about half and half', () => {
    const sidesOf = (name: string) =>
      CheckSession.begin(drawn, origin, name).items.map((one) => one.changedOn);
    assert.deepEqual(sidesOf('ann'), sidesOf('ann'));
    assert.notDeepEqual(sidesOf('ann'), sidesOf('bo'));
    const left = sidesOf('ann').filter((side) => side === 'left').length / drawn.length;
    assert.ok(left > 0.25 && left < 0.75, String(left));
    const [first] = CheckSession.begin(drawn, origin, 'ann').items;
    assert.deepEqual(shownOn(first)[first.changedOn], first.changed);
    const later = CheckSession.begin(drawn, origin, unassigned);
    later.assign('ann');
    later.assign('bo');
    assert.equal(later.annotator, 'ann');
    assert.deepEqual(
      later.items.map((one) => one.changedOn),
      sidesOf('ann'),
    );
  });

  it('reads an unassigned session that an earlier version stored', () => {
    const file = JSON.stringify({
      ...(JSON.parse(CheckSession.begin(drawn, origin, 'ann').toString()) as object),
      annotator: 'nobody yet',
    });
    const session = CheckSession.parse(file, 'x');
    assert.equal(session.annotator, unassigned);
    session.assign('bo');
    assert.equal(session.annotator, 'bo');
  });

  it('keeps judgments and their undo history in its file', () => {
    const session = CheckSession.begin(drawn, origin, 'ann');
    session.change(0, { left: 'fully' });
    session.change(0, { left: 'fully' });
    session.change(0, { right: 'partly', better: 'equal' });
    assert.ok(isJudged(session.items[0].judgement) && !isJudged(session.items[1].judgement));
    const again = parsed(session);
    assert.equal(again.undo(), 0);
    assert.deepEqual(again.items[0].judgement, { left: 'fully', right: null, better: null });
    assert.equal(again.undo(), 0);
    assert.equal(again.undo(), undefined);
    assert.equal(again.redo(), 0);
    assert.deepEqual(parsed(again).items[0].judgement, { left: 'fully', right: null, better: null });
  });

  it('says what is wrong with a file', () => {
    const file = JSON.parse(CheckSession.begin(drawn, origin, 'ann').toString()) as {
      items: { original: { transforms: unknown[] } }[];
    };
    const refused = (message: RegExp) =>
      assert.throws(() => CheckSession.parse(JSON.stringify(file), 'a'), message);
    file.items[0].original.transforms = [{ op: 'mix' }];
    refused(/items\[0\]\.original\.transforms\[0\]\.op is not one of vflip/);
    file.items[0].original.transforms = [{ op: 'blur', sigma: 1e9 }];
    refused(/sigma is not a number from 0 to 64/);
    assert.throws(() => CheckSession.parse('{', 'a'), /not JSON/);
  });
});

interface Case {
  annotators: string[];
  votes: ({ original: 'fully'; changed: 'fully'; better: 'original' | 'changed' | 'equal' } | null)[][];
  verdicts: (Omit<Verdict, 'id' | 'family'> & { item: number })[];
  acceptability: number;
  preference: number;
}

describe("merging several annotators' judgments, against statsmodels and plain counting", () => {
  const { cases } = JSON.parse(readFileSync(join(oracle, 'annotation/judgements.json'), 'utf8')) as {
    cases: Case[];
  };

  for (const [i, { annotators, votes, verdicts, acceptability, preference }] of cases.entries()) {
    it(`finds majorities and κ: case ${i}, ${annotators.length} annotators`, () => {
      const sample = votes.map((_, item): Sampled => ({
        id: String(item),
        axis: 'spatial',
        family: item % 2 === 0 ? 'vflip' : 'blur',
        variant: '',
        original: { image: 'a.jpg', transforms: [], text: 'a' },
        changed: { image: 'a.jpg', transforms: [{ op: 'vflip' }], text: 'a' },
      }));
      const files = annotators.map((annotator, a) => {
        const session = CheckSession.begin(sample, origin, annotator);
        for (const [item, given] of votes.entries()) {
          const vote = given[a];
          if (vote === null) continue;
          const { changedOn } = session.items[item];
          const sides: Partial<Judgement> =
            changedOn === 'left'
              ? { left: vote.changed, right: vote.original }
              : { left: vote.original, right: vote.changed };
          const other = changedOn === 'left' ? 'right' : 'left';
          const better = { equal: 'equal', changed: changedOn, original: other } as const;
          session.change(item, { ...sides, better: better[vote.better] });
        }
        return { session, at: `${annotator}.check.json` };
      });
      const result = mergeChecks(files);
      assert.deepEqual(
        result.verdicts.map(({ id, judged, accepted, full, better }) => ({
          item: Number(id),
          judged,
          accepted,
          full,
          better,
        })),
        verdicts,
      );
      assert.ok(Math.abs(result.kappa.acceptability.value! - acceptability) < 1e-12);
      assert.ok(Math.abs(result.kappa.preference.value! - preference) < 1e-12);
      assert.equal(result.total.items, verdicts.length);
      assert.equal(result.total.both + result.total.one + result.total.neither, verdicts.length);
      assert.equal(
        result.families.reduce((sum, { items }) => sum + items, 0),
        verdicts.length,
      );
      assert.throws(
        () => mergeChecks([...files, files[0]]),
        /Two of the files have the same annotator, "rater 0"/,
      );
    });
  }

  it('rejects samples of different reports', () => {
    const one = (rowsSha256: string, annotator: string) => ({
      at: annotator,
      session: CheckSession.begin([], { ...origin, rowsSha256 }, annotator),
    });
    assert.throws(() => mergeChecks([one('a', 'ann'), one('b', 'bo')]), /belong to different reports/);
  });
});

describe('the audit without rejected variants', function () {
  this.timeout(120_000);

  it('has the metrics of the remaining variants', () => {
    const context = { dataset: 'a', seed: 42, options: {}, scores: ['image-text', 'text-text'] as const };
    const flips = drawSample(rows, { perFamily: 0, quotas: { vflip: 4 }, seed: 1 }).items;
    const gone = new Set(flips.map(({ id }) => id));
    assert.equal(gone.size, 4);
    const before = atOnce(figuresOver(rows, context));
    const after = atOnce(figuresOver(rowsWithout(rows, gone), context));
    const value = (metrics: typeof before, id: string) =>
      metrics.find((metric) => metric.id === id && metric.slice === undefined);
    const images = new Set(flips.map(({ original }) => original.image));
    const changes = (without: boolean) =>
      rows
        .filter(({ source, objects }) => source === 'template' && objects === 'single')
        .filter(({ image }) => !without || !images.has(image ?? ''))
        .flatMap(({ variants }) => variants)
        .filter(({ family, change }) => family === 'vflip' && change !== null)
        .map(({ change }) => change!);
    assert.equal(value(before, 'invariance.spatial.vflip.median')?.value, median(changes(false)));
    assert.equal(value(after, 'invariance.spatial.vflip.median')?.value, median(changes(true)));
    assert.deepEqual(
      value(after, 'invariance.spatial.hflip.median'),
      value(before, 'invariance.spatial.hflip.median'),
    );
    const { medians, unit, largest, turned } = stabilityOf(before, after);
    assert.ok(medians.length > 20 && largest !== null);
    assert.equal(unit, 'score', 'the made-up scores have both signs');
    assert.ok(
      medians.every((one) => Math.abs(one.after - one.before) <= Math.abs(largest.after - largest.before)),
    );
    for (const id of turned)
      assert.ok((value(before, id)?.value ?? 0) * (value(after, id)?.value ?? 0) <= 0, id);
  });

  it('is compared in scores, not in percent, if scores have both signs', () => {
    const metrics = (median: number, delta: number) => [
      { id: 'invariance.spatial.vflip.median', value: median, n: 9, moot: true },
      { id: 'invariance.spatial.vflip.delta', value: delta, n: 9 },
    ];
    const { unit, largest } = stabilityOf(metrics(-195.56, -0.012), metrics(3, -0.011));
    assert.equal(unit, 'score');
    assert.deepEqual(largest, { id: 'invariance.spatial.vflip.delta', before: -0.012, after: -0.011 });
  });
});
