import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { DrawsSummary } from '../../../src/audit/scoring/draws';
import { distinctWants } from '../../../src/audit/scoring/distinctWants';
import { runAudit } from '../../../src/audit/run';
import { runShard } from '../../../src/audit/shard/runShard';
import { say } from '../../../src/base/say';
import type { LgipRow } from '../../../src/probe/lgip/row';
import { atOnce } from '../../../src/base/turns/steps';
import { Clusters, Figure } from '../../../src/probe/figure';
import type { Metric, Row } from '../../../src/probe/metric';
import type { Summary } from '../../../src/probe/probe';
import { partsOfInterval, seedsWords } from '../../../src/report/figures';
import { sharesByRow } from '../../../src/report/shares';
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

const { signal } = new AbortController();

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
      ...{ home: join(folder, 'home'), out, signal },
    });
    const rows = (await readFile(join(out, report.rows), 'utf8')).trim().split('\n');
    return [report, rows.map((row) => JSON.parse(row) as Row)];
  }

  it('has the value of each seed alone, and the rows of all', async () => {
    const [together, rows] = await audit({ seed: 42, draws: 2 });
    const alone = [await audit({ seed: 42, draws: 1 }), await audit({ seed: 43, draws: 1 })];
    assert.deepEqual([together.draws, together.dataset.examples], [2, alone[0][0].dataset.examples]);
    for (const report of [together, alone[0][0]]) assert.equal(report.defaultDraws, undefined);
    assert.equal(alone[0][0].draws, 1);
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

  it('are five of a small dataset, and the report says that this is the default', async () => {
    const [report, rows] = await audit({});
    assert.deepEqual([report.draws, report.defaultDraws], [5, true]);
    assert.deepEqual([...new Set(rows.map(({ seed }) => seed))], [42, 43, 44, 45, 46]);
    assert.deepEqual(seedsWords(report), say('report.drawsByDefault', 5, 42, 46));
  });

  it('of one draw say how to learn how much the draw matters', async () => {
    const [report] = await audit({ draws: 1 });
    assert.deepEqual(seedsWords(report), say('report.oneDraw', 42));
    assert.deepEqual(seedsWords({ seed: 42 }), say('report.seed', 42));
  });

  it('are asked for from judges, and counted, as an audit makes them', async () => {
    const asked = { ...{ dataset: resolve('samples/captions.jsonl'), limit: 12 }, signal };
    const more = {
      ...{ probe: 'lgip', kinds: ['image-text'] as const },
      images: [resolve('samples/images')],
    };
    const texts = async (draws?: number): Promise<Set<string>> => {
      const found = new Set<string>();
      for await (const { want } of distinctWants({ ...asked, ...more, draws }))
        if (want.right.kind === 'text') found.add(want.right.text);
      return found;
    };
    const [, rows] = await audit({});
    const scored = (rows as LgipRow[]).flatMap(({ text, variants }) => [
      text,
      ...variants.map((one) => one.text),
    ]);
    assert.deepEqual(await texts(), new Set(scored));
    assert.ok((await texts(1)).size < new Set(scored).size);
  });

  it('of one caption are one caption in comparisons of reports, and rows of one draw are none', async () => {
    const captionsIn = async (draws: number): Promise<(string | undefined)[]> => {
      const [, rows] = await audit({ draws });
      const shares = await sharesByRow('lgip', Readable.from(rows) as AsyncIterable<Row>);
      return [...shares.values()].map(({ caption }) => caption);
    };
    const [several, one] = [await captionsIn(3), await captionsIn(1)];
    assert.deepEqual([several.length, new Set(several).size], [3 * one.length, one.length]);
    assert.ok(one.every((caption) => caption === undefined));
  });

  it('are decided by the whole dataset, not by a shard', async () => {
    const image = (i: number): string => `${i % 40}.jpg`;
    const lines = Array.from({ length: 1000 }, (_, i) => ({
      image: image(i),
      caption: `A red car near ${i + 2} dogs`,
    }));
    const dataset = join(folder, 'large.jsonl');
    await writeFile(dataset, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const request = {
      dataset,
      probes: ['lgip'],
      evaluators: [new FakeEvaluator()],
      home: join(folder, 'home'),
    };
    const out = join(folder, 'one shard');
    const { manifest } = await runShard({ ...request, out, shard: { index: 1, count: 3 }, signal });
    assert.deepEqual([manifest.probes[0].draws, manifest.probes[0].defaultDraws], [1, true]);
    const fewer = await runShard({ ...request, out, limit: 999, shard: { index: 1, count: 3 }, signal });
    assert.equal(fewer.manifest.probes[0].draws, 5);
  });

  it('makes one draw of variants that no seed decides', async () => {
    const [report, rows] = await audit({ draws: 3 }, 'invariance');
    assert.equal(report.draws, undefined);
    assert.ok(rows.every(({ seed }) => seed === undefined));
  });
});
