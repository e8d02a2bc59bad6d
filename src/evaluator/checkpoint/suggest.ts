import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { checkpointEvaluators, needsArchitecture, weightEndings } from './checkpoint';

const lacksGraph = new Set(['model.noGraphs', 'evaluator.weightsWithoutModel']);

/** An error about weights without a graph, with the evaluators in Python that read them as its remedy. */
export async function suggestCheckpoint(error: unknown): Promise<unknown> {
  if (!(error instanceof CaptiousError) || error.at === undefined) return error;
  const { kind, what, details } = error;
  if (typeof what === 'string' || !lacksGraph.has(what.code)) return error;
  const found = await checkpointEvaluators(weightsAt(error.at));
  const references = found.map(({ reference }) => reference).filter((one) => !needsArchitecture(one));
  if (references.length === 0) return error;
  // A shell would expand the question mark of a reference without quotes.
  const quoted = references.map((one) => `"${one}"`);
  const remedy = say('evaluator.auditWeightsInPython', quoted.join(', '), quoted[0]);
  return new CaptiousError(kind, what, { ...details, remedy });
}

function weightsAt(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((name) => weightEndings.some((ending) => name.endsWith(`.${ending}`)))
      .map((name) => join(path, name));
  } catch {
    return [];
  }
}
