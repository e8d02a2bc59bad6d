import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inspectBenchmark } from '../../../../src/audit/benchmark/inspection';
import { runBenchmark } from '../../../../src/audit/benchmark/run';
import { Random } from '../../../../src/base/random';
import { metricOf } from '../../../../src/probe/metric';
import { needSharedData, scratchFolder, sharedData } from '../../dataset/support';

const scratch = scratchFolder();
const { signal } = new AbortController();
const words = 'dog cat man boy girl car bus tree house road bird fish cup table lamp hat'.split(' ');

/** Pairs of an image each. In three of four, the wrong caption has the same words. The right one is never longer. */
function write(name: string, n: number, longer = 0): string {
  const lines = Array.from({ length: n }, (_, i) => {
    const draws = new Random(name, i);
    const own = draws.shuffle(words).slice(0, 6);
    const wrong = i % 4 === 0 ? [...own.slice(0, 5), 'moon'] : [...own.slice(1), own[0]];
    const more = i < longer ? ['too'] : [];
    return JSON.stringify({
      image: `${i}.jpg`,
      caption: own.join(' '),
      negative: [...wrong, ...more].join(' '),
    });
  });
  return scratch.write(name, lines.join('\n'));
}

describe('what inspect says of a benchmark', () => {
  it('is the ceiling and the best model without images', async () => {
    const { benchmark } = await inspectBenchmark(write('pairs.jsonl', 40, 38));
    const { examples, of, items, images, ceilings, blind, sentences } = benchmark!;
    assert.deepEqual([examples, of, items, images], [40, undefined, 40, 40]);
    // 28 of the 30 shuffled pairs have another word, too.
    assert.deepEqual(ceilings, { orderBlind: 1 - 2 / 2 / 40, imageBlind: 1 });
    assert.deepEqual([blind!.name, blind!.accuracy, blind!.chance], ['shorter', 39 / 40, 0.5]);
    assert.ok(blind!.p < 1e-6 && blind!.ci[0] > 0.8);
    assert.equal(sentences.length, 2);
  });

  it('is nothing below 20 images, and no verdict without a test', async () => {
    assert.equal((await inspectBenchmark(write('few.jsonl', 19, 19))).benchmark, undefined);
    assert.ok((await inspectBenchmark(write('20.jsonl', 20, 20))).benchmark !== undefined);
    const { benchmark } = await inspectBenchmark(write('half.jsonl', 60));
    assert.equal(benchmark!.blind?.name === 'shorter', false);
  });

  it('is about a random sample of large files, and then not about the ceiling without images', async () => {
    const path = write('large.jsonl', 4000);
    const { benchmark, examples } = await inspectBenchmark(path);
    assert.deepEqual([examples, benchmark!.examples, benchmark!.of], [4000, 2500, 4000]);
    assert.equal(benchmark!.ceilings.imageBlind, undefined);
    // 3,000 of 4,000 pairs tie, so that the ceiling is 0.625. Half a point is one standard error.
    const { orderBlind } = benchmark!.ceilings;
    assert.ok(orderBlind !== 0.625 && Math.abs(orderBlind! - 0.625) < 0.02);
    assert.deepEqual((await inspectBenchmark(path)).benchmark, benchmark);
  });

  it('is nothing for captions without wrong ones', async () => {
    const lines = Array.from({ length: 30 }, (_, i) =>
      JSON.stringify({ image: `${i}.jpg`, caption: 'a dog' }),
    );
    const path = scratch.write('captions.jsonl', lines.join('\n'));
    assert.equal((await inspectBenchmark(path)).benchmark, undefined);
  });

  it('has the values of the report for a whole file', async function () {
    needSharedData(this);
    const dataset = join(sharedData, 'sugar-crepe', 'swap_obj.json');
    const { benchmark } = await inspectBenchmark(dataset);
    const request = { out: join(scratch.path, 'out'), home: join(scratch.path, 'home'), seed: 42, signal };
    const { metrics } = (await runBenchmark({ dataset, ...request })).report;
    for (const name of ['orderBlind', 'imageBlind'] as const)
      assert.equal(benchmark!.ceilings[name], metricOf(metrics, `benchmark.${name}.ceiling`)!.value);
    const replaced = join(sharedData, 'sugar-crepe', 'replace_obj.json');
    const best = (await inspectBenchmark(replaced)).benchmark!.blind!;
    const own = (await runBenchmark({ dataset: replaced, ...request })).report.metrics;
    const metric = metricOf(own, `benchmark.blind.${best.name}`)!;
    assert.deepEqual(
      [best.accuracy, best.ci, best.p],
      [metric.value, metric.ci, metricOf(own, `${metric.id}.p`)!.value],
    );
  });
});
