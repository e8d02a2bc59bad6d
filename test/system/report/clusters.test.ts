import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atOnce } from '../../../src/base/turns/steps';
import { mergeShards } from '../../../src/audit/shard/merge';
import { runShard } from '../../../src/audit/shard/runShard';
import { runAudit } from '../../../src/audit/run';
import { CaptiousError } from '../../../src/base/errors';
import type { Words } from '../../../src/base/say';
import { imagesOf, type Metric, metricOf } from '../../../src/probe/metric';
import { probeIds } from '../../../src/probe/list';
import { lineUpReports, pairUpReports } from '../../../src/report/lineUp';
import { writePaper } from '../../../src/report/paper/paper';
import { ranksOfReports } from '../../../src/report/decisions/decisions';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readRows } from '../../../src/report/rows';
import { sharesByRow } from '../../../src/report/shares';
import { sentence } from '../../sentence';
import { fakeScorer } from '../../unit/report/fakeScorer';
import { type Asked, audited as auditedIn, type Probe, saysTooFew, text } from '../../unit/report/patients';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

describe('one observation', function () {
  this.timeout(300_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-clusters-'))));
  after(() => rm(folder, { recursive: true }));

  const audited = (probe: Probe, asked: Asked) => auditedIn(folder, probe, asked);

  const keyOf = ({ id, slice }: Metric) => JSON.stringify([id, slice]);
  const withInterval = (metrics: readonly Metric[]) => metrics.filter(({ ci }) => ci !== undefined);

  for (const probe of probeIds)
    describe(`of ${probe}`, () => {
      it('is an image with all its captions', async () => {
        const [one] = await audited(probe, { images: 12 });
        const [three] = await audited(probe, { images: 12, copies: 3 });
        const before = new Map(one.report.metrics.map((metric) => [keyOf(metric), metric]));
        assert.ok(withInterval(one.report.metrics).length > 0);
        for (const metric of withInterval(three.report.metrics)) {
          const known = before.get(keyOf(metric));
          if (known?.ci !== undefined) assert.equal(imagesOf(metric), imagesOf(known), keyOf(metric));
          assert.ok(imagesOf(metric) <= 12, `${keyOf(metric)} ${imagesOf(metric)}`);
        }
      });

      it('is what the user names', async () => {
        const [own] = await audited(probe, { images: 18, copies: 2, cluster: 'patient' });
        assert.equal(own.report.dataset.cluster, 'patient');
        assert.ok(withInterval(own.report.metrics).length > 0);
        for (const metric of withInterval(own.report.metrics))
          assert.ok(imagesOf(metric) <= 6, `${keyOf(metric)} ${imagesOf(metric)}`);
        assert.deepEqual(verdictsOf(own), []);
        const rows = (await readFile(own.path.replace('.report.json', '.rows.jsonl'), 'utf8')).trim();
        for (const row of rows.split('\n'))
          assert.match((JSON.parse(row) as { cluster: string }).cluster, /^p\d/);
      });
    });

  /** The verdicts, without the sentence that there are too few images. */
  function verdictsOf({ report }: WrittenReport): Words[] {
    return report.claims
      .map(({ text: own }) => own)
      .filter((own) => !saysTooFew(own, report.dataset.cluster));
  }

  it('is named in the methods of a paper', async () => {
    const [plain] = await audited('lgip', { images: 21 });
    const [named] = await audited('lgip', { images: 21, cluster: 'patient' });
    for (const [{ path }, has, lacks] of [
      [plain, /over images with 10,000/, /patient/],
      [named, /over clusters with 10,000 .*column "patient"/, /over images/],
    ] as const) {
      const out = join(folder, has.source.length.toString());
      const written = await writePaper({
        ...{ reports: [path], layout: 'lgip.table2', spread: 'ci' as const },
        ...{ out, to: 'md' as const },
      });
      const words = (await Promise.all(written.map((file) => readFile(file, 'utf8')))).join(' ');
      assert.match(words.replaceAll(/\s+/g, ' '), has);
      assert.doesNotMatch(words, lacks);
    }
  });

  it('is named in the footnotes of a table', async () => {
    for (const [cluster, has] of [
      [undefined, sentence('bench.images')],
      ['patient', sentence('base.clustersOf', 'patient')],
    ] as const) {
      const [{ path }] = await audited('lgip', { images: 12, copies: 2, ...(cluster && { cluster }) });
      const out = join(folder, `footnotes ${cluster}`);
      const files = await writePaper({
        ...{ reports: [path], layout: 'lgip.table2', spread: 'ci' as const, out, to: 'md' as const },
      });
      const table = await readFile(
        files.find((file) => /table/.test(file))!,
        'utf8',
      );
      assert.ok(table.includes(`, ${has} = `), table);
      if (cluster !== undefined) assert.doesNotMatch(table, /\d images|images = /);
    }
  });

  it('is the same in shards and their merge as in one run', async () => {
    for (const probe of ['lgip', 'visla'] as const) {
      const [{ report }] = await audited(probe, { images: 24, cluster: 'patient' });
      const own = join(folder, `${probe} shards`);
      const shared = {
        ...{ dataset: report.dataset.path, probes: [probe], images: [folder], map: { cluster: 'patient' } },
        home: join(folder, 'home'),
        ...{ out: own, signal: new AbortController().signal },
      };
      const folders: string[] = [];
      for (const index of [2, 1, 3]) {
        const made = await runShard({
          ...shared,
          evaluators: [fakeScorer('one')],
          shard: { index, count: 3 },
        });
        folders.push(made.folder);
      }
      const { home, signal } = shared;
      const [merged] = await mergeShards({ folders, out: `${own} merged`, home, signal });
      assert.equal(merged.report.dataset.cluster, 'patient');
      assert.deepEqual(merged.report.metrics, report.metrics);
      assert.equal(merged.report.rowsSha256, report.rowsSha256);
    }
  });

  it('is the same in a comparison, also for images of PRSM that share a caption', async () => {
    for (const [probe, perPatient] of [
      ['lgip', 3],
      ['prsm', 3],
    ] as const) {
      const both = await audited(probe, {
        ...{ images: 36, perPatient, cluster: 'patient', evaluators: ['one', 'two'] },
      });
      for (const pair of await compared(both)) assert.equal(pair.images, 12, pair.metric);
    }
  });

  describe('of PRSM, if images share a caption', () => {
    const byWeight = new Map<string, WrittenReport[]>();
    before(async () => {
      const dataset = join(folder, 'shared.json');
      const shared = (i: number) => (i < 6 ? text(0) : text(i));
      const rows = Array.from({ length: 30 }, (_, i) => ({
        ...{ image: `${i}.jpg`, captions: [shared(i), text(i + 100)] },
      }));
      await writeFile(dataset, JSON.stringify(rows));
      for (const weight of ['occurrences', 'captions'])
        byWeight.set(
          weight,
          await runAudit({
            ...{ dataset, probes: ['prsm'], evaluators: ['one', 'two'].map((id) => fakeScorer(id)) },
            ...{ images: [folder], options: { prsm: { k: '3', weight } } },
            ...{
              home: join(folder, 'home'),
              out: join(folder, weight),
              signal: new AbortController().signal,
            },
          }),
        );
    });

    for (const [weight, n] of [
      ['occurrences', 60],
      ['captions', 55],
    ] as const)
      it(`a comparison has the images and the weights of the reports: ${weight}`, async () => {
        const both = byWeight.get(weight)!;
        const values = both.map(({ report }) => metricOf(report.metrics, 'prsm.global')!);
        const pair = (await compared(both)).find(({ metric }) => metric === 'prsm.global')!;
        assert.equal(pair.n, n);
        assert.equal(pair.images, 25);
        assert.deepEqual(
          values.map((metric) => [metric.n, imagesOf(metric)]),
          [
            [n, 25],
            [n, 25],
          ],
        );
        assert.ok(Math.abs(pair.difference - (values[1].value! - values[0].value!)) < 1e-12);
        const rows = await Promise.all(
          both.map(({ path, report }) => sharesByRow('prsm', readRows(path, report, new LeftOutRows()))),
        );
        const ranks = atOnce(ranksOfReports('prsm', rows)).find(({ metric }) => metric === 'prsm.global')!;
        assert.deepEqual([ranks.n, ranks.images], [n, 25]);
      });

    it('reports with other weights are not compared', () => {
      const reports = ['occurrences', 'captions'].map((weight, i) => byWeight.get(weight)![i].report);
      assert.throws(() => lineUpReports(reports), CaptiousError);
    });
  });

  it('differs between two reports, which are then not compared', async () => {
    const [plain] = await audited('lgip', { images: 21, evaluators: ['one'] });
    const [named] = await audited('lgip', { images: 21, cluster: 'patient', evaluators: ['two'] });
    const reports = [plain, named].map(({ report }) => ({
      ...report,
      dataset: { ...report.dataset, sha256: plain.report.dataset.sha256 },
    }));
    assert.throws(() => lineUpReports(reports), CaptiousError);
  });

  it('with an empty value leaves the example out', async () => {
    const dataset = join(folder, 'empty.json');
    const rows = Array.from({ length: 8 }, (_, i) => ({
      ...{ image: `${i}.jpg`, caption: text(i), patient: i === 0 ? '' : `p${i}` },
    }));
    await writeFile(dataset, JSON.stringify(rows));
    const [{ report }] = await runAudit({
      ...{ dataset, probes: ['lgip'], evaluators: [fakeScorer('one')], images: [folder] },
      ...{ map: { cluster: 'patient' }, home: join(folder, 'home'), out: join(folder, 'empty') },
      signal: new AbortController().signal,
    });
    assert.equal(report.dataset.examples, 7);
    assert.equal(report.dataset.skipped, 1);
  });

  function compared(both: readonly WrittenReport[]) {
    const reports = both.map(({ report }) => report);
    return pairUpReports(
      reports,
      both.map(({ path }) => path),
      reports.map(() => new LeftOutRows()),
    );
  }
});
