import { english, say } from '../../../base/say';
import type { Metric } from '../../metric';

/* Metrics without a slice cover one kind of altered entries, named in their note. */

const start = 'Altered entries: ';

export function withKind(metric: Metric, kind: string): Metric {
  return {
    ...metric,
    note: `${english(say`Altered entries: ${kind}.`)}${metric.note ? ` ${metric.note}` : ''}`,
  };
}

/** The metric's kind; undefined if its note names none. */
export function kindOf({ note = '' }: Metric): string | undefined {
  // A kind may contain a period: "mix-0.9".
  return note.startsWith(start) ? /^(.+?)\.(?: |$)/.exec(note.slice(start.length))?.[1] : undefined;
}
