import { FileExplainer } from '../audit/explain/explainFile';
import type { AskOf, CallContext } from '../base/calls';
import type { readerRequests } from '../protocol/service';
import { costly, refuse } from './openEvaluators';

/** Explains the score of the caption at a line. The answer is JSON text. */
export async function explainLine(
  { path: dataset, line, evaluator, images, home, python: usual }: AskOf<typeof readerRequests, 'explain'>,
  { signal }: CallContext,
): Promise<string> {
  const explainer = await FileExplainer.open({
    ...{ dataset, evaluator, images, home, signal },
    python: { usual, confirm: true },
    allow: async (consent) => refuse(consent),
  });
  try {
    const { info } = explainer.evaluator;
    if (info.kind === 'judge') throw costly(info);
    return JSON.stringify(await explainer.explain(await explainer.find({ line }), { options: {} }));
  } finally {
    await explainer.close();
  }
}
