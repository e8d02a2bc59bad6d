import {
  choice,
  count,
  flag,
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
import type { Metric, OptionValue } from '../probe/probe';
import type { Report } from './report';

export const reportSchema = 'captious/report@1';

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
  moot: optional(flag),
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
