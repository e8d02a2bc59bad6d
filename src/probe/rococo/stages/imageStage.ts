import { say, type Words } from '../../../base/say';
import { append } from '../../../base/lists';
import { pauses } from '../../../base/errors';
import { inTurns, type Steps } from '../../../base/turns/steps';
import type { Evaluator } from '../../../evaluator/evaluator';
import { plainMean } from '../../../stats/summary';
import type { ImageItem } from '../../../protocol/item';
import type { Ranker } from '../../../evaluator/ranking/ranking';
import type { Clusters } from '../../figure';
import type { GalleryContext } from '../../probe';
import { type Metric, ownCluster, type Slice } from '../../metric';
import type { AlteredSet } from '../altered';
import { rerankedBy } from '../../pairScores';
import type { RococoOptions } from '../options';
import type { Participant } from '../participant';
import { withKind } from './kindNote';
import { occlude } from '../occlusion';
import { alterationOf, alterEach, alterImage, nameOf, namesOf, operands } from '../alteredImages';
import { byDepth, type CleanResult, depths, type Hits, hitsOf, RetrievalFigures } from '../retrieval';
import type { CaptionRow, ListedCaption, ImageRow } from '../row';
import { controlMetrics } from '../search/control';
import { Entrants, type Entry } from '../search/entrants';
import { CosineSearch, type Entries, ScoreSearch, type Search, type Stressed } from '../search/search';

/** The number of results in an image's row. */
const listed = 10;

export interface ImageFindings {
  rows: ImageRow[];
  metrics: Metric[];
  warnings: Words[];
}

/** Searches captions by image and images by caption, without and with altered entries. */
export class ImageStage {
  private readonly metrics: Metric[] = [];
  private readonly warnings: Words[] = [];
  private readonly entrants: Entrants;
  private readonly search: Search;
  private readonly pause: () => Promise<void>;

  constructor(
    private readonly context: GalleryContext,
    private readonly options: RococoOptions,
    private readonly ranker: Ranker,
    private readonly evaluator: Evaluator,
    private readonly clusters: Clusters,
  ) {
    this.pause = pauses(context.signal);
    this.entrants = new Entrants(context, evaluator, ranker);
    const top = rerankedBy(evaluator);
    this.search =
      top === undefined
        ? new CosineSearch(ranker, context.signal)
        : new ScoreSearch(context, ranker, evaluator, top, () => this.entrants.failed++);
  }

  /** The participants whose image and a caption can be ranked. Excludes the others with a reason. */
  async prepare(participants: readonly Participant[]): Promise<Participant[]> {
    await this.entrants.prepare(participants, this.clusters);
    return this.entrants.embedded.map(({ participant }) => participant);
  }

  async run(
    sets: readonly AlteredSet[],
    analyses: readonly AlteredSet[],
    captionRows: ReadonlyMap<Participant, CaptionRow[]>,
  ): Promise<ImageFindings> {
    const { context, ranker, entrants } = this;
    const { clean, embedded, embeds } = entrants;
    const truths: number[][] = embedded.map(() => []);
    clean.forEach(({ owner }, item) => truths[owner].push(item));
    const images = await entrants.entries(
      embedded.map(({ participant }) => participant.image!),
      embedded.map(({ image }) => image),
    );
    const captions = await entrants.entries(
      clean.map(({ text }) => text),
      entrants.captionRows,
    );
    const rows = await this.imageToText(images, captions, truths, clean, sets, analyses);
    await this.textToImage(images, captions, clean, captionRows);
    if (this.options.occlusion && embeds)
      append(this.metrics, await occlude(context, this.evaluator, embedded, rows, () => entrants.failed++));
    for (const { held } of [images, captions]) if (held !== undefined) await ranker.drop(held);
    append(this.warnings, entrants.warnings(this.search instanceof ScoreSearch));
    if (this.search instanceof ScoreSearch) append(this.warnings, this.search.warnings());
    return { rows, metrics: this.metrics, warnings: this.warnings };
  }

  /** Embeds altered captions and altered images. `all` has the dataset's images in order. */
  async encode(sets: readonly AlteredSet[], all: readonly ImageItem[]): Promise<void> {
    const { context, evaluator, entrants, options } = this;
    const { embedded } = entrants;
    for (const draw of sets.flatMap(({ draws }) => draws)) await this.embedAltered(draw);
    const images = embedded.map(({ participant }) => participant.image!);
    await entrants.embed(await alterEach(images, options, all, context.signal));
    if (options.occlusion) await occlude(context, evaluator, embedded, [], () => undefined);
  }

