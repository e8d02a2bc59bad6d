import { append } from '../../base/append';
import type { Evaluator } from '../../evaluator/evaluator';
import { plainMean } from '../../stats/summary';
import type { ImageItem } from '../../protocol/item';
import type { Held, Ranker } from '../../evaluator/ranking/ranking';
import { packRows } from '../../evaluator/ranking/rows';
import type { Clusters } from '../figure';
import type { GalleryContext } from '../probe';
import type { Metric, Slice } from '../metric';
import type { AlteredSet } from './altered';
import { embed, promptItem } from '../embeddings';
import type { RococoOptions } from './options';
import type { Embedded, Participant } from './participant';
import { occlude } from './occlusion';
import { alterationOf, alterPicture, nameOf, namesOf, operands } from './pictures';
import {
  type CleanResult,
  depths,
  type Hits,
  hitsOf,
  rankAltered,
  rankClean,
  RetrievalFigures,
} from './retrieval';
import type { CaptionRow, ListedCaption, PhotoRow } from './row';

/** Results of an image that its row lists. */
const listed = 10;

interface Entry {
  text: string;
  /** Index of its image. */
  owner: number;
}

export interface PhotoFindings {
  rows: PhotoRow[];
  metrics: Metric[];
  warnings: string[];
}

/** Searches captions by image and images by caption: clean, and with altered entries added. */
export class PhotoStage {
  private readonly metrics: Metric[] = [];
  private readonly warnings: string[] = [];
  private readonly embedded: Embedded[] = [];
  /** Captions with an embedding, in the order of the examples. */
  private readonly clean: (Entry & { caption: number })[] = [];
  private readonly captionRows: Float32Array[] = [];
  private failed = 0;

  constructor(
    private readonly context: GalleryContext,
    private readonly options: RococoOptions,
    private readonly ranker: Ranker,
    private readonly evaluator: Evaluator,
    private readonly clusters: Clusters,
  ) {}

  /** Participants whose image and at least one caption can be embedded; skips others with the reason. */
  async prepare(participants: readonly Participant[]): Promise<Participant[]> {
    const { context, evaluator } = this;
    const pictured = participants.filter(({ example, image }) => {
      if (image === undefined) context.leaveOut(evaluator, 'its image was not found', example);
      return image !== undefined;
    });
    const reasons = new Map<number, string>();
    const rows = await embed(
      context,
      evaluator,
      pictured.map(({ image }) => image!),
      (at, problem) => reasons.set(at, problem),
    );
    const seen = pictured.flatMap((participant, at) => {
      const image = rows[at];
      if (image !== undefined) return [{ participant, image }];
      context.leaveOut(evaluator, reasons.get(at) ?? 'its image could not be embedded', participant.example);
      return [];
    });
    const made = await this.embedTexts(
      seen.flatMap(({ participant }) => participant.captions.map(({ text }) => text)),
    );
    let next = 0;
    for (const { participant, image } of seen) {
      const own = participant.captions.map(({ text }, caption) => ({ text, caption, row: made[next++] }));
      const captions = own.flatMap(({ caption, row }) => (row === undefined ? [] : [caption]));
      if (captions.length === 0) {
        context.leaveOut(evaluator, 'none of its captions could be embedded', participant.example);
        continue;
      }
      const cluster = this.clusters.of(participant.example.id);
      const owner = this.embedded.push({ participant, image, cluster, captions }) - 1;
      for (const { text, caption, row } of own) {
        if (row === undefined) continue;
        this.clean.push({ text, caption, owner });
        this.captionRows.push(row);
      }
    }
    return this.embedded.map(({ participant }) => participant);
  }

  async run(
    sets: readonly AlteredSet[],
    analyses: readonly AlteredSet[],
    captionRows: ReadonlyMap<Participant, CaptionRow[]>,
  ): Promise<PhotoFindings> {
    const { context, ranker, embedded } = this;
    const { signal } = context;
    const { clean } = this;
    const truths: number[][] = embedded.map(() => []);
    clean.forEach(({ owner }, item) => truths[owner].push(item));
    const photos = await ranker.hold(packRows(embedded.map(({ image }) => image)), signal);
    const captions = await ranker.hold(packRows(this.captionRows), signal);
    const rows = await this.imageToText(photos, captions, truths, clean, sets, analyses);
    await this.textToImage(photos, captions, clean, captionRows);
    if (this.options.occlusion)
      append(this.metrics, await occlude(context, this.evaluator, embedded, rows, () => this.failed++));
    await ranker.drop(photos);
    await ranker.drop(captions);
    if (this.failed > 0)
      this.warnings.push(
        `${this.failed} captions or altered images could not be embedded and were left out.`,
      );
    return { rows, metrics: this.metrics, warnings: this.warnings };
  }

  private embedTexts(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const items = texts.map((text) => promptItem(this.evaluator, text));
    return embed(this.context, this.evaluator, items, () => this.failed++);
  }

