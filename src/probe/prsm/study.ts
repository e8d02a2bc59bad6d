import { append } from '../../base/append';
import type { Attribute, Example } from '../../dataset/example';
import type { Evaluator } from '../../evaluator/evaluator';
import type { ImageItem } from '../../protocol/item';
import type { StabilityAnswer } from '../../protocol/ranking';
import type { Ranker } from '../../evaluator/ranking/ranking';
import type { Findings, GalleryContext } from '../probe';
import type { Metric } from '../metric';
import { embed, promptItem } from '../embeddings';
import { embedsBoth, pairScores, rerankedBy, tooMany } from '../pairScores';
import { compareOrders, startsOf } from './orders';
import { type PrsmOptions, requireGroups } from './options';
import { steadiness } from './row';
import { rowOf } from './rowOf';
import { comparisons } from './wordings';
import { WordingMaker } from './wordingMaker';
import { Family, Figures, pairNames, type Pair, type Query, type Result, wholePairs } from './figures';

interface Photo {
  name: string;
  image: ImageItem;
  example: Example;
}

/** The row of an item, if the evaluator has no embeddings. */
const noRow = new Float32Array(0);

/** How many images a row lists for each wording. */
const namedPhotos = 10;

export class Study {
  private readonly queries: Query[] = [];
  private readonly photos: Photo[] = [];
  private readonly examples: Example[] = [];
  private readonly maker: WordingMaker;

  constructor(
    private readonly context: GalleryContext,
    private readonly options: PrsmOptions,
    private readonly ranker: Ranker,
  ) {
    this.maker = new WordingMaker(options, context);
  }

  async run(): Promise<ReadonlyMap<Evaluator, Findings>> {
    await this.gather();
    requireGroups(this.options, this.examples);
    const findings = new Map<Evaluator, Findings>();
    for (const evaluator of this.context.evaluators) findings.set(evaluator, await this.ask(evaluator));
    return findings;
  }

  /** Embeds everything in these examples that ranking the whole dataset needs. */
  async encode(): Promise<void> {
    await this.gather();
    for (const evaluator of this.context.evaluators) {
      // Evaluators without embeddings score pairs of the whole dataset in the merge.
      if (!embedsBoth(evaluator)) continue;
      const images = this.photos.map(({ image }) => image);
      await embed(this.context, evaluator, images, () => undefined);
      const texts = this.texts().map((text) => promptItem(evaluator, text));
      await embed(this.context, evaluator, texts, () => undefined);
    }
  }

  /** Collects each image and each caption once. */
  private async gather(): Promise<void> {
    const { context } = this;
    const known = new Set<string>();
    const asked = new Set<string>();
    for await (const example of context.examples()) {
      const refusal = this.maker.refusalFor(example);
      if (refusal !== undefined) {
        for (const evaluator of context.evaluators) context.leaveOut(evaluator, refusal, example);
        continue;
      }
      const images = example.images.map((ref, at) => ({ ref, image: context.image(example, at) }));
      if (!images.some(({ image }) => image !== undefined)) {
        for (const evaluator of context.evaluators)
          context.leaveOut(evaluator, 'its image was not found', example);
        continue;
      }
      this.examples.push(example);
      for (const { ref, image } of images) {
        if (image === undefined) continue;
        const key = 'path' in image.source ? image.source.path : `${example.id} ${ref.name}`;
        if (known.has(key)) continue;
        known.add(key);
        this.photos.push({ name: ref.name, image, example });
      }
      this.gatherQueries(example, asked);
    }
  }

  private gatherQueries(example: Example, asked: Set<string>): void {
    const captions = [...example.captions.entries()].filter(([, { role }]) => role === 'caption');
    // The second caption of a triplet means the same as the first, so it is not a separate query.
    const queries = example.form === 'triplet' ? captions.slice(0, 1) : captions;
    for (const [index, { text, variants }] of queries) {
      const caption = text.trim();
      if (caption === '' || asked.has(caption)) continue;
      asked.add(caption);
      const given = (variants ?? [])
        .filter(({ family }) => family === 'paraphrase')
        .map((variant) => variant.text);
      if (example.form === 'triplet') for (const [, other] of captions.slice(1)) given.push(other.text);
      this.queries.push({
        example,
        caption: index,
        text: caption,
        wordings: this.maker.wordingsOf(example, index, caption, given),
      });
    }
  }

