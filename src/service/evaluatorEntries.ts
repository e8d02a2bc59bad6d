/* Lists the evaluators that the editor offers. */
import { checkpointEvaluators } from '../evaluator/checkpoint/checkpoint';
import { listEvaluators } from '../evaluator/installed';
import { likelyAbilities } from '../probe/needs/needs';
import type { EvaluatorEntry } from '../protocol/service';

/** The installed evaluators, and those in `also`. */
export async function evaluatorEntries(home: string, also: readonly string[]): Promise<EvaluatorEntry[]> {
  const list = await listEvaluators({ home, also, insideEditor: true });
  return list.map((found): EvaluatorEntry => {
    const { id } = found;
    if ('problem' in found)
      return { id, name: id, kind: '', readsImages: false, abilities: [], problem: found.problem };
    const { name, kind, scores, size, python } = found;
    return {
      id,
      name,
      kind,
      readsImages: scores.includes('image-text'),
      abilities: likelyAbilities(found),
      size,
      ...(python && { python }),
    };
  });
}

export async function checkpointEntries(files: readonly string[]): Promise<EvaluatorEntry[]> {
  const found = await checkpointEvaluators(files);
  return found.map(({ reference, name, size, images }) => ({
    ...{ id: reference, name, kind: 'python', python: true },
    ...{ readsImages: images, abilities: [], size },
  }));
}
