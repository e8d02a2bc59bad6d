/* Reads logs of Inspect: .eval archives, and JSON. */
import type { Better } from '../../probe/imported/directions';
import { Reason } from '../../base/errors';
import { type ZipEntry, ZipFile } from '../../base/files/zip';
import { say } from '../../base/say';
import { countOf, type Log, type LoggedSample, type LoggedScore, scoreOf, textOf } from './log';
import { mostJson, pythonJson } from './readJson';
import { isRecord } from '../../base/quickTest';

const program = 'Inspect';
const mostSample = 64 << 20;

/** Inspect's grades: correct, incorrect, partly correct and no answer. */
const grades = new Map([
  ['C', 1],
  ['I', 0],
  ['P', 0.5],
  ['N', 0],
]);

export function isInspectLog(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && isRecord(value.eval) && typeof value.eval.task === 'string';
}

export async function inspectArchive(path: string): Promise<Log> {
  const zip = await ZipFile.open(path);
  try {
    const header = zip.entries.get('header.json');
    if (header === undefined) throw new Reason(say('imported.noHeader'));
    const log = pythonJson(await zip.read(header, mostJson));
    if (!isInspectLog(log)) throw new Reason(say('imported.noHeader'));
    const summaries = zip.entries.get('summaries.json');
    const samples: unknown = summaries === undefined ? [] : pythonJson(await zip.read(summaries, mostJson));
    const all = Array.isArray(samples) && samples.length > 0 ? samples : await samplesOf(zip);
    return inspectLog({ ...log, samples: all });
  } finally {
    await zip.close();
  }
}

/** The samples one by one, if a run was interrupted before it wrote their summaries. */
async function samplesOf(zip: ZipFile): Promise<unknown[]> {
  const isSample = ({ name }: ZipEntry): boolean => /^samples\/[^/]+\.json$/.test(name);
  const found: unknown[] = [];
  for (const entry of zip.entries.values()) {
    if (!isSample(entry)) continue;
    const sample = pythonJson(await zip.read(entry, mostSample));
    if (!isRecord(sample)) continue;
    const { id, epoch, input, target, metadata, scores, error } = sample;
    found.push({ id, epoch, input, target, metadata, scores, error });
  }
  return found;
}

export function inspectLog(log: Record<string, unknown>): Log {
  const { task, model, dataset } = log.eval as Record<string, unknown>;
  if (!Array.isArray(log.samples) || log.samples.length === 0) throw new Reason(say('imported.noSamples'));
  const better = new Map<string, Better>();
  const samples = log.samples.map((sample: unknown, i) => sampleOf(sample, i, better));
  const name = isRecord(dataset) ? textOf(dataset.name) : undefined;
  return {
    ...{ program, model: textOf(model) ?? 'unknown', samples, better },
    whole: isRecord(dataset) ? countOf(dataset.samples) : undefined,
    task: [textOf(task), name].filter((part) => part !== undefined).join(' '),
  };
}

function sampleOf(sample: unknown, at: number, better: Map<string, Better>): LoggedSample {
  const id = isRecord(sample) ? textOf(sample.id) : undefined;
  if (!isRecord(sample) || id === undefined) throw new Reason(say('imported.sampleWithoutId', at + 1));
  const scores = new Map<string, LoggedScore>();
  let answer: string | undefined;
  for (const [name, score] of Object.entries(isRecord(sample.scores) ? sample.scores : {})) {
    const value = isRecord(score) ? score.value : undefined;
    if (isRecord(score)) answer ??= textOf(score.answer);
    // A scorer may give several named values at once.
    const values = isRecord(value)
      ? Object.entries(value).map(([key, one]): [string, unknown] => [`${name}.${key}`, one])
      : [[name, value] as const];
    for (const [own, one] of values) {
      const grade = typeof one === 'string' ? grades.get(one) : undefined;
      if (grade !== undefined) better.set(own, 'higher');
      scores.set(own, grade === undefined ? scoreOf(one) : { ok: true, value: grade });
    }
  }
  const { error, input, target, metadata } = sample;
  const failed = error !== undefined && error !== null && scores.size === 0;
  const texts = { input: textOf(input), target: targetOf(target), answer };
  return {
    ...{ id, epoch: textOf(sample.epoch), scores, fields: isRecord(metadata) ? metadata : {} },
    ...(failed ? { failed: say('imported.sampleFailed') } : {}),
    ...texts,
  };
}

function targetOf(target: unknown): string | undefined {
  return Array.isArray(target) ? target.map(String).join(' | ') : textOf(target);
}
