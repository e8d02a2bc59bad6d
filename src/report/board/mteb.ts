/* Exports reports as mteb results: results/MODEL/REVISION/TASK.json next to model_meta.json. */
import type { Entry } from '../paper/entry';
import { metricName } from '../figures';
import { probeNamed } from '../../probe/list';

/** Replaces characters that are unsafe in file names. Like mteb, replaces a slash with two underscores. */
function safe(name: string): string {
  return name
    .replaceAll('/', '__')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+/, '_');
}

export function mtebFiles(entries: readonly Entry[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const { report, evaluator, dataset } of entries) {
    const revision = report.evaluator.sha256.slice(0, 40);
    const folder = `results/${safe(evaluator)}/${safe(revision)}`;
    const task = `${probeNamed(report.probe).id}.${dataset}`;
    files.set(`${folder}/${safe(task)}.json`, json(resultOf(report, task)));
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

function resultOf(report: Entry['report'], task: string): object {
  const whole = report.metrics.filter(
    ({ slice, value, moot }) => slice === undefined && value !== null && moot !== true,
  );
  const probe = probeNamed(report.probe);
  const led = (probe.leading ?? []).flatMap(({ metric }) => whole.find(({ id }) => metric.test(id)) ?? []);
  const [main] = [...led, ...whole];
  const scores: Record<string, unknown> = {};
  for (const metric of report.metrics) {
    if (metric.value === null) continue;
    const name = metricName(metric);
    scores[name] = metric.value;
    scores[`${name}_n`] = metric.n;
    if (metric.ci !== undefined) scores[`${name}_ci95`] = metric.ci;
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