  private async ask(evaluator: Evaluator): Promise<Findings> {
    const { context, examples } = this;
    const texts = this.texts();
    const rerank = rerankedBy(evaluator);
    const embeds = embedsBoth(evaluator);
    const refusal = embeds
      ? undefined
      : rerank === undefined
        ? 'the evaluator does not embed both captions and images'
        : tooMany(texts.length * this.photos.length, context.options);
    if (refusal !== undefined) {
      for (const example of examples) context.leaveOut(evaluator, refusal, example);
      return { metrics: [], warnings: [] };
    }
    const unreadable = new Map<Example, string>();
    const images = await this.imageRows(evaluator, (at, problem) =>
      unreadable.set(this.photos[at].example, problem),
    );
    const photos = this.photos.filter((_, at) => images[at] !== undefined);
    const pictured = new Set(photos.map(({ example }) => example));
    for (const example of examples) {
      const problem = pictured.has(example) ? undefined : unreadable.get(example);
      if (problem === undefined) context.markUsed(evaluator, example);
      else context.leaveOut(evaluator, problem, example);
    }
    if (photos.length < 2)
      return {
        metrics: [],
        warnings: ['There are fewer than two images, so there is no ranking to compare.'],
      };

    const warnings = this.maker.warnings(this.queries.length);
    let failed = 0;
    const made = embeds
      ? await embed(
          context,
          evaluator,
          texts.map((text) => promptItem(evaluator, text)),
          () => failed++,
        )
      : texts.map(() => noRow);
    if (failed > 0) warnings.push(`${failed} wordings could not be embedded and were left out.`);
    const rowOf = new Map(texts.map((text, at) => [text, made[at]]));
    const families = this.queries
      .map((query) => new Family(query, rowOf, this.options.sets))
      .filter((family) => family.pairs.length > 0);
    if (families.length === 0)
      return { metrics: [], warnings: [...warnings, 'No caption has two wordings to compare.'] };

    const sizes = this.options.sizes.map((size) => Math.min(size, photos.length));
    const { answer, warning } = await compareOrders(context, this.ranker, evaluator, {
      families,
      images: photos.map(({ image }) => image),
      rows: images.filter((row) => row !== undefined),
      sizes: Int32Array.from(sizes),
      top: Math.min(namedPhotos, photos.length),
    });
    if (warning !== undefined) warnings.push(warning);
    const results = this.resultsOf(families, [...startsOf(families)], answer, sizes, photos);
    const metrics = this.metricsOf(results, sizes, photos.length);
    const written = results
      .map(({ row }) => row)
      .sort((a, b) => steadiness(a) - steadiness(b) || a.row - b.row);
    for (const row of written) await context.writeRow(evaluator, row);
    return { metrics, warnings };
  }

  /**
   * The embeddings of the images. If the evaluator has none, returns an empty row for each image that it can
   * score.
   */
  private async imageRows(
    evaluator: Evaluator,
    onProblem: (at: number, problem: string) => void,
  ): Promise<(Float32Array | undefined)[]> {
    const images = this.photos.map(({ image }) => image);
    if (embedsBoth(evaluator)) return embed(this.context, evaluator, images, onProblem);
    const text = this.queries.at(0)?.text ?? '';
    const scores = await pairScores(
      this.context,
      evaluator,
      images.map((image) => ({ image, text })),
    );
    return scores.map((score, at) => {
      if (score.ok) return noRow;
      onProblem(at, score.problem);
      return undefined;
    });
  }

  private texts(): string[] {
    return [...new Set(this.queries.flatMap(({ wordings }) => [...wordings.values()]))];
  }

  private resultsOf(
    families: readonly Family[],
    starts: readonly number[],
    answer: StabilityAnswer,
    sizes: readonly number[],
    photos: readonly Photo[],
  ): Result[] {
    const { sizes: asked } = this.options;
    const top = Math.min(namedPhotos, photos.length);
    let at = 0;
    return families.map((family, f): Result => {
      const pairs = new Map<string, Pair>();
      for (const [a, b] of family.pairs) {
        const pair = at++;
        const ties = asked.map((_, s) =>
          [a, b].some((wording) => answer.edgeTies[(starts[f] + wording) * sizes.length + s] === 1),
        );
        pairs.set(`${family.labels[a]}-${family.labels[b]}`, {
          row: {
            first: family.labels[a],
            second: family.labels[b],
            rho: defined(answer.rho[pair]),
            listwise: defined(answer.listwise[pair]),
            shared: Object.fromEntries(
              asked.map((size, s) => [size, answer.shared[pair * sizes.length + s] / sizes[s]]),
            ),
          },
          tied: [a, b].some((wording) => answer.tied[starts[f] + wording] > 0),
          edgeTied: ties,
        });
      }
      const firsts = family.labels.map((_, w) =>
        [...answer.topItems.subarray((starts[f] + w) * top, (starts[f] + w + 1) * top)].map(
          (item) => photos[item].name,
        ),
      );
      return { query: family.query, pairs, row: rowOf(family, pairs, firsts, asked, this.options.sets) };
    });
  }

  private metricsOf(results: readonly Result[], sizes: readonly number[], photos: number): Metric[] {
    const { sets, groups, sizes: asked } = this.options;
    const metrics = new Figures(asked, sizes, photos).metrics(results, wholePairs(sets), undefined);
    for (const set of sets) {
      const labels = comparisons[set].at(-1)!.split('-');
      const others = pairNames(labels).filter((pair) => !comparisons[set].includes(pair));
      for (const comparison of [...comparisons[set], ...others]) {
        const pairs = pairNames(comparison.split('-'));
        const slice = { set, comparison };
        append(metrics, new Figures(asked, sizes, photos).metrics(results, pairs, slice));
        if (!comparisons[set].includes(comparison)) continue;
        for (const column of groups) {
          const values = new Set(results.map(({ query }) => valueOf(query, column)));
          for (const value of [...values].sort((a, b) => (String(a) < String(b) ? -1 : 1))) {
            const own = results.filter(({ query }) => valueOf(query, column) === value);
            append(
              metrics,
              new Figures(asked, sizes, photos).metrics(own, pairs, { ...slice, [column]: value }),
            );
          }
        }
      }
    }
    return metrics;
  }
}

function valueOf({ example }: Query, column: string): Attribute {
  return example.attributes[column] ?? null;
}

function defined(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
