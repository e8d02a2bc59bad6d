/* Compares kinds of words with the nouns of the same captions, and late nouns with early ones. */
import { largest, smallest } from '../../base/extent';
import { pEquals } from '../../base/pValue';
import { say } from '../../base/say';
import { allOf, type Steps } from '../../base/turns/steps';
import { wordKinds } from '../../perturb/text/wordKinds';
import { leastClusters } from '../../stats/decisions/smallSample';
import { Clusters } from '../figure';
import { Difference } from '../inference/difference';
import { imagesOf, type Metric } from '../metric';
import { type ExplainedWord, type ExplainRow, thirdOf } from './row';

/** The kinds that are compared with the nouns of the same captions. */
export const comparedKinds = wordKinds.filter((kind) => kind !== 'noun' && kind !== 'other');

export const kindContrast = (kind: (typeof comparedKinds)[number]): string =>
  `explain.word.${kind}.againstNouns`;
export const positionContrast = 'explain.position.lastAgainstFirst';

export class Contrasts {
  private readonly all = new Map(
    [...comparedKinds.map(kindContrast), positionContrast].map((id) => [id, new WordContrast()]),
  );

  add(row: ExplainRow, cluster: number): void {
    const nouns = row.words.filter(({ kind }) => kind === 'noun');
    for (const kind of comparedKinds)
      this.all.get(kindContrast(kind))!.add(
        row.words.filter((word) => word.kind === kind),
        nouns,
        cluster,
      );
    const [late, early] = ['last', 'first'].map((third) =>
      nouns.filter((word) => thirdOf(row, word) === third),
    );
    this.all.get(positionContrast)!.add(late, early, cluster);
  }

  *metrics(): Steps<Metric[]> {
    return yield* allOf(this.all, ([id, contrast]) => contrast.metrics(id));
  }
}

/**
 * Two groups of words of the captions that have both. A word alone may move the score of every caption, so the test must
 * hold with one observation per image, and per word.
 */
class WordContrast {
  private readonly words = new Clusters();
  private readonly byImage = new Difference('groups');
  private readonly byWord = new Difference('groups');
  private readonly distinct = { first: new Set<number>(), second: new Set<number>() };

  add(first: readonly ExplainedWord[], second: readonly ExplainedWord[], cluster: number): void {
    if (first.length === 0 || second.length === 0) return;
    for (const [group, own] of [['first', first] as const, ['second', second] as const])
      for (const { word, influence } of own) {
        const id = this.words.of(word.toLowerCase());
        this.distinct[group].add(id);
        this.byImage.addTo(group, Math.abs(influence), cluster);
        this.byWord.addTo(group, Math.abs(influence), id);
      }
  }

  *metrics(id: string): Steps<Metric[]> {
    const [whole, p] = yield* this.byImage.metrics(id);
    const [wholeByWord, pByWord] = yield* this.byWord.metrics(id);
    if (p.value === null) return [whole, p];
    const words = smallest([this.distinct.first.size, this.distinct.second.size]);
    if (pByWord.value === null || wholeByWord.ci === undefined || whole.ci === undefined) {
      const note = words < leastClusters ? say('explain.tooFewWords', words, leastClusters) : pByWord.note;
      const noted = note === undefined ? {} : { note };
      const bare: Metric = { ...whole, ...noted };
      delete bare.ci;
      return [bare, { ...p, value: null, ...noted }];
    }
    const [lows, highs] = [0, 1].map((end) => [whole.ci![end], wholeByWord.ci![end]]);
    const [byImage, byWord] = [pEquals(p.value), pEquals(pByWord.value)];
    return [
      { ...whole, ci: [smallest(lows), largest(highs)] },
      {
        ...p,
        value: largest([p.value, pByWord.value]),
        note: say('explain.largerOfWords', imagesOf(p), byImage, imagesOf(pByWord), byWord),
      },
    ];
  }
}
