import { FileExplainer } from '../audit/explain/explainFile';
import type { AnswerOf, AskOf, CallContext } from '../base/calls';
import { explain, optionsFor } from '../explain/explain';
import type { ImageItem } from '../protocol/item';
import type { readerRequests } from '../protocol/service';
import { readReport } from '../report/report';
import { costly, type OpenEvaluators, refuse } from './openEvaluators';

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

/** The influence of the words of a caption, by the report's evaluator and with the store of runs. */
export async function wordInfluence(
  { report, caption, against, home, allowed }: AskOf<typeof readerRequests, 'wordInfluence'>,
  image: ImageItem | undefined,
  evaluators: OpenEvaluators,
  { signal }: CallContext,
): Promise<AnswerOf<typeof readerRequests, 'wordInfluence'>> {
  const { evaluator: info } = await readReport(report);
  const opened = await evaluators.of(info, home, allowed.evaluators, allowed.python);
  const isImage = image !== undefined && opened.evaluator.info.scores.includes('image-text');
  const pair = { caption, target: isImage ? { image } : { text: against } };
  const options = optionsFor(opened.evaluator, { method: 'leave-one-out', grid: undefined });
  const { words } = await explain({ ...opened, signal }, pair, options);
  return words.map(({ start, end, influence }) => ({ start, end, influence }));
}
