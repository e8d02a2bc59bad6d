import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '../../../../../src/sessions/mergeChecks';
import { idOf } from '../../../../../src/sessions/sample';
import { CheckSession } from '../../../../../src/sessions/check';
import type { Again } from '../../../../../src/cli/commands/check/checkAgain';
import type { InvarianceRow } from '../../../../../src/probe/invariance/row';
import type { Interval } from '../../../../../src/stats/bootstrap';
import { reportOf, sealOfText } from '../../../report/reportOf';
import { captious } from '../../captious';
import { saying, sentence } from '../../../../sentence';

const oracle = join(__dirname, '../../../../oracle/invariance/rows.jsonl');

describe('captious check', function () {
  this.timeout(60_000);
  let folder: string;
  let report: string;

  const name = 'invariance.tiny.rows.jsonl';
  let rows: InvarianceRow[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-check-cli-'));
    report = join(folder, 'invariance.tiny.report.json');
    rows = readFileSync(oracle, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as InvarianceRow);
    for (const { object } of rows) if (object !== undefined) object.mask = { width: 1, height: 1, runs: [1] };
    write(rows);
  });
  function write(of: readonly InvarianceRow[]): void {
    const text = of.map((row) => `${JSON.stringify(row)}\n`).join('');
    writeFileSync(join(folder, name), text);
    writeFileSync(report, JSON.stringify(reportOf({ probe: 'invariance', rows: name, ...sealOfText(text) })));
  }

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('says which families have fewer items than asked for', async () => {
    const out = join(folder, 'short.check.json');
    const drawn = await captious(
      folder,
      ...['check', 'sample', report, '--out', out, '--per-family', '2', '--items', 'vflip=500', '--json'],
    );
    assert.equal(drawn.code, 0, drawn.err);
    const { families, short } = JSON.parse(drawn.out) as {
      families: { family: string; items: number }[];
      short: { family: string; items: number; wanted: number }[];
    };
    const { items } = families.find(({ family }) => family === 'vflip')!;
    assert.ok(items < 500);
    assert.deepEqual(
      short.find(({ family }) => family === 'vflip'),
      { family: 'vflip', items, wanted: 500 },
    );
    assert.match(drawn.err, new RegExp(`vflip: only ${items} of 500 items`));
  });

  it('draws one sample for several annotators, each with their own sides, and merges their judgments', async () => {
    const drawn = await captious(
      folder,
      ...[
        'check',
        'sample',
        report,
        '--annotator',
        'ann,bo',
        '--per-family',
        '3',
        '--items',
        'vflip=5',
        '--json',
      ],
    );
    assert.equal(drawn.code, 0, drawn.err);
    const { items, families, files } = JSON.parse(drawn.out) as {
      items: number;
      families: { family: string; items: number }[];
      files: string[];
    };
    assert.deepEqual(files, [
      join(folder, 'invariance.tiny.ann.check.json'),
      join(folder, 'invariance.tiny.bo.check.json'),
    ]);
    assert.equal(families.find(({ family }) => family === 'vflip')?.items, 5);
    assert.equal(families.find(({ family }) => family === 'hflip')?.items, 3);
    const sessions = files.map((file) => CheckSession.parse(readFileSync(file, 'utf8'), file));
    assert.deepEqual(
      sessions.map(({ annotator }) => annotator),
      ['ann', 'bo'],
    );
    assert.equal(sessions[0].items.length, items);
    for (const [i, session] of sessions.entries()) {
      for (const at of session.items.keys())
        session.change(at, { left: 'fully', right: 'fully', better: 'equal' });
      writeFileSync(files[i], session.toString());
    }
    const merged = await captious(folder, 'check', 'merge', ...files, '--json');
    assert.equal(merged.code, 0, merged.err);
    const { total, kappa, again } = JSON.parse(merged.out) as CheckResult & { again: Again[] };
    assert.deepEqual([total.items, total.both, total.full, total.equal], [items, items, items, items]);
    assert.equal(kappa.acceptability.value, null);
    assert.match(kappa.acceptability.note ?? '', saying('stats.ratingsConstant'));
    // Nothing was rejected, so the metrics stay the same.
    assert.deepEqual(
      again.map(({ leftOut, words }) => [leftOut, /all metrics stay the same/.test(words)]),
      [
        [0, true],
        [0, true],
      ],
    );
  });

  it('says what is wrong with its input', async () => {
    const localized = async (wanted: RegExp, ...args: string[]) => {
      const { code, err } = await captious(folder, 'check', ...args);
      assert.equal(code, 2);
      assert.match(err, wanted);
    };
    await localized(/Expected "sample" or "merge"/);
    await localized(/Expected one report to draw a sample from, got 0/, 'sample');
    await localized(
      new RegExp(`${saying('sessions.noVariantsOfFamily').source}[^]*vflip`),
      'sample',
      report,
      '--items',
      'foo=3',
    );
    await localized(/expected family=number/, 'sample', report, '--items', 'vflip');
    await localized(/must end in \.check\.json/, 'sample', report, '--out', join(folder, 'a.json'));
    await localized(saying('sessions.fileInvalid', sentence('sessions.humanCheckFile')), 'merge', report);
    const file = join(folder, 'lone.check.json');
    assert.equal((await captious(folder, 'check', 'sample', report, '--out', file)).code, 0);
    assert.ok(existsSync(file));
    write(rows.slice(1));
    await localized(/differ from those that the sample was drawn from/, 'merge', file);
  });

  it('gives labels with which captious estimate corrects the shifts of all variants', async () => {
    write(rows);
    const drawn = await captious(
      folder,
      ...['check', 'sample', report, '--annotator', 'di,ed,fy', '--per-family', '8', '--json'],
    );
    const { files } = JSON.parse(drawn.out) as { files: string[] };
    const deltas = new Map(
      rows.flatMap((row) => row.variants.map((variant) => [idOf(row, variant), Math.abs(variant.delta)])),
    );
    const limit = [...deltas.values()].sort((a, b) => a - b)[Math.floor(0.6 * deltas.size)];
    const valid = new Map<string, boolean>();
    for (const file of files) {
      const session = CheckSession.parse(readFileSync(file, 'utf8'), file);
      for (const [at, { id }] of session.items.entries()) {
        // The annotator Ed rejects every item, but the others outvote him.
        valid.set(id, deltas.get(id)! < limit);
        const good = valid.get(id) === true && !file.includes('.ed.');
        session.change(at, { left: good ? 'fully' : 'incorrect', right: 'fully', better: 'equal' });
      }
      writeFileSync(file, session.toString());
    }
    const run = await captious(folder, 'estimate', ...files, report, '--json');
    assert.equal(run.code, 0, run.err);
    const found = JSON.parse(run.out) as Interval & { labels: number; scores: number; labelsOnly: Interval };
    assert.ok(found.labels > 20 && found.labels <= valid.size, String(found.labels));
    assert.equal(found.labels + found.scores <= deltas.size, true);
    assert.ok(found.low <= found.estimate && found.estimate <= found.high);
    // The labels depend on the score shifts, so the shifts of unlabelled items narrow the interval.
    assert.ok(found.high - found.low < found.labelsOnly.high - found.labelsOnly.low);
    const equal = await captious(folder, 'estimate', ...files, report, '--label', 'preferred', '--json');
    const { estimate } = JSON.parse(equal.out) as Interval;
    const sampled = JSON.parse(readFileSync(files[0], 'utf8')) as { origin: object };
    const picked = join(folder, 'picked.check.json');
    writeFileSync(picked, JSON.stringify({ ...sampled, origin: { ...sampled.origin, picked: true } }));
    assert.match((await captious(folder, 'check', 'merge', picked)).err, /no estimate for all variants/);
    assert.ok(
      Math.abs(estimate - 0.5) < 1e-12,
      `no annotator prefers a version, but the estimate is ${estimate}`,
    );
    const shown = await captious(folder, 'estimate', ...files, report);
    assert.match(shown.out, /labels and scores .*\d/);
    const unknown = await captious(folder, 'estimate', ...files, report, '--label', 'liked');
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /--label liked: expected valid or preferred/);
  });

  it('draws from an LGIP report, and corrects its metrics by the judgments', async () => {
    const text = readFileSync(join(__dirname, '../../../../oracle/lgip/rows.jsonl'), 'utf8');
    const lgip = join(folder, 'lgip.tiny.report.json');
    writeFileSync(join(folder, 'lgip.tiny.rows.jsonl'), text);
    const evaluator = { ...reportOf().evaluator, scores: ['image-text', 'text-text'] as const };
    const of = { probe: 'lgip', rows: 'lgip.tiny.rows.jsonl', ...sealOfText(text) };
    writeFileSync(
      lgip,
      JSON.stringify(reportOf({ ...of, evaluator: { ...evaluator, scores: [...evaluator.scores] } })),
    );
    const drawn = await captious(
      folder,
      ...['check', 'sample', lgip, '--annotator', 'ann', '--per-family', '10', '--items', 'flip=500'],
      ...['--strata', 'frequency', '--json'],
    );
    assert.equal(drawn.code, 0, drawn.err);
    assert.match(drawn.err, /flip: only \d+ of 500 items/);
    const { files } = JSON.parse(drawn.out) as { files: string[] };
    const session = CheckSession.parse(readFileSync(files[0], 'utf8'), files[0]);
    assert.deepEqual([session.origin.probe, session.origin.strata], ['lgip', 'frequency']);
    const rejected = session.items.findIndex(({ family }) => family === 'flip');
    for (const [at, { family, changedOn }] of session.items.entries()) {
      const meaning = family === 'paraphrase' || at === rejected ? 'same' : 'different';
      const changed = meaning === 'same' ? 'fully' : 'incorrect';
      session.change(
        at,
        changedOn === 'left'
          ? { left: changed, right: 'fully', meaning }
          : { left: 'fully', right: changed, meaning },
      );
    }
    writeFileSync(files[0], session.toString());
    const out = join(folder, 'valid');
    const merged = await captious(folder, 'check', 'merge', ...files, '--out', out, '--json');
    assert.equal(merged.code, 0, merged.err);
    const { valid, metrics, again } = JSON.parse(merged.out) as {
      valid: { family: string; estimate: number; labels: number; variants: number }[];
      metrics: { id: string; estimate: number; ci?: [number, number] }[];
      again: { leftOut: number; file: string };
    };
    const flips = valid.find(({ family }) => family === 'flip')!;
    assert.equal(flips.labels, flips.variants, 'all flips were asked for');
    assert.ok(Math.abs(flips.estimate - (flips.labels - 1) / flips.labels) < 1e-9);
    assert.equal(again.leftOut, 1);
    const report = JSON.parse(readFileSync(again.file, 'utf8')) as { warnings: string[]; rowCount: number };
    assert.match(report.warnings.at(-1)!, /Left out after a check by ann: 1 variants/);
    assert.equal(report.rowCount, of.rowCount);
    assert.ok(metrics.some(({ id }) => id === 'lgip.pr.pooled'));
    const shown = await captious(folder, 'check', 'merge', ...files);
    assert.match(shown.out, /share of valid variants/);
    assert.match(shown.out, /lgip\.inv\.pooled +\d/);
    const estimate = await captious(folder, 'estimate', ...files, lgip, '--json');
    assert.equal(estimate.code, 0, estimate.err);
    const share = JSON.parse(estimate.out) as Interval;
    assert.ok(share.estimate > 0.9 && share.estimate < 1, String(share.estimate));
    const liked = await captious(folder, 'estimate', ...files, lgip, '--label', 'preferred');
    assert.match(liked.err, /--label preferred applies to invariance reports only/);
    const unknown = await captious(folder, 'check', 'sample', lgip, '--strata', 'length');
    assert.match(unknown.err, /--strata length: expected frequency/);
    // People picked these variants, so nothing can be estimated for the others.
    const file = JSON.parse(readFileSync(files[0], 'utf8')) as { origin: object };
    writeFileSync(files[0], JSON.stringify({ ...file, origin: { ...file.origin, picked: true } }));
    const picked = await captious(folder, 'check', 'merge', ...files, '--json');
    const left = JSON.parse(picked.out) as { valid: []; metrics: []; again: { leftOut: number } };
    assert.deepEqual([left.valid, left.metrics, left.again.leftOut], [[], [], 1]);
    assert.equal((await captious(folder, 'estimate', ...files, lgip)).code, 2);
  });
});