  private async imageToText(
    images: Entries,
    captions: Entries,
    truths: readonly number[][],
    clean: readonly Entry[],
    sets: readonly AlteredSet[],
    analyses: readonly AlteredSet[],
  ): Promise<ImageRow[]> {
    const { entrants } = this;
    const { embedded } = entrants;
    const results = await this.search.rank(images, captions, truths);
    const rows: ImageRow[] = [];
    await this.each(results, (result, q) => rows.push(this.imageRow(q, result, clean)));
    for (const [s, set] of [...sets, ...analyses].entries()) {
      const figures = new RetrievalFigures();
      const draws: Hits[][] = embedded.map(() => []);
      let control: Steps<Metric[]> | undefined;
      for (const [d, draw] of set.draws.entries()) {
        const { entries, embeddings } = await this.embedAltered(draw);
        const items = entries.map(({ text }) => text);
        const stressed = await this.search.stress(images, results, { items }, embeddings, (item) =>
          entrants.loseVariant(entries[item].example, entries[item].text),
        );
        if (s === 0 && d === 0 && this.search instanceof CosineSearch)
          control = await controlMetrics(entrants, images.held!, results, { entries, embeddings });
        await this.each(stressed, (result, q) => {
          draws[q].push(stressedHits(results[q], result));
          if (s >= sets.length || d > 0) return;
          const hits = draws[q][0];
          const own = result.altered.first.map(({ item, score }): ListedCaption => ({
            text: entries[item].text,
            score,
            kind: 'altered',
            of: entries[item].example.id,
          }));
          const others = result.clean.first.map(({ item, score }) => this.listed(q, clean[item], score));
          rows[q].lists.push({
            source: set.name,
            stressed: byDepth(hits.stressed),
            rsms: hits.altered,
            // Among equal scores, entries of the clean gallery come first.
            first: [...others, ...own].sort((a, b) => b.score - a.score).slice(0, listed),
          });
        });
      }
      await this.each(draws, (hits, q) => figures.add(hits, embedded[q].cluster));
      if (s === 0) await this.report(figures.cleanMetrics('rococo.i2t'));
      if (s === 0) await this.report(figures.stressedMetrics('rococo.i2t'), set.name);
      if (control !== undefined) await this.report(control, set.name);
      if (s >= sets.length || sets.length > 1)
        await this.report(figures.stressedMetrics('rococo.i2t', set.slice));
    }
    return rows;
  }

  /** Handles the results of all queries, with pauses. */
  private async each<T>(items: readonly T[], handle: (item: T, q: number) => void): Promise<void> {
    for (const [q, item] of items.entries()) {
      await this.pause();
      handle(item, q);
    }
  }

  /** Adds metrics. `kind` names the altered entries of metrics without a slice. */
  private async report(metrics: Steps<Metric[]>, kind?: string): Promise<void> {
    const found = await inTurns(metrics, this.context.signal);
    append(this.metrics, kind === undefined ? found : found.map((metric) => withKind(metric, kind)));
  }

  private async embedAltered(
    draw: AlteredSet['draws'][number],
  ): Promise<{ entries: Entry[]; embeddings: Float32Array[] }> {
    const wanted = this.entrants.embedded.flatMap(({ participant }, owner) =>
      (draw.get(participant) ?? []).map(({ text, caption }): Entry => ({
        ...{ text, owner },
        example: caption === undefined ? participant.example : participant.captions[caption].entry,
      })),
    );
    const made = await this.entrants.embedTexts(wanted.map(({ text }) => text));
    for (const [at, { example, text }] of wanted.entries())
      if (made[at] === undefined) this.entrants.loseVariant(example, text);
    return {
      entries: wanted.filter((_, at) => made[at] !== undefined),
      embeddings: made.filter((row) => row !== undefined),
    };
  }

  private imageRow(q: number, result: CleanResult, clean: readonly Entry[]): ImageRow {
    const { example } = this.entrants.embedded[q].participant;
    const { clean: hits } = hitsOf(result);
    return {
      kind: 'image',
      example: example.id,
      row: example.row,
      place: clean[result.item].example.place,
      image: example.images.at(0)?.name,
      ...ownCluster(example),
      caption: clean[result.item].text,
      score: result.best,
      clean: byDepth(hits),
      first: result.first.slice(0, listed).map(({ item, score }) => this.listed(q, clean[item], score)),
      lists: [],
    };
  }

