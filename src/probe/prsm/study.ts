import { pauses } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Example } from '../../dataset/example';
import { imageKey } from '../../dataset/images/imageKey';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Ranker } from '../../evaluator/ranking/ranking';
import { clusterOfExample } from '../metric';
import { isUnfound, missingImage } from '../missingImage';
import type { Findings, GalleryContext } from '../probe';
import { embed, promptItem } from '../embeddings';
import { embedsBoth, noRanking, rerankedBy, tooMany } from '../pairScores';
import { compareOrders, startsOf } from './orders';
import { type PrsmOptions, requireGroups } from './options';
import { steadiness } from './row';
import { familiesOf, lose, problemsOfImages } from './measurable';
import { namedImages, type Image, resultsOf } from './results';
import { WordingMaker } from './wordingMaker';
import type { Family, Query } from './figures';
import { linkedClusters } from './clusters';
import { type Compared, metricsOf } from './metrics';

/** An empty embedding, for evaluators without embeddings. */
const noRow = new Float32Array(0);

/** A run reports metrics after so many queries, if `leastRest` times as many are there in total. */
const previews = [20, 200, 2000];
const leastRest = 10;

/** The readable images with their embeddings. */
interface Gallery {
  images: readonly Image[];
  rows: readonly Float32Array[];
}

