import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { BenchmarkRow } from '../../probe/benchmark/row';
import { writeWhole } from '../../report/output';

interface Chosen {
  add(row: BenchmarkRow): void;
  write(): Promise<void>;
}

/** Collects the ids of the examples that keep the order of the evaluators, and writes one on each line. */
export function chosenExamples(file: string | undefined): Chosen {
  const ids = new Set<string>();
  return {
    add({ example, evaluators }) {
      if (evaluators?.subset === true) ids.add(example);
    },
    async write() {
      if (file === undefined) return;
      if (ids.size === 0)
        throw new CaptiousError('input', say('benchmark.noSubset'), {
          at: file,
          remedy: say('benchmark.moreEvaluators'),
        });
      await writeWhole(file, [...ids].map((id) => `${id}\n`).join(''));
    },
  };
}
