/* What tools for assistants answer: bounded texts, reports in brief, and errors in full. */
import { withSentences } from '../base/english';
import { CaptiousError, actionable } from '../base/errors';
import { ShapeError } from '../base/shape';
import type { Report } from '../report/report';

/** The longest answer in characters, about 15,000 tokens. Longer answers would push the conversation out of memory. */
export const mostCharacters = 48_000;

const lengths = [100, 40, 15, 5, 2, 1];
const mostText = 2000;
const mostDepth = 12;

/** A value as JSON. If the text is too long, lists and texts are shortened, and `truncated` says so. */
export function answerText(said: object, more: string, most: number = mostCharacters): string {
  const value = withSentences(said);
  const whole = JSON.stringify(value);
  if (whole.length <= most) return whole;
  for (const length of lengths) {
    const text = Math.min(mostText, 20 * length);
    const truncated = `This answer was too long. It has only the first ${length} entries of each list, and the first ${text} characters of each text. ${more}`;
    const short = JSON.stringify({ truncated, ...(shortened({ value }, length, text, 0) as object) });
    if (short.length <= most) return short;
  }
  return JSON.stringify({
    truncated: `The answer has ${whole.length} characters, which is too long. ${more}`,
  });
}

function shortened(value: unknown, length: number, text: number, depth: number): unknown {
  if (typeof value === 'string') return value.length <= text ? value : `${value.slice(0, text)}…`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > mostDepth) return '…';
  const inner = (one: unknown): unknown => shortened(one, length, text, depth + 1);
  if (Array.isArray(value)) {
    const rest = value.length - length;
    return [...value.slice(0, length).map(inner), ...(rest > 0 ? [`… ${rest} more`] : [])];
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, Math.max(length, 30))
      .map(([key, one]) => [key.slice(0, mostText), inner(one)]),
  );
}

export function briefly({ probe, evaluator, dataset, claims, metrics, warnings }: Report): object {
  return {
    probe,
    evaluator: evaluator.name,
    examples: dataset.examples,
    leftOut: dataset.skipped,
    ...(dataset.leftOut.length === 0
      ? {}
      : { reasons: dataset.leftOut.map(({ reason, count }) => ({ reason, count })) }),
    claims: claims.map(({ text: words }) => words),
    metrics: metrics
      .filter(({ slice }) => slice === undefined)
      .map(({ id, value, n, ci, note }) => ({ id, value, n, ci, note })),
    warnings,
  };
}

/** The text of an error with its remedy, because an assistant reads only the text. Undefined for a defect. */
export function problemText(error: unknown): string | undefined {
  const known = actionable(error);
  if (known instanceof CaptiousError) return known.describe();
  return known instanceof ShapeError ? `The input is not valid. ${known.message}` : undefined;
}
