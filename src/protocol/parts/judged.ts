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
  type Shaped,
  text,
  words,
} from '../../base/shape';
import { picks } from '../judgement';

/** What people judged about a table line. `perhaps`: why the changed caption may be true. */
const judgedLine = object({
  index: count,
  votes: list(object({ judge: text, picked: choice(...picks) })),
  own: optional(choice(...picks)),
  perhaps: optional(object({ word: text, caption: text })),
  /** Whether nobody can judge it here: Restricted Mode writes no file beside a report. */
  fixed: optional(flag),
});
export type JudgedLine = Shaped<typeof judgedLine>;

const interval = object({ value: nullable(number), n: count, ci: optional(pair(number, number)) });
const judged = object({
  judges: list(object({ name: text, rejected: count, valid: count })),
  /** The number of variants that no majority finds valid. */
  rejected: count,
  /** The main metrics of all rows, and without the rejected variants. */
  metrics: list(
    object({
      id: text,
      title: words,
      style: choice('percent', 'number', 'count'),
      all: interval,
      rest: interval,
    }),
  ),
});
export type Judged = Shaped<typeof judged>;

/** Requests about what people judged while they read a report. */
export const judgedRequests = {
  /**
   * The judgments about the table lines of one row; null if people cannot judge them. `pick` first judges the line, and
   * `open` takes the judgment back. Judgments lie beside the report, which never changes.
   */
  judge: {
    ask: object({ report: text, index: count, pick: optional(choice(...picks, 'open')) }),
    answer: nullable(list(judgedLine)),
  },
  /** All judgments on a report, with the metrics that they change; null without judgments. */
  judged: { ask: object({ report: text }), answer: nullable(judged) },
};