  private listed(q: number, { text, owner, example }: Entry, score: number): ListedCaption {
    return { text, score, kind: owner === q ? 'true' : 'other', of: example.id };
  }

  private async textToImage(
    images: Entries,
    captions: Entries,
    clean: readonly (Entry & { caption: number })[],
    captionRows: ReadonlyMap<Participant, CaptionRow[]>,
  ): Promise<void> {
    const { context, options } = this;
    const { embedded } = this.entrants;
    const truths = clean.map(({ owner }) => [owner]);
    const results = await this.search.rank(captions, images, truths);
    const rows = clean.map(({ owner, caption }) => captionRows.get(embedded[owner].participant)![caption]);
    await this.each(rows, (row, q) => {
      const { clean: hits } = hitsOf(results[q]);
      row.search = { score: results[q].best, clean: byDepth(hits), hits: [] };
    });
    const base = new RetrievalFigures();
    await this.each(results, (result, q) => base.add([hitsOf(result)], embedded[clean[q].owner].cluster));
    await this.report(base.cleanMetrics('rococo.t2i'));
    if (options.imageKinds.length === 0) return;
    const pool = await operands(
      embedded.map(({ participant }) => participant.image!),
      context.signal,
    );
    const names = namesOf(embedded.map(({ participant }) => participant.image!));
    for (const [k, kind] of options.imageKinds.entries()) {
      const figures = new RetrievalFigures();
      const draws: Hits[][] = clean.map(() => []);
      const rivals = clean.map((): { score: number; made?: ImageItem } => ({ score: -Infinity }));
      for (const seed of options.imageSeeds) {
        const items = embedded.flatMap(
          ({ participant }) => alterImage(participant.image!, kind, pool, seed) ?? [],
        );
        if (items.length < embedded.length) {
          this.warnings.push(say('rococo.imagesNotAltered'));
          return;
        }
        const made = await this.entrants.embed(items);
        const embeddings = made.filter((row) => row !== undefined);
        const shown = items.filter((_, at) => made[at] !== undefined);
        // Each image is altered once, so that the items are in the order of their owners.
        const owners = [...made.keys()].filter((at) => made[at] !== undefined);
        const lose = (owner: number): void =>
          this.entrants.loseVariant(embedded[owner].participant.example, `${nameOf(kind)} ${seed}`);
        for (const owner of made.keys()) if (made[owner] === undefined) lose(owner);
        const stressed = await this.search.stress(captions, results, { items: shown }, embeddings, (item) =>
          lose(owners[item]),
        );
        await this.each(stressed, (result, q) => {
          draws[q].push(stressedHits(results[q], result));
          const { rival } = result;
          if (rival !== undefined && rival.score > rivals[q].score)
            rivals[q] = { score: rival.score, made: shown[rival.item] };
        });
      }
      await this.each(draws, (hits, q) => {
        figures.add(hits, embedded[clean[q].owner].cluster);
        // If no altered image of this kind could be scored, the row has no hits for this kind.
        if (rivals[q].score === -Infinity) return;
        rows[q].search!.hits.push({
          images: nameOf(kind),
          stressed: byDepth(depths.map((_, d) => plainMean(hits.map(({ stressed }) => stressed[d])))),
          rsms: plainMean(hits.map(({ altered }) => altered)),
          rival: rivals[q].score,
          made: rivals[q].made && alterationOf(rivals[q].made, names),
        });
      });
      const slice: Slice = { images: kind.op, lambda: kind.lambda };
      if (k === 0) await this.report(figures.stressedMetrics('rococo.t2i'), nameOf(kind));
      if (options.imageKinds.length > 1) await this.report(figures.stressedMetrics('rococo.t2i', slice));
    }
  }
}

/**
 * The hits of a query. With reranking, altered entries displace other candidates, so hits without altered
 * entries come from the clean result.
 */
function stressedHits(clean: CleanResult, { clean: left, altered }: Stressed): Hits {
  const { clean: hits, cleanTies } = hitsOf(clean);
  return { ...hitsOf(left, altered), clean: hits, cleanTies };
}
