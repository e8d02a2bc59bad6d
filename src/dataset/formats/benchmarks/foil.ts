import { say } from '../../../base/say';
import { named } from '../named';
import { Draft, type Sink } from '../../draft';
import type { Entry } from '../../entry';
import type { Caption, Example } from '../../example';
import type { Format, RowReader } from '../../format';
import { truthOf } from '../../fields/truth';
import { addTo } from '../../../base/lists';

/** FOIL-COCO: COCO's form with annotations marked true or foil. A caption and its foils share COCO's `id`. */
export const foil: Format = {
  id: 'foil',
  title: named('FOIL-COCO', say('dataset.readsFoil')),
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
        ['foil', 'whether the caption is wrong'],
        ['id', 'which captions belong together'],
        ['foil_id', 'which captions belong together, if each id is different'],
      ],
      reader: () => new FoilReader(),
    };
  },
};

interface Annotation {
  image: string;
  id: string;
  foilId: string;
  isWrong: boolean;
  caption: Caption;
  entry: Entry;
  attributes: Example['attributes'];
}

class FoilReader implements RowReader {
  private readonly names = new Map<string, string>();
  private readonly annotations: Annotation[] = [];

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
      draft.fail('wrong-type', say('dataset.fieldNotBoolean', 'foil'), verdict);
    draft.addCaption('caption', isWrong ? 'negative' : 'caption');
    if (draft.failed || image === undefined || id === undefined || isWrong === undefined) return;
    this.annotations.push({
      image: String(image.value),
      id: String(draft.take('id')?.value ?? ''),
      foilId: String(id.value),
      isWrong,
      caption: draft.captions[0],
      entry,
      attributes: draft.attributes(['image_id', 'foil_id', 'foil', 'caption', 'id']),
    });
  }

  /** Groups by COCO's `id`, as other loaders do. If no `id` has both a caption and a foil, groups by `foil_id`. */
  private groups(): Map<string, Annotation[]> {
    const by = (key: 'id' | 'foilId'): Map<string, Annotation[]> =>
      groupBy(this.annotations, (annotation) => `${annotation.image}/${annotation[key]}`);
    const byId = by('id');
    const isPaired = [...byId.values()].some(
      (group) => new Set(group.map(({ isWrong }) => isWrong)).size > 1,
    );
    return isPaired ? byId : by('foilId');
  }

  *end(sink: Sink): Iterable<void> {
    const rightOf = groupBy(
      this.annotations.filter(({ isWrong }) => !isWrong),
      ({ image }) => image,
    );
    let made = 0;
    for (const [id, group] of this.groups()) {
      const right = group.find(({ isWrong }) => !isWrong);
      const wrong = group.filter(({ isWrong }) => isWrong);
      if (right === undefined || wrong.length === 0) nameIncomplete(group[0].entry, sink);
      else {
        const { image, caption, entry, attributes } = right;
        const references = (rightOf.get(image) ?? []).map((other) => other.caption.text);
        wrong.forEach((foil, i) => {
          sink.example({
            id: i === 0 ? id : `${id}/${i + 1}`,
            form: 'choice',
            row: entry.row,
            ...(entry.place === undefined ? {} : { place: entry.place }),
            images: [{ name: this.names.get(image) ?? image }],
            captions: [caption, foil.caption],
            references: [...new Set(references)].filter((text) => text !== caption.text),
            attributes: { ...attributes, ...foil.attributes },
          });
        });
      }
      if (++made % 256 === 0) yield;
    }
  }
}

function nameIncomplete({ row, place }: Entry, sink: Sink): void {
  sink.problem({
    code: 'missing-field',
    severity: 'error',
    message: say('dataset.foilPairIncomplete'),
    row,
    ...(place === undefined ? {} : { place }),
  });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    addTo(groups, keyOf(item), item);
  }
  return groups;
}
