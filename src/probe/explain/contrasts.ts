/* Compares kinds of words with the nouns of the same captions, and late nouns with early ones. */
import { smallest } from '../../base/extent';
import { LongColumn } from '../../base/files/longColumn';
import { pEquals } from '../../base/pValue';
import { say } from '../../base/say';
import { allOf, type Steps } from '../../base/turns/steps';
import { wordKinds } from '../../perturb/words/wordKinds';
import { clusteredDifferenceTest } from '../../stats/decisions/groupTest';
import { leastClusters } from '../../stats/decisions/smallSample';
import { studentQuantile, studentTwoSided } from '../../stats/distributions';
import { isDefined, notDefined, type Outcome } from '../../stats/outcome';
import { sum } from '../../stats/summary';
import { Clusters } from '../figure';
import { Difference } from '../inference/difference';
import { imagesOf, type Metric, type Slice } from '../metric';
import { type ExplainedWord, type ExplainRow, thirdOf } from './row';

/** The kinds that are compared with the nouns of the same captions. */
export const comparedKinds = wordKinds.filter((kind) => kind !== 'noun' && kind !== 'other');

export const kindContrast = (kind: (typeof comparedKinds)[number]): string =>
  `explain.word.${kind}.againstNouns`;
export const positionContrast = 'explain.position.lastAgainstFirst';

/** The same difference for all other words, which tells whether it is one of nouns or of places. */
export const otherWords: Slice = { 'word kind': 'not a noun' };

export class Contrasts {
  private readonly others = new WordContrast();
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
    const other = row.words.filter(({ kind }) => kind !== undefined && kind !== 'noun');
    for (const [contrast, words] of [
      [this.all.get(positionContrast)!, nouns] as const,
      [this.others, other] as const,
    ]) {
      const [late, early] = ['last', 'first'].map((third) =>
        words.filter((word) => thirdOf(row, word) === third),
      );
      contrast.add(late, early, cluster);
    }
  }

  *metrics(): Steps<Metric[]> {
    const metrics = yield* allOf(this.all, ([id, contrast]) => contrast.metrics(id));
    return [...metrics, ...(yield* this.others.metrics(positionContrast, otherWords))];
  }
}

/**
 * Two groups of words of the captions that have both. A word alone may move the score of every caption, so the test must
 * hold with one observation per image, and per word.
 */
class WordContrast {
  private readonly byImage = new Difference('groups');
  private readonly byWord = new ByWord();

  add(first: readonly ExplainedWord[], second: readonly ExplainedWord[], cluster: number): void {
    if (first.length === 0 || second.length === 0) return;
    for (const [group, own] of [['first', first] as const, ['second', second] as const])
      for (const { word, influence } of own) {
        this.byImage.addTo(group, Math.abs(influence), cluster);
        this.byWord.add(group, Math.abs(influence), word.toLowerCase());
      }
  }

  *metrics(id: string, slice?: Slice): Steps<Metric[]> {
    const [whole, p] = yield* this.byImage.metrics(id, slice);
    if (p.value === null || whole.ci === undefined) return [whole, p];
    yield;
    const { words, test } = this.byWord.test();
    if (!isDefined(test)) {
      const bare: Metric = { ...whole, note: say('probe.noInterval', test.reason) };
      delete bare.ci;
      return [bare, { ...p, value: null, note: say('inference.noTest', test.reason) }];
    }
    const [low, high] = whole.ci;
    const [byImage, byWord] = [pEquals(p.value), pEquals(test.pValue)];
    return [
      { ...whole, ci: [Math.min(low, test.low), Math.max(high, test.high)] },
      {
        ...p,
        value: Math.max(p.value, test.pValue),
        note: say('explain.largerOfWords', imagesOf(p), byImage, words, byWord),
      },
    ];
  }
}

interface WordTest {
  /** How many distinct words there are. */
  words: number;
  test: Outcome<{ low: number; high: number; pValue: number }>;
}

/**
 * The test with one observation per word. A few words such as "a" are most of their kind, so there are no more degrees of
 * freedom than the effective number of words (Kish) minus one.
 */
class ByWord {
  private readonly names = new Clusters();
  private readonly values = new LongColumn<Float64Array>(Float64Array);
  private readonly words = new LongColumn(Uint32Array);
  private readonly firsts = new LongColumn(Uint8Array);

  add(group: 'first' | 'second', value: number, word: string): void {
    this.values.push(value);
    this.words.push(this.names.of(word));
    this.firsts.push(group === 'first' ? 1 : 0);
  }

  test(): WordTest {
    const [values, words, firsts] = [this.values.all(), this.words.all(), this.firsts.all()];
    const sizes = [1, 0].map((side) => {
      const counts = new Map<number, number>();
      for (const [i, word] of words.entries())
        if (firsts[i] === side) counts.set(word, (counts.get(word) ?? 0) + 1);
      return [...counts.values()];
    });
    const distinct = new Set(words).size;
    const fewest = smallest(sizes.map(({ length }) => length));
    const found =
      fewest < leastClusters
        ? notDefined(say('explain.tooFewWords', fewest, leastClusters))
        : clusteredDifferenceTest(values, firsts, words);
    if (!isDefined(found)) return { words: distinct, test: found };
    const effective = smallest(sizes.map((own) => sum(own) ** 2 / sum(own.map((size) => size ** 2))));
    const degrees = Math.min(found.degrees, effective - 1);
    const { estimate, standardError } = found;
    const reach = studentQuantile(0.975, degrees) * standardError;
    const pValue = studentTwoSided(estimate / standardError, degrees);
    return { words: distinct, test: { low: estimate - reach, high: estimate + reach, pValue } };
  }
}
