import type { Candidate } from '../protocol/triplets';

/** A caption of an image, with ranked candidates for the triplet's other two captions. */
export interface HalfTriplet {
  id: string;
  image?: string;
  caption: string;
  positives: Candidate[];
  negatives: Candidate[];
}

export interface FullTriplet {
  image?: string;
  caption: string;
  second: string;
  negative: string;
}

/** The triplet of the first candidates; undefined if either list is empty. */
export function firstChoice({ image, caption, positives, negatives }: HalfTriplet): FullTriplet | undefined {
  if (positives.length === 0 || negatives.length === 0) return undefined;
  return {
    ...(image === undefined ? {} : { image }),
    caption,
    second: positives[0].text,
    negative: negatives[0].text,
  };
}

/** Writes triplets as TSV, with the columns of VISLA's published generic file. */
export function* tsvOf(triplets: Iterable<FullTriplet>): Generator<string> {
  yield 'filename\tcaption\tsecond positive\tnegative_caption\n';
  for (const { image, caption, second, negative } of triplets) {
    yield `${[image ?? '', caption, second, negative].map(cell).join('\t')}\n`;
  }
}

function cell(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.startsWith('"') ? `"${flat.replaceAll('"', '""')}"` : flat;
}
