/* Exports reports as mteb results: results/MODEL/REVISION/TASK.json next to model_meta.json. */
import { fileName, fileNames } from '../../base/files/fileName';
import type { Entry } from '../paper/entry';
import { firmInterval, metricName } from '../figures';
import { reporting } from '../../probe/list';

export function mtebFiles(entries: readonly Entry[]): Map<string, string> {
  const files = new Map<string, string>();
  const folders = foldersOf(entries);
  const tasks = entries.map(({ report, dataset }) => `${reporting(report.probe).id}.${dataset}`);
  const names = fileNames(tasks);
  for (const [i, { report, evaluator }] of entries.entries()) {
    const revision = report.evaluator.sha256.slice(0, 40);
    const folder = `results/${folders.get(evaluator)!}/${fileName(revision)}`;
    files.set(`${folder}/${names.get(tasks[i])!}.json`, json(resultOf(report, tasks[i])));
    files.set(
      `${folder}/model_meta.json`,
      json({
        name: evaluator,
        revision,
        release_date: null,
        languages: ['eng-Latn'],
        framework: ['Captious'],
        embed_dim: report.evaluator.dimension ?? null,
        similarity_fn_name: report.evaluator.scale.name,
      }),
    );
  }
  return files;
}

/** The evaluators' folders. Like mteb, replaces the slash after an organisation with two underscores. */
function foldersOf(entries: readonly Entry[]): Map<string, string> {
  const evaluators = new Set(entries.map(({ evaluator }) => evaluator));
  const parts = Array.from(evaluators, (name) => name.split('/'));
  const names = fileNames([...evaluators, ...parts.flat()]);
  return new Map(
    parts.map((own) => [
      own.join('/'),
      own.length === 2 ? own.map((part) => names.get(part)!).join('__') : names.get(own.join('/'))!,
    ]),
  );
}

function resultOf(report: Entry['report'], task: string): object {
  const whole = report.metrics.filter(
    ({ slice, value, moot }) => slice === undefined && value !== null && moot !== true,
  );
  const probe = reporting(report.probe);
  const led = (probe.leading ?? []).flatMap(({ metric }) => whole.find(({ id }) => metric.test(id)) ?? []);
  const [main] = [...led, ...whole];
  const scores: Record<string, unknown> = {};
  for (const metric of report.metrics) {
    if (metric.value === null) continue;
    const name = metricName(metric);
    scores[name] = metric.value;
    scores[`${name}_n`] = metric.n;
    const ci = firmInterval(metric);
    if (ci !== undefined) scores[`${name}_ci95`] = ci;
  }
  return {
    dataset_revision: report.dataset.sha256,
    task_name: task,
    mteb_version: null,
    evaluation_time: null,
    kg_co2_emissions: null,
    scores: {
      test: [{ ...scores, main_score: main?.value ?? null, hf_subset: 'default', languages: ['eng-Latn'] }],
    },
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
