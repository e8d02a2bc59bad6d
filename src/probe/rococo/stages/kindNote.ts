import type { Metric } from '../../metric';

/* A metric without a slice covers one kind of altered entries, which its note names. */

const start = 'Altered entries: ';

export function withKind(metric: Metric, kind: string): Metric {
  return { ...metric, note: `${start}${kind}.${metric.note ? ` ${metric.note}` : ''}` };
}

/** The kind that the metric covers; undefined if its note names none. */
export function kindOf({ note = '' }: Metric): string | undefined {
  // A kind may contain a period: "mix-0.9".
  return note.startsWith(start) ? /^(.+?)\.(?: |$)/.exec(note.slice(start.length))?.[1] : undefined;
}
