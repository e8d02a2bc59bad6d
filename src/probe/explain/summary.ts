import { largest, smallest } from '../../base/extent';
import { append } from '../../base/lists';
import { pEquals } from '../../base/pValue';
import { say, type Words } from '../../base/say';
import { eachOf, type Steps } from '../../base/turns/steps';
import { type WordKind, wordKinds } from '../../perturb/text/wordKinds';
import { leastClusters } from '../../stats/decisions/smallSample';
import { plainMean } from '../../stats/summary';
import { Clusters, Figure } from '../figure';
import { Difference } from '../inference/difference';
import { clusterOf, type Metric, type Slice } from '../metric';
import type { Findings, Summary } from '../probe';
import { type ExplainRow, type Third, thirdOf, thirds } from './row';

/** The kinds that are compared with the nouns of the same captions. */
export const comparedKinds = wordKinds.filter((kind) => kind !== 'noun' && kind !== 'other');

/** How many single words a report lists, and the longest word that it lists. */
const mostListed = 20;
const longest = 40;

const nounsOnly: Slice = { 'word kind': 'noun' };

/** The sizes of the influences of a word, with its images. */
interface Single {
  figure: Figure;
  images: Set<number>;
}

export class ExplainSummary implements Summary<ExplainRow> {
  private readonly clusters = new Clusters();
  private readonly all = new Figure();
  private readonly byKind = new Map(wordKinds.map((kind) => [kind, new Figure()]));
  private readonly byThird = new Map(thirds.map((third) => [third, new Figure()]));
  private readonly nounsByThird = new Map(thirds.map((third) => [third, new Figure()]));
  private readonly singles = new Map<string, Single>();
  private readonly contrasts = new Map(comparedKinds.map((kind) => [kind, new WordContrast()]));
  private readonly lastAgainstFirst = new Difference('numbers');
  private captions = 0;
  private withoutKinds = 0;
  private unfit = 0;

  constructor(private readonly leastImages: number) {}

  add(row: ExplainRow): void {
    const cluster = this.clusters.of(clusterOf(row));
    const nouns: Record<Third, number[]> = { first: [], middle: [], last: [] };
    this.captions++;
    this.unfit += row.unfit ?? 0;
    if (row.words.some(({ kind }) => kind === undefined)) this.withoutKinds++;
    for (const word of row.words) {
      const [size, third] = [Math.abs(word.influence), thirdOf(row, word)];
      this.all.add(size, cluster);
      this.byThird.get(third)!.add(size, cluster);
      if (word.kind !== undefined) this.byKind.get(word.kind)!.add(size, cluster);
      if (word.kind === 'noun') {
        this.nounsByThird.get(third)!.add(size, cluster);
        nouns[third].push(size);
      }
      this.addSingle(word.word.toLowerCase(), size, cluster);
    }
    const ofNouns = [...nouns.first, ...nouns.middle, ...nouns.last];
    if (ofNouns.length > 0)
      for (const { word, kind, influence } of row.words)
        this.contrasts
          .get(kind as Exclude<WordKind, 'noun' | 'other'>)
          ?.add(Math.abs(influence) - plainMean(ofNouns), word.toLowerCase(), cluster);
    if (nouns.first.length > 0 && nouns.last.length > 0)
      this.lastAgainstFirst.add(plainMean(nouns.last) - plainMean(nouns.first), cluster);
  }

  private addSingle(word: string, size: number, cluster: number): void {
    if (word.length > longest) return;
    const known = this.singles.get(word) ?? { figure: new Figure(), images: new Set() };
    this.singles.set(word, known);
    known.figure.add(size, cluster);
    known.images.add(cluster);
  }

  soFar(): Metric[] {
    return [this.all.soFar('explain.word')];
  }

  *finish(): Steps<Findings> {
    const metrics: Metric[] = [yield* this.all.metric('explain.word')];
    append(metrics, yield* eachOf(this.byKind, ([kind, figure]) => figure.metric(`explain.word.${kind}`)));
    for (const [kind, contrast] of this.contrasts)
      append(metrics, yield* contrast.metrics(`explain.word.${kind}.againstNouns`));
    append(
      metrics,
      yield* eachOf(this.byThird, ([third, figure]) => figure.metric(`explain.position.${third}`)),
    );
    append(metrics, yield* this.lastAgainstFirst.metrics('explain.position.lastAgainstFirst'));
    append(
      metrics,
      yield* eachOf(this.nounsByThird, ([third, figure]) =>
        figure.metric(`explain.position.${third}`, { slice: nounsOnly }),
      ),
    );
    append(
      metrics,
      yield* eachOf(this.listed(), ([word, { figure }]) =>
        figure.metric('explain.word', { slice: { word } }),
      ),
    );
    return { metrics, warnings: this.warnings() };
  }

  /** The words with the largest mean influence, of those that enough images have. */
  private listed(): [string, Single][] {
    const valueOf = ({ figure }: Single): number => figure.soFar('').value!;
    return [...this.singles]
      .filter(([, { images }]) => images.size >= this.leastImages)
      .sort(([a, one], [b, other]) => valueOf(other) - valueOf(one) || (a < b ? -1 : 1))
      .slice(0, mostListed);
  }

  private warnings(): Words[] {
    const { captions, withoutKinds, unfit } = this;
    return [
      ...(withoutKinds > 0 ? [say('explain.withoutKinds', withoutKinds, captions)] : []),
      ...(unfit > 0 ? [say('explain.unfitCaptions', unfit)] : []),
    ];
  }
}

/**
 * Words of one kind, each compared with the nouns of its caption. A word alone may move the score of every caption, so the
 * test holds with one observation per image, and per word.
 */
class WordContrast {
  private readonly words = new Clusters();
  private readonly byImage = new Difference('numbers');
  private readonly byWord = new Difference('numbers');
  private readonly distinct = new Set<number>();

  add(value: number, word: string, cluster: number): void {
    const own = this.words.of(word);
    this.distinct.add(own);
    this.byImage.add(value, cluster);
    this.byWord.add(value, own);
  }

  *metrics(id: string): Steps<Metric[]> {
    const [whole, p] = yield* this.byImage.metrics(id);
    const [wholeByWord, pByWord] = yield* this.byWord.metrics(id);
    if (p.value === null) return [whole, p];
    const [words, images] = [this.distinct.size, p.images ?? p.n];
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
        note: say('explain.largerOfWords', images, byImage, words, byWord),
      },
    ];
  }
}
