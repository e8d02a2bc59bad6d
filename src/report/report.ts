import { readFile } from 'node:fs/promises';
import { CaptiousError, wordsOf } from '../base/errors';
import { say } from '../base/say';
import { ShapeError } from '../base/shape';
import type { EvaluatorInfo } from '../evaluator/evaluator';
import type { Claim, Metric, OptionValue } from '../probe/probe';
import { parseReport, type reportSchema } from './reportShape';

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
    throw new CaptiousError('input', say`The report cannot be read.`, {
      at: path,
      remedy: wordsOf(cause),
      cause,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw new CaptiousError('input', say`This is not JSON: ${wordsOf(cause)}.`, {
      at: path,
      remedy: say`Make the report again with "captious audit".`,
      cause,
    });
  }
  try {
    return parseReport(value);
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw new CaptiousError('input', say`This is not a report Captious can read: ${cause.message}`, {
      at: path,
      remedy: say`Give a file named *.report.json that "captious audit" has written.`,
      cause,
    });
  }
}
