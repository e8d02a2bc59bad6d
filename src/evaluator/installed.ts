import { wordsOf } from '../base/errors';
import type { Words } from '../base/say';
import { Fingerprints } from '../base/files/fingerprints';
import { homeFolder, storeFolder } from '../base/files/home';
import type { EvaluatorPreview } from './evaluator';
import { previewEvaluator, type PreviewOptions } from './open';
import { knownIds, parseReference } from './reference';

/** A listed evaluator, or the problem that prevents opening it. */
export type ListedEvaluator = EvaluatorPreview | { id: string; path?: string; problem: Words };

/**
 * Lists the installed evaluators and those in `also`, or only those in `only`. The `id` of each result is the
 * reference that opens the evaluator.
 */
export async function listEvaluators(
  options: Partial<PreviewOptions> & { also?: readonly string[]; only?: readonly string[] } = {},
): Promise<ListedEvaluator[]> {
  const { home = homeFolder(), also = [] } = options;
  const { only = [...knownIds(home), ...also] } = options;
  const fingerprints = new Fingerprints(storeFolder(home));
  const list: ListedEvaluator[] = [];
  for (const id of new Set(only)) list.push(await listed(id, { ...options, home, fingerprints }));
  return list;
}

async function listed(id: string, options: PreviewOptions): Promise<ListedEvaluator> {
  let path: string | undefined;
  try {
    const reference = parseReference(id, options);
    path = 'path' in reference ? reference.path : undefined;
    return { ...(await previewEvaluator(id, options)), ...(path === undefined ? {} : { path }), id };
  } catch (error) {
    return { id, ...(path === undefined ? {} : { path }), problem: wordsOf(error) };
  }
}
