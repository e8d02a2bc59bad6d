import { say } from '../../../base/say';
import { Draft, type Sink } from '../../draft';
import type { Entry } from '../../entry';
import type { Caption, Example } from '../../example';
import type { Format, RowReader } from '../../format';
import { truthOf } from '../../fields/truth';

/** FOIL-COCO: COCO's form with each annotation true or foil; both of one `foil_id` belong together. */
export const foil: Format = {
  id: 'foil',
  title: 'FOIL-COCO, a caption and its foil',
  needs: ['image_id', 'caption', 'foil', 'foil_id'],
  looksLike: 'COCO\'s lists, with "foil" and "foil_id" in each annotation',
  recognise({ layout, sections, naming }) {
    if (layout !== 'object of lists' || !sections.includes('annotations')) return undefined;
    if (!['image_id', 'caption', 'foil', 'foil_id'].every((name) => naming.named(name) === name))
      return undefined;
    return {
      form: 'choice',
      reads: [
        ['file_name', 'image'],
        ['image_id', 'image'],
        ['caption', 'caption'],
        ['foil', 'whether it is wrong'],
        ['foil_id', 'which two belong together'],
      ],
      reader: () => new FoilReader(),
    };
  },
};

interface Pair {
  image: string;
  caption?: Caption;
  negative?: Caption;
  first: Entry;
  attributes: Example['attributes'];
}

class FoilReader implements RowReader {
  private readonly names = new Map<string, string>();
  private readonly pairs = new Map<string, Pair>();

  read(entry: Entry, sink: Sink): void {
    if (entry.section === 'images') this.image(entry);
    else if (entry.section === 'annotations') this.annotation(entry, sink);
  }

  private image({ fields }: Entry): void {
    const [id, name] = [fields.get('id')?.value, fields.get('file_name')?.value];
    if (typeof name === 'string') this.names.set(String(id), name);
  }

  private annotation(entry: Entry, sink: Sink): void {
    const draft = new Draft(entry, sink);
    const [image, id, verdict] = ['image_id', 'foil_id', 'foil'].map((name) => draft.need(name));
    const isWrong = truthOf(verdict?.value);
    if (verdict !== undefined && isWrong === undefined)
      draft.fail('wrong-type', say`"${'foil'}" should be true or false.`, verdict);
    draft.addCaption('caption', isWrong ? 'negative' : 'caption');
    if (draft.failed || image === undefined || id === undefined) return;
    const key = `${String(image.value)}/${String(id.value)}`;
    const pair = this.pairs.get(key) ?? {
      image: String(image.value),
      first: entry,
      attributes: draft.attributes(['image_id', 'foil_id', 'foil', 'caption', 'id']),
    };
    pair[isWrong ? 'negative' : 'caption'] ??= draft.captions[0];
    this.pairs.set(key, pair);
  }

  *end(sink: Sink): Iterable<void> {
    let made = 0;
    for (const [id, { image, caption, negative, first, attributes }] of this.pairs) {
      const place = first.place === undefined ? {} : { place: first.place };
      if (caption === undefined || negative === undefined)
        sink.problem({
          code: 'missing-field',
          severity: 'error',
          message: say`Of this pair only one caption is here.`,
          row: first.row,
          ...place,
        });
      else
        sink.example({
          id,
          form: 'choice',
          row: first.row,
          ...place,
          images: [{ name: this.names.get(image) ?? image }],
          captions: [caption, negative],
          attributes,
        });
      if (++made % 256 === 0) yield;
    }
  }
}
