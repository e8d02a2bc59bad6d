import type { GalleryContext } from '../probe';
import { alteredBy } from './altered';
import { weighAll } from './influence';
import type { RococoOptions, Source } from './options';
import { gatherAll } from './participant';
import { alterImage, alterationOf, nameOf, namesOf, operands } from './alteredImages';
import type { AlteredImage } from './row';
import type { ImageItem } from '../../protocol/item';

/** An image in the form of RoCOCO's published files: its captions, then their altered versions. */
export interface PublishedEntry {
  image: string;
  caption: string[];
}

/** An image with its captions and their altered versions apart. */
export interface AlteredEntry {
  image: string;
  source?: ImageItem['source'];
  caption: readonly string[];
  altered: readonly string[];
}

export function publishedEntry({ image, caption, altered }: AlteredEntry): PublishedEntry {
  return { image, caption: [...caption, ...altered] };
}

export interface PublishedCaptions {
  source: Source;
  entries: AlteredEntry[];
  /**
   * The number of captions without an altered version, because no replacement was found or because the altered
   * version equals a true caption of the image.
   */
  unaltered: number;
}

export interface PublishedImage extends AlteredImage {
  kind: string;
  seed: number;
  item: ImageItem;
}

export interface PublishedSet {
  captions: PublishedCaptions[];
  images: PublishedImage[];
}

/** The altered captions and images that an audit would generate with this context and these options. */
export async function publishedSet(context: GalleryContext, options: RococoOptions): Promise<PublishedSet> {
  const { bench, signal, seed } = context;
  const sources = (options.sources ?? ['same-concept']).filter((source) => source !== 'file');
  const { participants } = await gatherAll(context, { ...options, sources });
  const voters = (await context.voters()).filter(({ embedTexts }) => embedTexts !== undefined);
  const weights = await weighAll(bench, { audited: [], voters }, participants, signal);
  const captions: PublishedCaptions[] = [];
  for (const source of sources) {
    const { draws } = await alteredBy(source, { participants, weights, seed, signal }, options.agree);
    const entries = participants.map((participant) => ({
      image: participant.example.images.at(0)?.name ?? '',
      ...(participant.image === undefined ? {} : { source: participant.image.source }),
      caption: participant.captions.map(({ text }) => text),
      altered: (draws[0].get(participant) ?? []).map(({ text }) => text),
    }));
    const all = participants.reduce((sum, each) => sum + each.captions.length, 0);
    const altered = [...draws[0].values()].reduce((sum, each) => sum + each.length, 0);
    captions.push({ source, entries, unaltered: all - altered });
  }
  const own = participants.flatMap(({ image }) => image ?? []);
  const pool = await operands(own, signal);
  const names = namesOf(own);
  const images = options.imageKinds.flatMap((kind) =>
    options.imageSeeds.flatMap((drawn) =>
      own.flatMap((image) => {
        const item = alterImage(image, kind, pool, drawn);
        const made = item && alterationOf(item, names);
        return item === undefined || made === undefined
          ? []
          : [{ ...made, kind: nameOf(kind), seed: drawn, item }];
      }),
    ),
  );
  return { captions, images };
}
