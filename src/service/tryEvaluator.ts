import { type AskOf, type CallContext } from '../base/calls';
import { CaptiousError } from '../base/errors';
import { storeFolder } from '../base/files/home';
import { say } from '../base/say';
import { createBench } from '../bench/createBench';
import { openEvaluator } from '../evaluator/open';
import type { ImageItem, TextItem } from '../protocol/item';
import type { readerRequests } from '../protocol/service';

/** Scores a sample: a caption and an image if the evaluator can score them, or else two captions. */
export async function tryEvaluator(
  { evaluator: reference, home, image, captions }: AskOf<typeof readerRequests, 'try'>,
  { signal }: CallContext,
): Promise<{ score: number; withImage: boolean }> {
  const evaluator = await openEvaluator(reference, { home, signal, python: { confirm: true } });
  const bench = createBench({ store: storeFolder(home) });
  try {
    const withImage = evaluator.info.scores.includes('image-text');
    const [right, other] = captions.map((text): TextItem => ({ kind: 'text', text }));
    const item: ImageItem = { kind: 'image', source: { name: image, path: image }, transforms: [] };
    const [outcome] = await bench.scores(evaluator, [{ left: withImage ? item : other, right }], signal);
    if (outcome.ok) return { score: outcome.value, withImage };
    throw new CaptiousError('evaluator', say('service.sampleUnscored', outcome.problem), { at: reference });
  } finally {
    await bench.close();
    await evaluator.close();
  }
}
