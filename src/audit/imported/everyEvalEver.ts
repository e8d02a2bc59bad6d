/* Reads the instances of Every Eval Ever: one line for each sample and metric, with a file about the whole run. */
import type { Better } from '../../probe/imported/directions';
import { basename, dirname, join } from 'node:path';
import { inputError, Reason } from '../../base/errors';
import { say } from '../../base/say';
import { type Log, type LoggedSample, type LoggedScore, scoreOf, textOf } from './log';
import { recordsIn } from './readJson';
import { isRecord } from '../../base/quickTest';

export function isInstance(record: Record<string, unknown>): boolean {
  return 'sample_id' in record && 'evaluation_id' in record && isRecord(record.evaluation);
}

export function isAggregate(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && 'schema_version' in value && Array.isArray(value.evaluation_results);
}

/** The log of a run whose file names its instances, which are next to it. */
export async function everyEvalEverRun(path: string, run: Record<string, unknown>): Promise<Log> {
  const { detailed_evaluation_results: details } = run;
  const file = isRecord(details) ? textOf(details.file_path) : undefined;
  if (file === undefined)
    throw inputError(say('imported.onlyAggregates', 'Every Eval Ever'), say('imported.giveSamples'), path);
  return everyEvalEverLog(join(dirname(path), basename(file)), directionsIn(run.evaluation_results));
}

function directionsIn(results: unknown): Map<string, Better> {
  const better = new Map<string, Better>();
  for (const result of Array.isArray(results) ? results : []) {
    if (!isRecord(result) || !isRecord(result.metric_config)) continue;
    const lower = result.metric_config.lower_is_better;
    const direction = lower === true ? 'lower' : 'higher';
    for (const key of [result.evaluation_result_id, result.evaluation_name]) {
      const name = textOf(key);
      if (name !== undefined && typeof lower === 'boolean' && !better.has(name)) better.set(name, direction);
    }
  }
  return better;
}

export async function everyEvalEverLog(path: string, better = new Map<string, Better>()): Promise<Log> {
  const samples = new Map<string, LoggedSample & { scores: Map<string, LoggedScore> }>();
  const [tasks, models] = [new Set<string>(), new Set<string>()];
  for await (const { line, record } of recordsIn(path)) {
    const id = textOf(record.sample_id);
    const name = textOf(record.evaluation_result_id) ?? textOf(record.evaluation_name);
    if (id === undefined || name === undefined) throw new Reason(say('imported.sampleWithoutId', line));
    const fields = isRecord(record.metadata) ? record.metadata : {};
    const epoch = textOf(fields.epoch);
    const key = JSON.stringify([id, epoch]);
    let sample = samples.get(key);
    if (sample === undefined) {
      const input = isRecord(record.input) ? record.input : {};
      const texts = { input: textOf(input.raw), target: joined(input.reference) };
      const output = isRecord(record.output) ? joined(record.output.raw) : undefined;
      samples.set(key, (sample = { id, epoch, line, scores: new Map(), fields, ...texts, answer: output }));
    }
    if (sample.scores.has(name)) throw new Reason(say('imported.sampleTwice', id));
    const score = scoreOf(isRecord(record.evaluation) ? record.evaluation.score : undefined);
    sample.scores.set(name, textOf(record.error) === undefined ? score : failed);
    tasks.add(textOf(record.evaluation_name) ?? name);
    models.add(textOf(record.model_id) ?? 'unknown');
  }
  if (models.size > 1) throw new Reason(say('imported.severalModels', [...models].join(', ')));
  const [model = 'unknown'] = models;
  const task = [...tasks].sort().join(' ');
  return { program: 'Every Eval Ever', task, model, samples: [...samples.values()], better };
}

const failed: LoggedScore = { ok: false, why: say('imported.sampleFailed') };

function joined(texts: unknown): string | undefined {
  return Array.isArray(texts) && texts.length > 0 ? texts.map(String).join(' | ') : undefined;
}
