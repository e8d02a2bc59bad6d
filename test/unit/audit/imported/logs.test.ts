import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBoard } from '../../../../src/report/board/board';
import { exportReport } from '../../../../src/report/export/export';
import { wholeMetric } from '../../../../src/probe/view';
import { isSaid, say, type Words } from '../../../../src/base/say';
import { fixture, importFrom, scratch, testsOf } from './logs';

const isLimit = (words: Words): boolean => isSaid(words) && words.code === 'imported.limited';

interface OfScore {
  mean: Record<'a' | 'b', number>;
  difference: number;
  clusteredError: { difference: number };
}

const figures = JSON.parse(
  readFileSync(resolve(__dirname, '../../../oracle/imported/figures.json'), 'utf8'),
) as {
  inspect: Record<'exact' | 'length', OfScore>;
  lmms: {
    samples: number;
    videos: number;
    sumOfSquares: number;
    paired: Record<'mean_diff' | 'se_diff' | 'ci_lower' | 'ci_upper' | 'p_value', number>;
    clusteredError: number;
    evalstats: Record<'difference' | 'low' | 'high' | 'p', number>;
  };
};

function near(actual: number | null | undefined, expected: number): void {
  const apart = Math.abs((actual ?? NaN) - expected);
  assert.ok(apart <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} instead of ${expected}`);
}

describe('imported logs', () => {
  it('gives Inspect’s means and standard errors clustered by image', async () => {
    const [a, b] = [await importFrom(fixture('a.eval')), await importFrom(fixture('b.eval'))];
    assert.deepEqual([a.report.dataset.examples, a.report.evaluator.name], [48, 'mockllm/a']);
    const tests = await testsOf(a, b);
    for (const score of ['exact', 'length'] as const) {
      const { mean, difference, clusteredError } = figures.inspect[score];
      near(wholeMetric(a.report.metrics, `imported.${score}`)?.value, mean.a);
      near(wholeMetric(b.report.metrics, `imported.${score}`)?.value, mean.b);
      const test = tests[`imported.${score}`];
      assert.deepEqual([test.n, test.images], [48, 24]);
      near(test.difference, difference);
      // With clusters of one size, the bias reduction of CR2 is Inspect's correction for finitely many clusters.
      near(test.standardError, clusteredError.difference);
    }
  });

  it('gives lmms-eval’s and evalstats’ paired test if each sample counts', async () => {
    const [llava, qwen] = await Promise.all(
      ['llava', 'qwen'].map((name) => importFrom(fixture(name, '.jsonl'))),
    );
    assert.deepEqual([llava.report.evaluator.name, llava.report.options.task], ['llava', 'tiny_task']);
    const test = (await testsOf(llava, qwen))['imported.exact_match'];
    const { paired, evalstats } = figures.lmms;
    near(test.difference, paired.mean_diff);
    near(test.standardError, paired.se_diff);
    near(test.pValue, paired.p_value);
    near(test.ci?.[0], paired.ci_lower);
    near(test.ci?.[1], paired.ci_upper);
    near(test.pValue, evalstats.p);
    near(test.ci?.[0], evalstats.low);
  });

  it('gives lmms-eval’s clustered standard error, but for its correction of the variance within clusters', async () => {
    const [llava, qwen] = await Promise.all(
      ['llava', 'qwen'].map((name) => importFrom(fixture(name, '.jsonl'), { cluster: 'videoID' })),
    );
    assert.equal(llava.report.dataset.cluster, 'videoID');
    const test = (await testsOf(llava, qwen))['imported.mme_score'];
    const { samples: n, videos, sumOfSquares, clusteredError } = figures.lmms;
    assert.deepEqual([test.n, test.images], [n, videos]);
    // lmms-eval divides the squares of samples by n (n - 1) instead of n², and does not correct for few clusters.
    const variance = clusteredError ** 2 - sumOfSquares / ((n - 1) * n ** 2);
    near(test.standardError, Math.sqrt((variance * videos) / (videos - 1)));
  });

  it('gives no verdict on a score whose direction is not known, until you say it', async () => {
    const logs = [fixture('a.eval'), fixture('b.eval')];
    const unknown = await Promise.all(logs.map((log) => importFrom(log, { cluster: 'image' })));
    const test = (await testsOf(unknown[0], unknown[1]))['imported.length'];
    assert.deepEqual([test.better, test.verdict], [undefined, 'undecided']);
    assert.deepEqual(
      unknown[0].report.warnings.map((words) => (typeof words === 'string' ? words : words.code)),
      ['imported.directionUnknown', 'audit.clusterIsObservation'],
    );
    const better = new Map([['length', 'lower' as const]]);
    const known = await Promise.all(logs.map((log) => importFrom(log, { better })));
    const told = (await testsOf(known[0], known[1]))['imported.length'];
    assert.equal(told.better, 'lower');
    assert.equal(known[0].report.options.better, 'exact=higher,length=lower');
  });

  it('are exported to Every Eval Ever with the metrics whose direction is known', async () => {
    const { path } = await importFrom(fixture('a.eval'));
    let text = '';
    for await (const piece of exportReport(path, 'every-eval-ever')) text += String(piece);
    const { schema_version: version, evaluation_results: results } = JSON.parse(text) as {
      schema_version: string;
      evaluation_results: {
        metric_config: { metric_id: string; lower_is_better: boolean };
        score_details: { score: number; uncertainty: { num_samples: number } };
      }[];
    };
    assert.equal(version, '0.3.0');
    assert.deepEqual(
      results.map(({ metric_config: config, score_details: details }) => [
        ...[config.metric_id, config.lower_is_better, details.uncertainty.num_samples],
      ]),
      [['imported.exact', false, 48]],
    );
    near(results[0].score_details.score, figures.inspect.exact.mean.a);
  });

  it('says how much of the dataset a log has that was cut by a limit', async () => {
    const samples = ['1', '2', '2'].map((id, i) => ({ id, epoch: i, scores: { s: { value: 1 } } }));
    const limited = async (whole: unknown) => {
      const log = { eval: { task: 't', model: 'm', dataset: { name: 'd', samples: whole } }, samples };
      return (await importFrom(scratch.write('limited.json', JSON.stringify(log)))).report.warnings;
    };
    const warning = say('imported.limited', 2, 9);
    assert.deepEqual((await limited(9)).filter(isLimit), [warning]);
    for (const whole of [2, undefined, 'many', -1])
      assert.deepEqual((await limited(whole)).filter(isLimit), []);

    const line = { doc_id: 1, target: 'x', filtered_resps: ['x'], exact_match: 1 };
    const log = scratch.write('20260101_samples_vqa.jsonl', `${JSON.stringify(line)}\n`);
    assert.deepEqual((await importFrom(log)).report.warnings.filter(isLimit), []);
    const means = { results: {}, configs: {}, 'n-samples': { vqa: { original: 500, effective: 1 } } };
    scratch.write('20260101_results.json', JSON.stringify(means));
    assert.deepEqual((await importFrom(log)).report.warnings.filter(isLimit), [
      say('imported.limited', 1, 500),
    ]);
  });

  it('share a column of a board if they have the same task and samples', async () => {
    const out = join(scratch.path, 'board');
    for (const name of ['a', 'b']) await importFrom(fixture(`${name}.eval`), { out });
    const { columns, rows } = await readBoard(out);
    assert.deepEqual(
      columns.map(({ dataset, metric }) => [dataset, metric]),
      [['animals animals', 'imported.exact']],
    );
    assert.deepEqual(
      rows.map(({ evaluator, cells }) => [evaluator, cells.map((cell) => 'metric' in cell)]),
      ['mockllm/a', 'mockllm/b'].map((model) => [model, [true]]),
    );
  });

  it('keeps the epochs of a sample, and counts it once', async () => {
    const { rows, report } = await importFrom(fixture('epochs.json'));
    assert.deepEqual([rows.length, rows[0].epochs?.exact], [6, [1, 1, 0]]);
    near(rows[0].scores.exact, 2 / 3);
    assert.deepEqual([rows[0].answer, rows[0].image], [undefined, 'img00.jpg']);
    const metric = wholeMetric(report.metrics, 'imported.exact');
    assert.deepEqual([metric?.n, metric?.images, metric?.ci], [6, 3, undefined]);
  });

  it('reads the instances of Every Eval Ever, and the directions in the file of the run', async () => {
    const { rows, report } = await importFrom(fixture('every-eval-ever', 'c.json'));
    const { rows: alone } = await importFrom(fixture('every-eval-ever', '.jsonl'));
    assert.equal(rows.length, 12);
    assert.deepEqual(rows[0].scores, { 'exact:accuracy': 1, 'length:mean': 0.3 });
    assert.deepEqual(rows[0].better, { 'exact:accuracy': 'higher', 'length:mean': 'higher' });
    assert.deepEqual(alone[0].better, undefined);
    assert.equal(report.evaluator.id, 'openai/openai/gpt-a');
  });
});
