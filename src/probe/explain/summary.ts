import { append } from '../../base/lists';
import { say, type Words } from '../../base/say';
import { eachOf, type Steps } from '../../base/turns/steps';
import { wordKinds } from '../../perturb/words/wordKinds';
import { Clusters, Figure } from '../figure';
import { clusterOf, type Metric, type Slice } from '../metric';
import type { Findings, Summary } from '../probe';
import { Contrasts } from './contrasts';
import { RegionFigures } from './regions';
import { type ExplainRow, thirdOf, thirds } from './row';

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
  private readonly shapley = new Figure();
  private readonly shapleyByKind = new Map(wordKinds.map((kind) => [kind, new Figure()]));
  private readonly singles = new Map<string, Single>();
  private readonly contrasts = new Contrasts();
  private hasShapley = false;
  private readonly regions = new RegionFigures();
  private captions = 0;
  private withoutKinds = 0;
  private unfit = 0;

  constructor(private readonly leastImages: number) {}

  add(row: ExplainRow): void {
    const cluster = this.clusters.of(clusterOf(row));
    this.captions++;
    this.unfit += row.unfit ?? 0;
    if (row.words.some(({ kind }) => kind === undefined)) this.withoutKinds++;
    for (const word of row.words) {
      const [size, third] = [Math.abs(word.influence), thirdOf(row, word)];
      this.all.add(size, cluster);
      this.byThird.get(third)!.add(size, cluster);
      if (word.kind !== undefined) this.byKind.get(word.kind)!.add(size, cluster);
      if (word.kind === 'noun') this.nounsByThird.get(third)!.add(size, cluster);
      this.addSingle(word.word.toLowerCase(), size, cluster);
      if (word.shapley === undefined) continue;
      this.hasShapley = true;
      this.shapley.add(Math.abs(word.shapley), cluster);
      if (word.kind !== undefined) this.shapleyByKind.get(word.kind)!.add(Math.abs(word.shapley), cluster);
    }
    this.contrasts.add(row, cluster);
    if (row.regions !== undefined) this.regions.add(row.regions, cluster);
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
    append(metrics, yield* this.contrasts.metrics());
    append(
      metrics,
      yield* eachOf(this.byThird, ([third, figure]) => figure.metric(`explain.position.${third}`)),
    );
    append(
      metrics,
      yield* eachOf(this.nounsByThird, ([third, figure]) =>
        figure.metric(`explain.position.${third}`, { slice: nounsOnly }),
      ),
    );
    append(
      metrics,
      // A bootstrap over the few images of a word is too narrow.
      yield* eachOf(this.listed(), ([word, { figure }]) =>
        figure.metric('explain.word', { slice: { word }, interval: 'test' }),
      ),
    );
    if (this.hasShapley) {
      metrics.push(yield* this.shapley.metric('explain.shapley'));
      append(
        metrics,
        yield* eachOf(this.shapleyByKind, ([kind, figure]) => figure.metric(`explain.shapley.${kind}`)),
      );
    }
    append(metrics, yield* this.regions.metrics());
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
