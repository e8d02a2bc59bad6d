import type { LgipRow, LgipVariant } from './row';

/** One image and its captions, in the fields of the published files (appendix A). Lists are indexed by caption. */
export interface PaperEntry {
  id: string;
  image: string;
  caption: string[];
  same_caps: string[][];
  diff_caps: PaperFlip[][];
  diff_caps_color: string[][];
  diff_caps_number: string[][];
  diff_caps_object: string[][];
}

export interface PaperFlip {
  caption: string;
  flip_type: string;
}

/** A run's perturbations without scores, for other programs. An image's captions must be adjacent. */
export async function* paperEntries(
  rows: AsyncIterable<LgipRow> | Iterable<LgipRow>,
): AsyncGenerator<PaperEntry> {
  let entry: PaperEntry | undefined;
  for await (const row of rows) {
    if (row.score === null) continue;
    const image = row.image ?? '';
    if (entry?.id !== row.example || entry.image !== image) {
      if (entry !== undefined) yield entry;
      entry = {
        id: row.example,
        image,
        caption: [],
        same_caps: [],
        diff_caps: [],
        diff_caps_color: [],
        diff_caps_number: [],
        diff_caps_object: [],
      };
    }
    const flips = row.variants.filter(({ family }) => family === 'flip');
    const ofType = (type: string) => textsOf(flips.filter(({ kind }) => kind === type));
    entry.caption.push(row.text);
    entry.same_caps.push(textsOf(row.variants.filter(({ family }) => family === 'paraphrase')));
    entry.diff_caps.push(flips.map(({ text, kind }) => ({ caption: text, flip_type: kind })));
    entry.diff_caps_color.push(ofType('color'));
    entry.diff_caps_number.push(ofType('number'));
    entry.diff_caps_object.push(ofType('object'));
  }
  if (entry !== undefined) yield entry;
}

function textsOf(variants: readonly LgipVariant[]): string[] {
  return variants.map(({ text }) => text);
}
