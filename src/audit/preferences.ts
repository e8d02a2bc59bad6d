import { inputError, throwIfCancelled } from '../base/errors';
import { say } from '../base/say';
import { inTurns } from '../base/turns/steps';
import type { Bench } from '../bench/bench';
import { createImageFinder } from '../dataset/images/images';
import { partlyField, type PartlyFound } from '../dataset/images/partlyFound';
import { openDataset } from '../dataset/open';
import type { Evaluator } from '../evaluator/evaluator';
import type { Want } from '../protocol/item';
import { Clusters, Figure } from '../probe/figure';
import { mean } from '../stats/summary';
import { findImages } from './findImages';

export interface PreferenceAccuracy {
  n: number;
  /** The share of pairs with a higher score for the preferred caption. Ties count one half. */
  value: number;
  ci?: readonly [number, number];
  ties: number;
}

/** How often each evaluator agrees with people on the same pairs of captions. */
export async function preferenceAccuracy(
  path: string,
  evaluators: readonly Evaluator[],
  {
    bench,
    images = [],
    signal,
    onPartly,
  }: {
    bench: Bench;
    images?: readonly string[];
    signal: AbortSignal;
    onPartly?: (partly: PartlyFound | undefined) => void;
  },
): Promise<PreferenceAccuracy[]> {
  const dataset = await openDataset(path, { signal });
  const finder = createImageFinder({ dataset, folders: images, signal });
  const wants: Want[] = [];
  const names: string[] = [];
  for await (const example of dataset.read({ signal })) {
    throwIfCancelled(signal);
    if (example.form !== 'preference' || example.preferred === undefined || example.preferred === null)
      continue;
    const [image] = await findImages(example, finder);
    if (image === undefined) continue;
    const other = example.captions.findIndex(
      ({ role }, i) => role === 'candidate' && i !== example.preferred,
    );
    if (other === -1) continue;
    for (const at of [example.preferred, other])
      wants.push({ left: image, right: { kind: 'text', text: example.captions[at].text.trim() } });
    names.push(example.images[0].name);
  }
  if (names.length === 0)
    throw inputError(say('audit.noUsablePreference'), say('audit.choosePreferencesFile'), path);
  onPartly?.(partlyField(finder.partly).partly);
  return Promise.all(
    evaluators.map(async (evaluator) => {
      const outcomes = await bench.scores(evaluator, wants, signal);
      const sides: { value: number; image: string }[] = [];
      for (const [i, image] of names.entries()) {
        const [preferred, other] = [outcomes[2 * i], outcomes[2 * i + 1]];
        if (!preferred.ok || !other.ok) continue;
        const gap = preferred.value - other.value;
        sides.push({ value: gap > 0 ? 1 : gap === 0 ? 0.5 : 0, image });
      }
      const values = sides.map(({ value }) => value);
      const accuracy: PreferenceAccuracy = {
        n: values.length,
        value: mean(values),
        ties: values.filter((value) => value === 0.5).length,
      };
      const [figure, clusters] = [new Figure(), new Clusters()];
      for (const { value, image } of sides) figure.add(value, clusters.of(image));
      const { ci } = await inTurns(figure.metric('', { share: true }), signal);
      if (ci !== undefined) accuracy.ci = ci;
      return accuracy;
    }),
  );
}
