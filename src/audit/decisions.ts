import { inputError } from '../base/errors';
import { say } from '../base/say';
import { inTurns } from '../base/turns/steps';
import { openDataset } from '../dataset/open';
import { rightOf } from '../probe/choice/plan';
import { ChoiceSummary } from '../probe/choice/summary';
import type { Metric } from '../probe/metric';

/** Computes metrics from a file of an evaluator's decisions. BiVLC's authors publish such files. */
export async function decisionMetrics(path: string, signal?: AbortSignal): Promise<Metric[]> {
  const dataset = await openDataset(path, { signal });
  if (dataset.form !== 'decisions')
    throw inputError(say('audit.notDecisions', dataset.title), say('audit.chooseDecisionsFile'), path);
  const summary = new ChoiceSummary({ options: {} });
  for await (const example of dataset.read({ signal })) {
    const { id, row, images, captions, attributes, by, sides, decisions } = example;
    summary.add({
      example: id,
      row,
      captions: captions.map(({ text }) => text),
      images: images.map(({ name }) => name),
      rightOf: rightOf(example),
      scores: [],
      tags: attributes,
      ...(by === undefined ? {} : { by }),
      ...(sides === undefined ? {} : { sides: [...sides] }),
      ...(decisions === undefined ? {} : { decisions }),
    });
  }
  return (await inTurns(summary.finish(), signal)).metrics;
}