export class Study {
  private readonly queries: Query[] = [];
  private readonly images: Image[] = [];
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
    this.context.watch?.expect(this.requests());
    const findings = new Map<Evaluator, Findings>();
    for (const evaluator of this.context.evaluators) findings.set(evaluator, await this.ask(evaluator));
    return findings;
  }

  /** Embeds the images and wordings of one shard, for a later ranking of the whole dataset. */
  async encode(): Promise<void> {
    await this.gather();
    for (const evaluator of this.context.evaluators) {
      // Evaluators without embeddings score pairs later, when the shards are merged.
      if (!embedsBoth(evaluator)) continue;
      const images = this.images.map(({ image }) => image);
      await embed(this.context, evaluator, images, () => undefined);
      const texts = this.texts().map((text) => promptItem(evaluator, text));
      await embed(this.context, evaluator, texts, () => undefined);
    }
  }

  /** Collects each image and each caption once. */
  private async gather(): Promise<void> {
    const { context } = this;
    const known = new Set<string>();
    const asked = new Map<string, Query>();
    const pause = pauses(context.signal);
    for await (const example of context.examples()) {
      const refusal = this.maker.refusalFor(example);
      if (refusal !== undefined) {
        for (const evaluator of context.evaluators) context.leaveOut(evaluator, refusal, example);
        continue;
      }
      const images = example.images.map((ref, at) => ({ ref, image: context.image(example, at) }));
      if (!images.some(({ image }) => image !== undefined)) {
        for (const evaluator of context.evaluators)
          context.leaveOut(evaluator, missingImage(example), example, isUnfound(example));
        continue;
      }
      this.examples.push(example);
      for (const { ref, image } of images) {
        if (image === undefined) continue;
        // Files of two names may be one file, and embedded images have none.
        const key = 'path' in image.source ? imageKey({ ...ref, name: image.source.path }) : imageKey(ref);
        if (known.has(key)) continue;
        known.add(key);
        this.images.push({ name: ref.name, image, example });
      }
      await this.gatherQueries(example, asked, pause);
    }
    const clusters = linkedClusters(this.queries.map((query) => query.occurrences.map(clusterOfExample)));
    const names: string[] = [];
    for (const [i, query] of this.queries.entries()) {
      query.cluster = clusters[i];
      const own = clusterOfExample(query.example);
      const name = (names[clusters[i]] ??= own);
      if (name !== own || query.example.cluster !== undefined) query.clusterName = name;
    }
  }

  private async gatherQueries(
    example: Example,
    asked: Map<string, Query>,
    pause: () => Promise<void>,
  ): Promise<void> {
    const captions = [...example.captions.entries()].filter(([, { role }]) => role === 'caption');
    // A triplet's second caption means the same as the first, so it is no separate query.
    const queries = example.form === 'triplet' ? captions.slice(0, 1) : captions;
    for (const [index, { text, variants }] of queries) {
      const caption = text.trim();
      if (caption === '') continue;
      await pause();
      const known = asked.get(caption);
      if (known !== undefined) {
        known.occurrences.push(example);
        continue;
      }
      const given = (variants ?? [])
        .filter(({ family }) => family === 'paraphrase')
        .map((variant) => variant.text);
      if (example.form === 'triplet') for (const [, other] of captions.slice(1)) given.push(other.text);
      const query: Query = {
        example,
        caption: index,
        text: caption,
        wordings: this.maker.wordingsOf(example, caption, given),
        occurrences: [example],
        cluster: 0,
      };
      asked.set(caption, query);
      this.queries.push(query);
    }
  }

  private async ask(evaluator: Evaluator): Promise<Findings> {
    const { context, examples } = this;
    const texts = this.texts();
    const rerank = rerankedBy(evaluator);
    const embeds = embedsBoth(evaluator);
    const refusal = embeds
      ? undefined
      : (noRanking(evaluator) ??
        (rerank === undefined
          ? say('prsm.evaluatorLacksEmbeddings')
          : tooMany(texts.length * this.images.length, context.options)));
    if (refusal !== undefined) {
      for (const example of examples) context.leaveOut(evaluator, refusal, example);
      return { metrics: [], warnings: [] };
    }
    const unreadable = new Map<Example, Words>();
    const images = await this.imageRows(evaluator, (at, problem) =>
      unreadable.set(this.images[at].example, problem),
    );
    const readable = this.images.filter((_, at) => images[at] !== undefined);
    const withImage = new Set(readable.map(({ example }) => example));
    for (const example of examples) {
      const problem = withImage.has(example) ? undefined : unreadable.get(example);
      if (problem === undefined) context.markUsed(evaluator, example);
      else {
        context.leaveOut(evaluator, problem, example, true);
        context.lost?.(evaluator, example, 'image');
      }
    }
    if (readable.length < 2) return { metrics: [], warnings: [say('prsm.tooFewImages')] };

    const warnings = this.maker.warnings(this.queries.length);
    const found = images.filter((row) => row !== undefined);
    const gallery: Gallery = { images: readable, rows: found };
    if (embeds) await this.preview(evaluator, gallery);
    let failed = 0;
    const rowOf = await this.rowsOf(evaluator, texts, () => failed++);
    if (failed > 0) warnings.push(say('prsm.unembeddedWordings', failed));
    const families = familiesOf(context, evaluator, {
      queries: this.queries,
      rowOf,
      sets: this.options.sets,
    });
    if (families.length === 0) return { metrics: [], warnings: [...warnings, say('prsm.noWordingPairs')] };

    const { warning, ...compared } = await this.compare(evaluator, families, gallery);
    if (warning !== undefined) warnings.push(warning);
    const metrics = await inTurns(metricsOf(compared, this.options, readable.length), context.signal);
    const written = compared.results
      .map(({ row }) => row)
      .sort((a, b) => steadiness(a) - steadiness(b) || a.row - b.row);
    for (const row of written) await context.writeRow(evaluator, row);
    context.watch?.tell(evaluator, compared.results.length, metrics);
    return { metrics, warnings };
  }

  /** Reports metrics of the first queries. Short runs report only final metrics. */
  private async preview(evaluator: Evaluator, gallery: Gallery): Promise<void> {
    const { watch } = this.context;
    for (const count of previews) {
      if (watch === undefined || count * leastRest > this.queries.length) return;
      const queries = this.queries.slice(0, count);
      const rowOf = await this.rowsOf(evaluator, textsOf(queries), () => undefined);
      const families = familiesOf(this.context, evaluator, { queries, rowOf, sets: this.options.sets });
      if (families.length === 0 || !watch.wantsMetrics()) continue;
      const compared = await this.compare(evaluator, families, gallery);
      const metrics = metricsOf(compared, this.options, gallery.images.length);
      watch.tell(evaluator, compared.results.length, await inTurns(metrics, this.context.signal));
    }
  }

  /** The texts' embeddings. If the evaluator has no embeddings, an empty embedding for each text. */
  private async rowsOf(
    evaluator: Evaluator,
    texts: readonly string[],
    onProblem: () => void,
  ): Promise<Map<string, Float32Array | undefined>> {
    const items = texts.map((text) => promptItem(evaluator, text));
    const made = embedsBoth(evaluator)
      ? await embed(this.context, evaluator, items, onProblem)
      : texts.map(() => noRow);
    return new Map(texts.map((text, at) => [text, made[at]]));
  }

  private async compare(
    evaluator: Evaluator,
    families: readonly Family[],
    { images, rows }: Gallery,
  ): Promise<Compared & { warning?: Words }> {
    const sizes = this.options.sizes.map((size) => Math.min(size, images.length));
    const { answer, warning, lost, unrelated } = await compareOrders(this.context, this.ranker, evaluator, {
      ...{ families, rows, sizes: Int32Array.from(sizes) },
      images: images.map(({ image }) => image),
      ...{ top: Math.min(namedImages, images.length), sets: this.options.sets },
    });
    for (const one of lost) lose(this.context, evaluator, one);
    const { options, context } = this;
    const starts = [...startsOf(families)];
    const results = await inTurns(
      resultsOf(options, families, starts, answer, sizes, images),
      context.signal,
    );
    return { results, unrelated, ...(warning === undefined ? {} : { warning }) };
  }

  /** The images' embeddings; empty ones for images that can be scored by an evaluator without any. */
  private async imageRows(
    evaluator: Evaluator,
    onProblem: (at: number, problem: Words) => void,
  ): Promise<(Float32Array | undefined)[]> {
    const images = this.images.map(({ image }) => image);
    if (embedsBoth(evaluator)) return embed(this.context, evaluator, images, onProblem);
    const problems = await problemsOfImages(this.context, evaluator, images, this.queries);
    return problems.map((problem, at) => {
      if (problem === undefined) return noRow;
      onProblem(at, problem);
      return undefined;
    });
  }

  private texts(): string[] {
    return textsOf(this.queries);
  }

  /** The number of embeddings and pair scores that all evaluators together need. */
  private requests(): number {
    const [images, texts] = [this.images.length, this.texts().length];
    return this.context.evaluators.reduce((sum, evaluator) => {
      const reranked = Math.min(images, rerankedBy(evaluator) ?? 0);
      return sum + images + (embedsBoth(evaluator) ? texts : 0) + texts * reranked;
    }, 0);
  }
}

function textsOf(queries: readonly Query[]): string[] {
  return [...new Set(queries.flatMap(({ wordings }) => [...wordings.values()]))];
}
