/* Turns a log's samples into rows: epochs become means, and what has no number is counted. */
import type { Better } from '../../probe/imported/directions';
import { createHash } from 'node:crypto';
import { inputError, usageError } from '../../base/errors';
import { say } from '../../base/say';
import type { ImportedRow } from '../../probe/imported/row';
import { mean } from '../../stats/summary';
import type { Exclusions } from '../exclusions';
import { type Log, type LoggedSample, textOf } from './log';

export interface Grouping {
  /** The path of the log. */
  log: string;
  /** The field whose values count as one observation each. */
  cluster?: string;
  better?: ReadonlyMap<string, Better>;
}

/** The field that names a sample's image, if it is called so. */
const imageFields = ['image', 'image_id', 'image_path', 'image_file'];
const longestText = 2000;

export interface ImportedRows {
  rows: ImportedRow[];
  /** Identifies the samples, so that reports of the same samples can be compared. */
  sha256: string;
  /** The field of the images by which samples are grouped, if the user named no field. */
  imageField?: string;
  /** The scores whose direction is not known. */
  undirected: string[];
  /** The fields that were no number in any sample. */
  noNumbers: string[];
}

/** Throws if a field is missing, or if a score has values of several samples. */
export function rowsOf(
  log: Log,
  exclusions: Exclusions,
  { log: path, cluster, better }: Grouping,
): ImportedRows {
  const byId = groupedById(log.samples, path);
  const numbers = new Set<string>();
  const all = new Set<string>();
  for (const { scores } of log.samples) for (const [name, { ok }] of scores) (ok ? numbers : all).add(name);
  const noNumbers = [...all].filter((name) => !numbers.has(name));
  const directions = new Map([...log.better, ...(better ?? [])]);
  const imageField = imageFields.find((field) =>
    log.samples.every(({ fields }) => textOf(fields[field]) !== undefined),
  );
  const rows: ImportedRow[] = [];
  const hash = createHash('sha256').update(JSON.stringify([log.program, log.task]));
  for (const [id, epochs] of [...byId].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\n${JSON.stringify([id, epochs[0].target ?? null])}`);
  for (const [id, epochs] of byId) {
    const [first] = epochs;
    const group = cluster === undefined ? undefined : groupOf(first, cluster, path);
    const values = valuesOf(epochs, numbers, exclusions);
    if (values.size === 0) continue;
    const known = [...values.keys()].flatMap((name) => {
      const direction = directions.get(name);
      return direction === undefined ? [] : [[name, direction] as const];
    });
    rows.push({
      ...{ example: id, row: rows.length },
      ...(imageField === undefined ? {} : { image: textOf(first.fields[imageField]) }),
      ...(group === undefined ? {} : { cluster: group }),
      scores: Object.fromEntries([...values].map(([name, all]) => [name, mean(all)])),
      ...(known.length === 0 ? {} : { better: Object.fromEntries(known) }),
      ...(epochs.length === 1 ? {} : { epochs: Object.fromEntries(values) }),
      ...textsOf(first, epochs.length === 1),
    });
  }
  const unused = [...(better ?? [])].find(([name]) => !numbers.has(name));
  if (unused !== undefined)
    throw usageError(
      say('imported.scoreUnknown', unused[0]),
      say('imported.listScores', [...numbers].join(', ')),
    );
  return {
    ...{ rows, sha256: hash.digest('hex') },
    ...(imageField === undefined || cluster !== undefined ? {} : { imageField }),
    undirected: [...numbers].filter((name) => !directions.has(name)),
    noNumbers,
  };
}

function groupedById(samples: readonly LoggedSample[], path: string): Map<string, LoggedSample[]> {
  const byId = new Map<string, LoggedSample[]>();
  for (const sample of samples) {
    const known = byId.get(sample.id);
    if (known === undefined) byId.set(sample.id, [sample]);
    else if (sample.epoch === undefined || known.some(({ epoch }) => epoch === sample.epoch))
      throw inputError(
        say('imported.sampleTwice', sample.id),
        say('imported.keepOne'),
        sample.line === undefined ? path : `${path}:${sample.line}`,
      );
    else known.push(sample);
  }
  return byId;
}

function groupOf({ id, fields }: LoggedSample, field: string, path: string): string {
  const group = textOf(fields[field]);
  if (group !== undefined) return group;
  throw usageError(
    say('imported.clusterMissing', id, field),
    say('imported.listFields', Object.keys(fields).join(', ') || '–'),
    path,
  );
}

/** Each score's values in the order of the epochs. An epoch without a number is left out and counted. */
function valuesOf(
  epochs: readonly LoggedSample[],
  numbers: ReadonlySet<string>,
  exclusions: Exclusions,
): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { line, scores, failed } of epochs) {
    if (failed !== undefined) exclusions.leaveOut(failed, line, 0, true);
    else if (![...scores.keys()].some((name) => numbers.has(name)))
      exclusions.leaveOut(say('imported.sampleWithoutScore'), line, 0, true);
    for (const [name, score] of scores) {
      if (!numbers.has(name)) continue;
      if (!score.ok) exclusions.leaveOut(say('imported.scoreLeftOut', name, score.why), line, 0, true);
      else if (values.get(name)?.push(score.value) === undefined) values.set(name, [score.value]);
    }
  }
  return values;
}

/** The answer belongs to one epoch, so samples with several have none. */
function textsOf(
  { input, target, answer }: LoggedSample,
  isOnly: boolean,
): Pick<ImportedRow, 'input' | 'target' | 'answer'> {
  const short = (text: string): string => text.slice(0, longestText);
  return {
    ...(input === undefined ? {} : { input: short(input) }),
    ...(target === undefined ? {} : { target: short(target) }),
    ...(answer === undefined || !isOnly ? {} : { answer: short(answer) }),
  };
}
