/* Where the runs of an experiment file are in its text, and what they audit. */
import { createHash } from 'node:crypto';
import { CaptiousError } from '../base/errors';
import { checkExperiment, type ExperimentFile } from '../experiment/check';
import { planOf } from '../experiment/plan';
import type { ExperimentLayout } from '../protocol/experiment';

/** `text` may be unsaved. A mistake is part of the answer, because users see it while they type. */
export function experimentLayout(path: string, text: string, home: string): ExperimentLayout {
  let file: ExperimentFile;
  try {
    const sha256 = createHash('sha256').update(text).digest('hex');
    file = { ...checkExperiment(text, path), sha256 };
  } catch (error) {
    return { runs: [{ line: 1, groups: [], problem: wordsOf(error) }] };
  }
  const names = Object.keys(file.experiment.runs ?? {});
  return {
    runs: [undefined, ...names].map((name) => ({
      ...(name === undefined ? { line: 1 } : { name, line: file.text.keyPlaceOf(['runs', name]).line }),
      ...groupsOf(file, name, home),
    })),
  };
}

function groupsOf(
  file: ExperimentFile,
  name: string | undefined,
  home: string,
): Pick<ExperimentLayout['runs'][number], 'groups' | 'hasSeries' | 'problem'> {
  try {
    const { groups, evaluators, options, series } = planOf(file, name, home);
    return {
      ...(series.length === 0 ? {} : { hasSeries: true }),
      groups: groups.map(({ dataset, probes, out, images, seed, limit }) => ({
        ...{ dataset: dataset.path, probes, evaluators, out, images, options },
        ...(seed === undefined ? {} : { seed }),
        ...(limit === undefined ? {} : { limit }),
      })),
    };
  } catch (error) {
    return { groups: [], problem: wordsOf(error) };
  }
}

function wordsOf(error: unknown): NonNullable<ExperimentLayout['runs'][number]['problem']> {
  if (error instanceof CaptiousError) return error.words;
  throw error;
}