  private async imageToText(
    photos: Held,
    captions: Held,
    truths: readonly number[][],
    clean: readonly Entry[],
    sets: readonly AlteredSet[],
    analyses: readonly AlteredSet[],
  ): Promise<PhotoRow[]> {
    const { embedded, context } = this;
    const results = await rankClean(this.ranker, photos, captions, truths, context.signal);
    const rows = results.map((result, q) => this.photoRow(q, result, clean));
    for (const [s, set] of [...sets, ...analyses].entries()) {
      const figures = new RetrievalFigures();
      const draws: Hits[][] = embedded.map(() => []);
      for (const [d, draw] of set.draws.entries()) {
        const { entries, embeddings } = await this.embedAltered(draw);
        const altered = await rankAltered(this.ranker, photos, results, embeddings, context.signal);
        altered.forEach((result, q) => {
          draws[q].push(hitsOf(results[q], result));
          if (s >= sets.length || d > 0) return;
          const hits = draws[q][0];
          const own = result.first.map(({ item, score }): ListedCaption => ({
            text: entries[item].text,
            score,
            kind: 'altered',
            of: embedded[entries[item].owner].participant.example.id,
          }));
          const others = results[q].first.map(({ item, score }) => this.listed(q, clean[item], score));
          rows[q].lists.push({
            source: set.name,
            stressed: byDepth(hits.stressed),
            rsms: hits.altered,
            // In a tie with altered entries, true entries come first.
            first: [...others, ...own].sort((a, b) => b.score - a.score).slice(0, listed),
          });
        });
      }
      draws.forEach((hits, q) => figures.add(hits, embedded[q].cluster));
      if (s === 0)
        append(this.metrics, [
          ...figures.cleanMetrics('rococo.i2t'),
          ...figures.stressedMetrics('rococo.i2t'),
        ]);
      if (s >= sets.length || sets.length > 1)
        append(this.metrics, figures.stressedMetrics('rococo.i2t', set.slice));
    }
    return rows;
  }

  private async embedAltered(
    draw: AlteredSet['draws'][number],
  ): Promise<{ entries: Entry[]; embeddings: Float32Array[] }> {
    const wanted = this.embedded.flatMap(({ participant }, owner) =>
      (draw.get(participant) ?? []).map(({ text }): Entry => ({ text, owner })),
    );
    const made = await this.embedTexts(wanted.map(({ text }) => text));
    return {
      entries: wanted.filter((_, at) => made[at] !== undefined),
      embeddings: made.filter((row) => row !== undefined),
    };
  }

  private photoRow(q: number, result: CleanResult, clean: readonly Entry[]): PhotoRow {
    const { example } = this.embedded[q].participant;
    const { clean: hits } = hitsOf(result);
    return {
      kind: 'photo',
      example: example.id,
      row: example.row,
      place: example.place,
      image: example.images.at(0)?.name,
      caption: clean[result.item].text,
      score: result.best,
      clean: byDepth(hits),
      first: result.first.slice(0, listed).map(({ item, score }) => this.listed(q, clean[item], score)),
      lists: [],
    };
  }

  private listed(q: number, { text, owner }: Entry, score: number): ListedCaption {
    return {
      text,
      score,
      kind: owner === q ? 'true' : 'other',
      of: this.embedded[owner].participant.example.id,
    };
  }

  private async textToImage(
    photos: Held,
    captions: Held,
    clean: readonly (Entry & { caption: number })[],
    captionRows: ReadonlyMap<Participant, CaptionRow[]>,
  ): Promise<void> {
    const { embedded, context, options } = this;
    const truths = clean.map(({ owner }) => [owner]);
    const results = await rankClean(this.ranker, captions, photos, truths, context.signal);
    const rows = clean.map(({ owner, caption }) => captionRows.get(embedded[owner].participant)![caption]);
    rows.forEach((row, q) => {
      const { clean: hits } = hitsOf(results[q]);
      row.search = { score: results[q].best, clean: byDepth(hits), hits: [] };
    });
    const base = new RetrievalFigures();
    results.forEach((result, q) => base.add([hitsOf(result)], embedded[clean[q].owner].cluster));
    append(this.metrics, base.cleanMetrics('rococo.t2i'));
    if (options.pictures.length === 0) return;
    const pool = await operands(
      embedded.map(({ participant }) => participant.image!),
      context.signal,
    );
    const names = namesOf(embedded.map(({ participant }) => participant.image!));
    for (const [k, kind] of options.pictures.entries()) {
      const figures = new RetrievalFigures();
      const draws: Hits[][] = clean.map(() => []);
      const rivals = clean.map((): { score: number; made?: ImageItem } => ({ score: -Infinity }));
      for (const seed of options.pictureSeeds) {
        const items = embedded.flatMap(
          ({ participant }) =>
            alterPicture(participant.image!, participant.example.id, kind, pool, seed) ?? [],
        );
        if (items.length < embedded.length) {
          this.warnings.push(
            'Images were not altered: that needs at least two images that are separate files.',
          );
          return;
        }
        const made = await embed(context, this.evaluator, items, () => this.failed++);
        const embeddings = made.filter((row) => row !== undefined);
        const shown = items.filter((_, at) => made[at] !== undefined);
        const altered = await rankAltered(this.ranker, captions, results, embeddings, context.signal);
        altered.forEach((result, q) => {
          draws[q].push(hitsOf(results[q], result));
          const [{ item, score }] = result.first;
          if (score > rivals[q].score) rivals[q] = { score, made: shown[item] };
        });
      }
      draws.forEach((hits, q) => {
        figures.add(hits, embedded[clean[q].owner].cluster);
        rows[q].search!.hits.push({
          pictures: nameOf(kind),
          stressed: byDepth(depths.map((_, d) => plainMean(hits.map(({ stressed }) => stressed[d])))),
          rsms: plainMean(hits.map(({ altered }) => altered)),
          rival: rivals[q].score,
          made: rivals[q].made && alterationOf(rivals[q].made, names),
        });
      });
      const slice: Slice = { pictures: kind.op, lambda: kind.lambda };
      if (k === 0) append(this.metrics, figures.stressedMetrics('rococo.t2i'));
      if (options.pictures.length > 1) append(this.metrics, figures.stressedMetrics('rococo.t2i', slice));
    }
  }
}

function byDepth(hits: readonly number[]): Record<string, number> {
  return Object.fromEntries(depths.map((depth, d) => [`r${depth}`, hits[d]]));
}
