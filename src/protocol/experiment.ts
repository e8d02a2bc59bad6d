import { count, flag, list, number, object, optional, record, type Shaped, text, words } from '../base/shape';

/** Which run of an experiment file a run of the editor belongs to. */
export const experimentOrder = object({
  file: text,
  run: optional(text),
  /** Whether to make unchanged reports again. */
  all: flag,
});

const layout = object({
  /** The run without a name, then the named runs. */
  runs: list(
    object({
      name: optional(text),
      /** The line of the run in the file, counted from 1. */
      line: count,
      /** The audits of the run, one for each dataset and seed. `out` is the folder of their reports. */
      groups: list(
        object({
          ...{ dataset: text, probes: list(text), evaluators: list(text), out: text, images: list(text) },
          ...{ options: record(record(text)), seed: optional(number), limit: optional(count) },
        }),
      ),
      /** Whether some evaluators are checkpoints of a training run. */
      hasSeries: optional(flag),
      /** Why the run cannot start. */
      problem: optional(words),
    }),
  ),
});
export type ExperimentLayout = Shaped<typeof layout>;

export const experimentRequests = {
  /** Reads the text of an experiment file, which may be unsaved. */
  experiment: { ask: object({ path: text, text, home: text }), answer: layout, stallMs: 30_000 },
};
