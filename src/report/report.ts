import { readFile } from 'node:fs/promises';
import { CaptiousError, messageOf } from '../base/errors';
import type { EvaluatorInfo } from '../evaluator/evaluator';
import type { Metric, OptionValue } from '../probe/probe';

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
  metrics: Metric[];
  /** Name of the rows file beside the report, how many lines it has, and its SHA-256. */
  rows: string;
  rowCount: number;
  rowsSha256: string;
  warnings: string[];
  versions: Record<string, string>;
}

export async function readReport(path: string): Promise<Report> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new CaptiousError('input', 'The report cannot be read.', {
      at: path,
      remedy: messageOf(cause),
      cause,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CaptiousError('input', `This is not JSON: ${messageOf(cause)}.`, {
      at: path,
      remedy: 'Make the report again with "captious audit".',
      cause,
    });
  }
  const wrong = whatIsWrong(value);
  if (wrong !== undefined) {
    throw new CaptiousError('input', `This is not a report Captious can read: ${wrong}.`, {
      at: path,
      remedy: 'Give a file named *.report.json that "captious audit" has written.',
    });
  }
  return value as Report;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What keeps a value from being a report; undefined where it is one. */
export function whatIsWrong(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is not an object';
  if (value.schema !== reportSchema)
    return `"schema" is ${JSON.stringify(value.schema)}, not "${reportSchema}"`;
  for (const key of ['probe', 'rows', 'rowsSha256'] as const) {
    if (typeof value[key] !== 'string') return `"${key}" is not a text`;
  }
  if ((value.rows as string).includes('/') || (value.rows as string).includes('\\')) {
    return '"rows" is not the name of a file beside the report';
  }
  for (const key of ['seed', 'rowCount'] as const) {
    if (typeof value[key] !== 'number') return `"${key}" is not a number`;
  }
  if (!isRecord(value.options)) return '"options" is not an object';
  if (!isRecord(value.versions)) return '"versions" is not an object';
  if (!Array.isArray(value.warnings) || !value.warnings.every((item) => typeof item === 'string')) {
    return '"warnings" is not a list of texts';
  }
  return wrongInDataset(value.dataset) ?? wrongInEvaluator(value.evaluator) ?? wrongInMetrics(value.metrics);
}

function wrongInDataset(value: unknown): string | undefined {
  if (!isRecord(value)) return '"dataset" is not an object';
  for (const key of ['path', 'sha256', 'format']) {
    if (typeof value[key] !== 'string') return `"dataset.${key}" is not a text`;
  }
  for (const key of ['examples', 'skipped']) {
    if (typeof value[key] !== 'number') return `"dataset.${key}" is not a number`;
  }
  if (!Array.isArray(value.leftOut)) return '"dataset.leftOut" is not a list';
  const bad = value.leftOut.findIndex(
    (item) =>
      !isRecord(item) ||
      typeof item.reason !== 'string' ||
      typeof item.count !== 'number' ||
      !Array.isArray(item.lines),
  );
  return bad < 0 ? undefined : `"dataset.leftOut[${bad}]" lacks reason, count or lines`;
}

function wrongInEvaluator(value: unknown): string | undefined {
  if (!isRecord(value)) return '"evaluator" is not an object';
  for (const key of ['id', 'name', 'kind', 'sha256', 'precision', 'provider']) {
    if (typeof value[key] !== 'string') return `"evaluator.${key}" is not a text`;
  }
  return undefined;
}

function wrongInMetrics(value: unknown): string | undefined {
  if (!Array.isArray(value)) return '"metrics" is not a list';
  for (const [i, metric] of value.entries()) {
    if (!isRecord(metric)) return `"metrics[${i}]" is not an object`;
    if (typeof metric.id !== 'string') return `"metrics[${i}].id" is not a text`;
    if (metric.value !== null && typeof metric.value !== 'number')
      return `"metrics[${i}].value" is not a number or null`;
    if (typeof metric.n !== 'number') return `"metrics[${i}].n" is not a number`;
    const { ci } = metric;
    if (
      ci !== undefined &&
      !(Array.isArray(ci) && ci.length === 2 && ci.every((end) => typeof end === 'number'))
    ) {
      return `"metrics[${i}].ci" is not a pair of numbers`;
    }
    if (metric.slice !== undefined && !isRecord(metric.slice))
      return `"metrics[${i}].slice" is not an object`;
  }
  return undefined;
}
