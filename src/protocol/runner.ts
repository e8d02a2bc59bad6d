import {
  count,
  countOrText,
  list,
  number,
  object,
  optional,
  record,
  type Shaped,
  text,
  union,
  words,
} from '../base/shape';
import { experimentOrder } from './experiment';
import { probeTitle, standing } from './panel';

/* Messages between the extension host and the process that runs an audit. */

/** What a run measures, in the order to its process and in its record. */
export const orderFields = {
  dataset: text,
  probes: list(text),
  evaluators: list(text),
  images: list(text),
  seed: optional(number),
  /** How many draws of the variants to make. */
  draws: optional(count),
  limit: optional(count),
  /** The column whose values are the clusters. */
  cluster: optional(text),
  /** Values of probe options that differ from their defaults, by probe. */
  options: optional(record(record(text))),
  /** The command line of the interpreter for evaluators in Python. */
  python: optional(list(text)),
  /** If present, the experiment file decides everything except `out`. */
  experiment: optional(experimentOrder),
};

export const auditOrder = object({ ...orderFields, out: text, home: text });
export type AuditOrder = Shaped<typeof auditOrder>;

export const runnerRequests = { audit: { ask: object({ order: auditOrder }), answer: object({}) } };

/** What the process reports during a run. */
export const fromRunner = union({
  started: { probe: probeTitle, format: text },
  progress: {
    probe: text,
    progress: object({
      fraction: optional(number),
      examples: count,
      asked: count,
      done: count,
      fromStore: count,
      rate: optional(number),
      secondsLeft: optional(number),
    }),
  },
  partialMetrics: { probe: text, partialMetrics: list(standing) },
  problem: { message: words, line: optional(countOrText) },
  notice: { message: text },
  report: { path: text },
});
export type FromRunner = Shaped<typeof fromRunner>;
