import {
  choice,
  count,
  flag,
  list,
  number,
  object,
  optional,
  pair,
  record,
  type Shaped,
  text,
  union,
  words,
} from '../../base/shape';

/** Names one metric of a report. */
const metricKey = object({ id: text, slice: optional(record(text)) });
export type MetricKey = Shaped<typeof metricKey>;

/** Which evaluators of a comparison are right. */
export const side = choice('both', 'onlyFirst', 'onlySecond', 'neither');
export type Side = Shaped<typeof side>;

const axis = object({ title: words });
/** Charts of a selection of rows. */
export const chart = union({
  /** The count of each bin. `edges` has one more element than there are bins. */
  histogram: {
    id: text,
    title: words,
    x: axis,
    edges: list(number),
    /** Stacked series. `none` means no verdict. A tie counts as wrong; `tied` says whether there is one. */
    series: list(object({ verdict: choice('right', 'wrong', 'none'), counts: list(count) })),
    tied: flag,
    /** The counts of all lines, if a filter selects some of them. */
    behind: optional(list(count)),
    /** True if the bars count only lines with a verdict, false if only those without. Absent if they count all. */
    judged: optional(flag),
  },
  /**
   * The share of right lines for each facet value. If no filter is set, the intervals come from the report. Without
   * `facet`, the values are metrics of the report, whatever lines are selected.
   */
  shares: {
    id: text,
    title: words,
    facet: optional(text),
    chance: optional(number),
    values: list(
      object({
        value: text,
        /** What is shown instead of `value`. */
        name: optional(words),
        /** Whether the value is not shown to be better than chance. */
        pale: optional(flag),
        n: count,
        share: number,
        interval: optional(pair(number, number)),
        metrics: list(metricKey),
      }),
    ),
  },
  points: {
    id: text,
    title: words,
    x: axis,
    y: axis,
    /** Whether the lines have verdicts. Without verdicts, `right` has no meaning. */
    isJudged: flag,
    /** The border between right and wrong: the diagonal, or x = 0. */
    border: choice('diagonal', 'zero'),
    points: list(object({ index: count, x: number, y: number, right: flag })),
    /** The number of all points. Only a sample of them may be drawn. */
    of: count,
  },
  /** The values of table lines: x in the open report, y in the other report of the comparison. */
  versus: {
    id: text,
    title: words,
    x: axis,
    y: axis,
    points: list(object({ index: count, x: number, y: number, side: optional(side) })),
    of: count,
  },
});
export type Chart = Shaped<typeof chart>;
export type ChartOf<T extends Chart['type']> = Extract<Chart, { type: T }>;
