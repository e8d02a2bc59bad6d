import { english } from '../../../base/english';
import { say } from '../../../base/say';
import type { Metric } from '../../metric';

/* Writes the kind of altered entries that a metric covers into the metric's note, and reads it from there. */

const start = 'Altered entries: ';

export function withKind(metric: Metric, kind: string): Metric {
  return {
    ...metric,
    note: `${english(say('rococo.alteredEntriesKind', kind))}${metric.note ? ` ${metric.note}` : ''}`,
  };
}

/** The kind of altered entries that the metric covers. Undefined if its note names no kind. */
export function kindOf({ note = '' }: Metric): string | undefined {
  // A kind may contain a period: "mix-0.9".
  return note.startsWith(start) ? /^(.+?)\.(?: |$)/.exec(note.slice(start.length))?.[1] : undefined;
}
