import assert from 'node:assert/strict';
import { say } from '../../../src/base/say';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { AuditRequest } from '../../../src/audit/request';
import { runAudit } from '../../../src/audit/run';
import { CaptiousError } from '../../../src/base/errors';
import { worseThanBaseline } from '../../../src/report/baseline';
import { lineUpReports, pairUpReports } from '../../../src/report/lineUp';
import { writePaper } from '../../../src/report/paper/paper';
import type { Report } from '../../../src/report/report';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { requireComparable } from '../../../src/report/scale';
import { FakeEvaluator } from '../../unit/bench/fakeEvaluator';
import { reportOf } from '../../unit/report/reportOf';
import { saying } from '../../sentence';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

const count = 24;
const names = Array.from({ length: count }, (_, i) => `${i}.png`);

describe('reports on one dataset with image files', function () {
  this.timeout(120_000);
  let folder: string;
  let ours: WrittenReport;
  let other: WrittenReport;
  let again: WrittenReport;
  let fewer: WrittenReport;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-report-images-'));
    const captions = names.map((image, i) => ({ image, caption: `two dogs and a red bus by house ${i}` }));
    await writeFile(join(folder, 'data.json'), JSON.stringify([...captions, ...captions.slice(0, 3)]));
    ours = await audited('ours', 0);
    again = await audited('again', 0);
    other = await audited('other', 40);
    fewer = await audited('fewer', 0, count - 1);
  });
  after(() => rm(folder, { recursive: true }));

  async function audited(
    out: string,
    colour: number,
    found = count,
    changes: Partial<AuditRequest> = {},
  ): Promise<WrittenReport> {
    const images = join(folder, `images of ${out}`);
    await mkdir(images);
    for (const [i, name] of names.slice(0, found).entries())
      await writeFile(join(images, name), await image(colour + i));
    const [written] = await runAudit({
      ...{ dataset: join(folder, 'data.json'), probes: ['lgip'], images: [images], out: join(folder, out) },
      ...{ home: join(folder, `home of ${out}`), signal: new AbortController().signal },
      evaluators: [new FakeEvaluator({ info: { id: out, name: out } })],
      ...changes,
    });
    return written;
  }

  const image = (red: number): Promise<Buffer> =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: { r: red, g: 0, b: 0 } } })
      .png()
      .toBuffer();

  function isRefused(error: unknown): boolean {
    return (
      error instanceof CaptiousError &&
      error.kind === 'usage' &&
      saying('report.imageContentsDiffer').test(error.message)
    );
  }

  it('have a sum of hashes of the distinct files that were found', async () => {
    const sum = async (of: (name: string) => Promise<string> | string): Promise<string> => {
      let total = 0n;
      for (const name of names)
        total += BigInt(
          `0x${createHash('sha256')
            .update(await of(name))
            .digest('hex')}`,
        );
      return (total % 2n ** 256n).toString(16).padStart(64, '0');
    };
    const fileHash = async (name: string): Promise<string> =>
      createHash('sha256')
        .update(await readFile(join(folder, 'images of ours', name)))
        .digest('hex');
    assert.deepEqual(ours.report.dataset.images, {
      count,
      names: await sum((name) => name),
      sha256: await sum(async (name) => `${name}\0${await fileHash(name)}`),
    });
    assert.deepEqual(again.report.dataset.images, ours.report.dataset.images);
    assert.equal(fewer.report.dataset.images?.count, count - 1);
  });

  it('are not compared if files of the same names differ', async () => {
    const [a, b] = [ours, other].map(({ report }) => report);
    const paths = [ours.path, other.path];
    assert.notEqual(a.dataset.images?.sha256, b.dataset.images?.sha256);
    assert.throws(() => lineUpReports([a, b]), isRefused);
    await assert.rejects(pairUpReports([a, b], paths, [new LeftOutRows(), new LeftOutRows()]), isRefused);
    await assert.rejects(worseThanBaseline(ours, other), isRefused);
    const paper = {
      reports: paths,
      layout: 'lgip.table2',
      spread: 'ci' as const,
      out: join(folder, 'paper'),
    };
    await assert.rejects(writePaper({ ...paper, to: 'csv' }), isRefused);
    await assert.rejects(writePaper({ ...paper, to: 'svg' }), isRefused);
  });

  it('are compared if the files are the same, wherever they are', async () => {
    assert.deepEqual(lineUpReports([ours.report, again.report]).differences, []);
    await worseThanBaseline(ours, again);
  });

  it('say so if one of them found other images', () => {
    const { differences } = lineUpReports([ours.report, fewer.report]);
    const images = differences.filter(({ code }) => code === 'report.differImages');
    assert.deepEqual(images, [say('report.differImages', 24, 23)]);
  });

  it('are compared as before if a report does not have the hashes, or the dataset is another', () => {
    const base = reportOf();
    const withImages = (images: Report['dataset']['images'], sha256 = 'aa'): Report =>
      reportOf({ dataset: { ...base.dataset, sha256, images } });
    const one = withImages({ count: 3, names: '0', sha256: '1' });
    requireComparable(one, base);
    requireComparable(one, withImages({ count: 3, names: '0', sha256: '2' }, 'bb'));
    requireComparable(one, withImages({ count: 3, names: '3', sha256: '2' }));
    assert.throws(() => requireComparable(one, withImages({ count: 3, names: '0', sha256: '2' })), isRefused);
  });

  it('have no hashes of images that no evaluator reads', async () => {
    const info = { kind: 'text-encoder', scores: ['text-text'] } as const;
    const texts = await audited('texts', 0, count, {
      evaluators: [new FakeEvaluator({ info })],
      probes: ['rococo'],
    });
    assert.equal(texts.report.dataset.images, undefined);
  });

  it('have the same hashes for all evaluators and probes of a run, whatever these lose', async () => {
    const evaluators = [
      new FakeEvaluator({ info: { id: 'a', name: 'a', imageKey: 'a' } }),
      new FakeEvaluator({
        info: { id: 'b', name: 'b', imageKey: 'b' },
        refuseImage: (name) => name === '3.png',
      }),
    ];
    const out = join(folder, 'both');
    await audited('first', 0, count, { evaluators, out, probes: ['lgip'] });
    for (const id of ['a', 'b']) {
      const report = JSON.parse(await readFile(join(out, `lgip.${id}.report.json`), 'utf8')) as Report;
      assert.deepEqual(report.dataset.images, ours.report.dataset.images);
    }
  });
});
