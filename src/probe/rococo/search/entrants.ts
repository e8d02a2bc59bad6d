import { say, type Words } from '../../../base/say';
import type { Caption, Example } from '../../../dataset/example';
import type { Evaluator } from '../../../evaluator/evaluator';
import type { Ranker } from '../../../evaluator/ranking/ranking';
import { packRows } from '../../../evaluator/ranking/rows';
import type { ImageItem, TextItem } from '../../../protocol/item';
import { embed, promptItem } from '../../embeddings';
import { isUnfound, missingImage } from '../../missingImage';
import type { Clusters } from '../../figure';
import { embedsBoth, pairScores, rerankedBy } from '../../pairScores';
import type { GalleryContext } from '../../probe';
import type { Embedded, Participant } from '../participant';
import type { Entries } from './search';

export interface Entry {
  text: string;
  /** The index of the entry's image in `embedded`. */
  owner: number;
  /** The example with the caption, or with the caption of which it is an altered version. */
  example: Example;
}

/** An empty embedding, for evaluators without embeddings. */
const noRow = new Float32Array(0);

/** The images and captions that an evaluator can rank. */
export class Entrants {
  readonly embedded: Embedded[] = [];
  /** Captions that can be ranked, in the examples' order. */
  readonly clean: (Entry & { caption: number })[] = [];
  readonly captionRows: Float32Array[] = [];
  /** Counts both items that could not be embedded and pairs that could not be scored. */
  failed = 0;
  readonly embeds: boolean;

  constructor(
    readonly context: GalleryContext,
    private readonly evaluator: Evaluator,
    readonly ranker: Ranker,
  ) {
    this.embeds = embedsBoth(evaluator);
  }

  /** Keeps participants whose image and a caption can be ranked; excludes the others with a reason. */
  async prepare(participants: readonly Participant[], clusters: Clusters): Promise<void> {
    const { context, evaluator } = this;
    const withImages = participants.filter(({ entries, image }) => {
      if (image === undefined)
        for (const entry of entries)
          context.leaveOut(evaluator, missingImage(entry), entry, isUnfound(entry));
      return image !== undefined;
    });
    const reasons = new Map<number, Words>();
    const images = withImages.map(({ image }) => image!);
    const rows = await this.embed(images, (at, problem) => reasons.set(at, problem));
    const seen = withImages.flatMap((participant, at) => {
      const image = rows[at];
      if (image !== undefined) return [{ participant, image }];
      this.lose(participant, reasons.get(at) ?? say('rococo.imageNotEmbedded'));
      return [];
    });
    const made = await this.embedTexts(
      seen.flatMap(({ participant }) => participant.captions.map(({ text }) => text)),
    );
    const unscored = await this.scoreOwn(seen.map(({ participant }) => participant));
    let next = 0;
    for (const { participant, image } of seen) {
      const own = participant.captions.map((said, caption) => ({
        text: said.text,
        example: said.entry,
        caption,
        row: unscored.has(said) ? void next++ : made[next++],
        problem: unscored.get(said),
      }));
      const captions = own.flatMap(({ caption, row }) => (row === undefined ? [] : [caption]));
      if (captions.length === 0) {
        const problem = own.find((one) => one.problem !== undefined)?.problem;
        this.lose(participant, problem ?? say('rococo.captionsNotEmbedded'));
        continue;
      }
      const cluster = clusters.of(participant.example.id);
      const owner = this.embedded.push({ participant, image, cluster, captions }) - 1;
      for (const { text, example, caption, row } of own) {
        if (row === undefined) {
          context.lost?.(evaluator, example, { caption: text });
          continue;
        }
        this.clean.push({ text, example, caption, owner });
        this.captionRows.push(row);
      }
    }
  }

  private lose({ example, entries }: Participant, reason: Words): void {
    for (const entry of entries) this.context.leaveOut(this.evaluator, reason, entry, true);
    this.context.lost?.(this.evaluator, example, 'image');
  }

  /** Reports an altered caption or image of the example that has no score with any query. */
  loseVariant(example: Example, variant: string): void {
    this.context.lost?.(this.evaluator, example, { variant });
  }

  /** The warning about failed items, if there are any. With `scores`, the evaluator scores or reranks pairs. */
  warnings(scores: boolean): Words[] {
    const { failed } = this;
    if (failed === 0) return [];
    if (!this.embeds) return [say('rococo.pairsLeftOut', failed)];
    return [scores ? say('rococo.unmeasuredLeftOut', failed) : say('rococo.unembeddedLeftOut', failed)];
  }

  /** Embeds the items. If the evaluator has no embeddings, each result is an empty embedding. */
  async embed(
    items: readonly (TextItem | ImageItem)[],
    onProblem: (at: number, problem: Words) => void = () => this.failed++,
  ): Promise<(Float32Array | undefined)[]> {
    if (!this.embeds) return items.map(() => noRow);
    return embed(this.context, this.evaluator, items, onProblem);
  }

  embedTexts(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const items = texts.map((text) => promptItem(this.evaluator, text));
    return this.embed(items);
  }

  /** Finds the true captions that cannot be scored with their own image, each with a reason. */
  private async scoreOwn(participants: readonly Participant[]): Promise<ReadonlyMap<Caption, Words>> {
    if (rerankedBy(this.evaluator) === undefined) return new Map();
    const own = participants.flatMap(({ image, captions }) =>
      captions.map((caption) => ({ image: image!, text: caption.text, caption })),
    );
    const scores = await pairScores(this.context, this.evaluator, own);
    return new Map(
      own.flatMap(({ caption }, at): [Caption, Words][] => {
        const score = scores[at];
        return score.ok ? [] : [[caption, score.problem]];
      }),
    );
  }

  async entries(items: Entries['items'], rows: readonly Float32Array[]): Promise<Entries> {
    if (!this.embeds) return { items };
    return { items, held: await this.ranker.hold(packRows(rows), this.context.signal) };
  }
}
