import { readFile } from 'node:fs/promises';
import { CaptiousError, messageOf } from '../base/errors';
import {
  choice,
  count,
  list,
  nullable,
  number,
  object,
  optional,
  pair,
  record,
  scalar,
  type Shape,
  ShapeError,
  text,
} from '../base/shape';
import type { EvaluatorInfo, Scale } from '../evaluator/evaluator';
import type { Claim, Metric, OptionValue } from '../probe/probe';

export const reportSchema = 'captious/report@1';

/** Entries that took no part, under one reason. */
export interface LeftOut {
  reason: string;
  count: number;
  /** Lines of the first few, where the format has lines. */
  lines: number[];
}

/** The value that leaves: one probe, one dataset, one evaluator, and all that is needed to make it again. */
export interface Report {
  schema: typeof reportSchema;
  probe: string;
  dataset: {
    path: string;
    sha256: string;
    format: string;
    /** Examples that took part. */
    examples: number;
    /** Entries that did not; `leftOut` says why. */
    skipped: number;
    leftOut: LeftOut[];
  };
  evaluator: EvaluatorInfo;
  options: Record<string, OptionValue>;
  seed: number;
  /** Only the first so many examples of the file were read. */
  limit?: number;
  /** Evaluators that shaped the variants together (a vote), where there were several. */
  together?: string[];
  /** What the metrics say in words, each with the rule by which an interval earned it. */
  claims: Claim[];
  metrics: Metric[];
  /** Name of the rows file beside the report, how many lines it has, and its SHA-256. */
  rows: string;
  rowCount: number;
  rowsSha256: string;
  warnings: string[];
  versions: Record<string, string>;
}

export async function readReport(path: string): Promise<Report> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CaptiousError('input', 'The report cannot be read.', {
      at: path,
      remedy: messageOf(cause),
      cause,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new CaptiousError('input', `This is not JSON: ${messageOf(cause)}.`, {
      at: path,
      remedy: 'Make the report again with "captious audit".',
      cause,
    });
  }
  try {
    return parseReport(value);
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw new CaptiousError('input', `This is not a report Captious can read: ${cause.message}`, {
      at: path,
      remedy: 'Give a file named *.report.json that "captious audit" has written.',
      cause,
    });
  }
}

/** Checks a value from outside; throws a ShapeError that names the place where it is no report. */
export function parseReport(value: unknown): Report {
  return reportShape(value, '');
}

/** A name and nothing but a name: rows lie beside their report and nowhere else. */
const fileName: Shape<string> = (value, at) => {
  const name = text(value, at);
  if (/[/\\\0]/.test(name) || name === '..') throw new ShapeError(at, 'the name of a file beside the report');
  return name;
};

const optionValue: Shape<OptionValue> = (value, at) => {
  const checked = scalar(value, at);
  if (checked === null) throw new ShapeError(at, 'a text, a number, true or false');
  return checked;
};

const scaleShape: Shape<Scale> = (value, at) => {
  const { name } = object({ name: choice('cosine', 'clipped', 'sigmoid', 'own') })(value, at);
  if (name === 'clipped') return { name, ...object({ weight: number })(value, at) };
  if (name === 'sigmoid') return { name, ...object({ factor: number, bias: number })(value, at) };
  if (name === 'own')
    return { name, ...object({ low: optional(number), high: optional(number) })(value, at) };
  return { name };
};

const evaluatorShape: Shape<EvaluatorInfo> = object({
  id: text,
  name: text,
  kind: choice('text-encoder', 'dual-encoder', 'pair-scorer', 'judge', 'scores'),
  path: optional(text),
  sha256: text,
  scores: list(choice('text-text', 'image-text', 'image-image')),
  dimension: optional(count),
  precision: text,
  provider: text,
  scale: scaleShape,
  prefix: text,
  notes: list(text),
  textKey: optional(text),
  imageKey: optional(text),
  pairKey: optional(text),
});

const metricShape: Shape<Metric> = object({
  id: text,
  value: nullable(number),
  n: count,
  ties: optional(number),
  ci: optional(pair(number, number)),
  slice: optional(record(scalar)),
  note: optional(text),
});

const reportShape: Shape<Report> = object({
  schema: choice(reportSchema),
  probe: text,
  dataset: object({
    path: text,
    sha256: text,
    format: text,
    examples: count,
    skipped: count,
    leftOut: list(object({ reason: text, count, lines: list(count) })),
  }),
  evaluator: evaluatorShape,
  options: record(optionValue),
  seed: count,
  limit: optional(count),
  together: optional(list(text)),
  claims: list(object({ text, rule: text })),
  metrics: list(metricShape),
  rows: fileName,
  rowCount: count,
  rowsSha256: text,
  warnings: list(text),
  versions: record(text),
});
