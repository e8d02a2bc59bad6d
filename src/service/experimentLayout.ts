/* Where the runs of an experiment file are in its text, and what they audit. */
import { createHash } from 'node:crypto';
import { CaptiousError } from '../base/errors';
import { checkExperiment, type ExperimentFile } from '../experiment/check';
import { planOf } from '../experiment/plan';
import type { ExperimentLayout } from '../protocol/experiment';

/** `text` may be unsaved. A mistake is part of the answer, because users see it while they type. */
export async function experimentLayout(path: string, text: string, home: string): Promise<ExperimentLayout> {
  let file: ExperimentFile;
  try {
    const sha256 = createHash('sha256').update(text).digest('hex');
    file = { ...checkExperiment(text, path), sha256 };
  } catch (error) {
    return { runs: [{ line: 1, groups: [], problem: wordsOf(error) }] };
  }
  const names = Object.keys(file.experiment.runs ?? {});
  const runs = [undefined, ...names].map(async (name) => ({
    ...(name === undefined ? { line: 1 } : { name, line: file.text.keyPlaceOf(['runs', name]).line }),
    ...(await groupsOf(file, name, home)),
  }));
  return { runs: await Promise.all(runs) };
}

async function groupsOf(
  file: ExperimentFile,
  name: string | undefined,
  home: string,
): Promise<Pick<ExperimentLayout['runs'][number], 'groups' | 'hasSeries' | 'problem'>> {
  try {
    const { groups, evaluators, options, series } = await planOf(file, name, home);
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
