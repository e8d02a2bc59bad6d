import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DrawsSummary } from '../../../src/audit/scoring/draws';
import { runAudit } from '../../../src/audit/run';
import { atOnce } from '../../../src/base/turns/steps';
import { Clusters, Figure } from '../../../src/probe/figure';
import type { Metric, Row } from '../../../src/probe/metric';
import type { Summary } from '../../../src/probe/probe';
import { partsOfInterval } from '../../../src/report/figures';
import type { Report } from '../../../src/report/report';
import { FakeEvaluator } from '../bench/fakeEvaluator';

/** The rate of rows whose place is 1. */
class Rate implements Summary<Row> {
  private readonly clusters = new Clusters();
  private readonly figure = new Figure();

  add(row: Row): void {
    this.figure.add(row.row, this.clusters.of(row.example));
  }

  soFar(): Metric[] {
    return [this.figure.soFar('rate', { rate: true })];
  }

  *finish() {
    return { metrics: [yield* this.figure.metric('rate', { rate: true })], warnings: [] };
  }
}

const images = 200;

/** The rate over five draws of 200 images. `isRight` plants the answer for an image and a draw. */
function planted(isRight: (image: number, draw: number) => boolean): Metric {
  const seeds = [42, 43, 44, 45, 46];
  const summary = new DrawsSummary(new Rate(), seeds, () => new Rate());
  for (let image = 0; image < images; image++)
    for (const seed of seeds)
      summary.add({ example: String(image), row: isRight(image, seed - 42) ? 1 : 0, seed });
  return atOnce(summary.finish()).metrics[0];
}

describe('several draws', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-draws-'))));
  after(() => rm(folder, { recursive: true }));

  it('gives the whole interval to images if draws change nothing', () => {
    const metric = planted((image) => image % 2 === 0);
    assert.deepEqual(metric.draws, [0.5, 0.5, 0.5, 0.5, 0.5]);
    const parts = partsOfInterval(metric)!;
    assert.equal(parts.draws, 0);
    // Half a 95 % interval of 200 coins.
    assert.ok(Math.abs(parts.images - (1.96 * 0.5) / Math.sqrt(images)) < 0.002, String(parts.images));
  });

  it('knows by how much draws differ', () => {
    // Draw k is right for 40 + 2k % of the images.
    const metric = planted((image, draw) => image < 80 + 4 * draw);
    assert.deepEqual(metric.draws, [0.4, 0.42, 0.44, 0.46, 0.48]);
    assert.ok(Math.abs(metric.value! - 0.44) < 1e-12);
    const parts = partsOfInterval(metric)!;
    // The standard deviation of the five rates is √.001.
    assert.ok(Math.abs(parts.draws - (1.959963985 * Math.sqrt(0.001)) / Math.sqrt(5)) < 1e-8);
    const half = (metric.ci![1] - metric.ci![0]) / 2;
    assert.ok(Math.abs(Math.hypot(parts.images, parts.draws) - half) < 1e-12);
  });

  it('has no parts for one draw, and for a draw without a value', () => {
    const ci = [0.4, 0.6] as const;
    assert.equal(partsOfInterval({ ci }), undefined);
    assert.equal(partsOfInterval({ ci, draws: [0.5, null] }), undefined);
    assert.equal(partsOfInterval({ draws: [0.5, 0.6] }), undefined);
  });

  async function audit(more: { seed?: number; draws?: number }, probe = 'lgip'): Promise<[Report, Row[]]> {
    const out = join(folder, JSON.stringify([probe, more]));
    const [{ report }] = await runAudit({
      ...{ dataset: resolve('samples/captions.jsonl'), probes: [probe], limit: 12, spread: false, ...more },
      ...{ evaluators: [new FakeEvaluator()], images: [resolve('samples/images')] },
      ...{ home: join(folder, 'home'), out, signal: new AbortController().signal },
    });
    const rows = (await readFile(join(out, report.rows), 'utf8')).trim().split('\n');
    return [report, rows.map((row) => JSON.parse(row) as Row)];
  }

  it('has the value of each seed alone, and the rows of all', async () => {
    const [together, rows] = await audit({ seed: 42, draws: 2 });
    const alone = [await audit({ seed: 42 }), await audit({ seed: 43 })];
    assert.deepEqual([together.draws, together.dataset.examples], [2, alone[0][0].dataset.examples]);
    const compared = together.metrics.filter(({ draws }) => draws !== undefined);
    assert.ok(compared.some(({ id }) => id === 'lgip.pr') && compared.some(({ id }) => id === 'lgip.inv'));
    for (const { id, draws } of compared) {
      const values = alone.map(
        ([report]) => report.metrics.find((one) => one.id === id && one.slice === undefined)?.value ?? null,
      );
      assert.deepEqual(draws, values, id);
    }
    const without = (row: Row) => ({ ...row, seed: undefined });
    for (const [at, [, own]] of alone.entries())
      assert.deepEqual(rows.filter(({ seed }) => seed === 42 + at).map(without), own.map(without));
  });

  it('makes one draw of variants that no seed decides', async () => {
    const [report, rows] = await audit({ draws: 3 }, 'invariance');
    assert.equal(report.draws, undefined);
    assert.ok(rows.every(({ seed }) => seed === undefined));
  });
});
