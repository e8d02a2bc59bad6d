/* The part of the tool "explain" that scores: words and regions behind the score of a caption. */
import { FileExplainer, usualFill } from '../audit/explain/explainFile';
import { influenceFor } from '../assistant/influence';
import { needsConsentToRun } from '../evaluator/python/consent';
import { needsConsent } from '../evaluator/remote/consent';
import { readReport } from '../report/report';
import type { ToolContext } from './toolContext';

interface Asked {
  report: string;
  line: number;
  evaluator: string;
  regions: 'grid' | 'objects' | undefined;
  images: readonly string[] | undefined;
}

export async function influenceOf(
  { report, line, evaluator, regions, images }: Asked,
  context: ToolContext,
): Promise<object> {
  const { home, signal, consents } = context;
  // The report names its dataset, so the dataset must be inside the user's folders, too.
  const dataset = await context.dataset((await readReport(report)).dataset.path);
  const [reference] = await context.evaluators.references([evaluator]);
  const explainer = await FileExplainer.open({
    ...{ dataset, evaluator: reference, home, signal, images: await context.imageFolders(images) },
    allow: async (consent) => {
      if (consent.given) return;
      if (!consents) throw consent.runs ? needsConsentToRun(consent) : needsConsent(consent);
      await consent.give();
    },
  });
  try {
    const objects = regions === 'objects' ? { fill: usualFill } : undefined;
    return influenceFor(await explainer.explain(await explainer.find({ line }), { objects, options: {} }));
  } finally {
    await explainer.close();
  }
}
