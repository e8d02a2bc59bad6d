import { say } from '../../base/say';
import { CaptiousError } from '../../base/errors';
import { Draft, type Sink, nameRepeats } from '../draft';
import type { Entry } from '../entry';
import type { Attribute, Example } from '../example';
import type { Format, RowReader } from '../format';
import { Column } from '../../base/column';
import { truthOf } from '../fields/truth';
import { PlaceList, TextList } from '../numbers';

/** Columns of `images` that do not become attributes. */
const noise = ['coco_url', 'flickr_url', 'date_captured', 'file_name', 'id'];

/** COCO: `images` and `annotations`, in any order, joined by image id. */
export const coco: Format = {
  id: 'coco',
  title: say('dataset.readsCoco'),
  isGeneral: true,
  looksLike: 'an object with the lists "images" and "annotations"',
  recognise({ layout, sections, rows, naming }) {
    if (layout !== 'object of lists') return undefined;
    if (!sections.includes('annotations') && !sections.includes('images')) return undefined;
    const seen = rows.map(({ fields }) => fields);
    if (!seen.some((fields) => fields.get('file_name') ?? fields.get('image_id'))) return undefined;
    const { label, foil } = naming.map;
    const column = label ?? foil;
    const verdict = column === undefined ? undefined : { column, isRight: label !== undefined };
    return {
      form: verdict === undefined ? 'captions' : 'choice',
      ...(verdict === undefined ? {} : { title: say('dataset.readsCocoChoices') }),
      reads: [
        ...['file_name', 'id'].map((column) => [column, 'image'] as const),
        ...['image_id', 'caption'].map(
          (column) => [column, column === 'caption' ? 'captions' : 'image'] as const,
        ),
        ...(verdict === undefined
          ? []
          : [
              [
                verdict.column,
                verdict.isRight ? 'whether the caption is right' : 'whether the caption is wrong',
              ] as const,
            ]),
      ],
      map: { image: 'file_name', caption: 'caption' },
      reader: () => new CocoReader(verdict),
    };
  },
};

/** An annotation column that marks captions as right or wrong. */
interface Verdict {
  column: string;
  isRight: boolean;
}

interface Image {
  slot: number;
  name: string;
  attributes: Record<string, Attribute>;
}

/** Joins COCO's two lists. To save memory, stores texts as bytes and places as numbers. */
class CocoReader implements RowReader {
  /** A number for each image id, assigned when the id first occurs in an image or in an annotation. */
  private readonly slots = new Map<string | number, number>();
  private readonly ids: (string | number)[] = [];
  private readonly images: Image[] = [];
  private readonly imageOfSlot = new Map<number, number>();
  private readonly imagePlaces = new PlaceList();
  private readonly texts = new TextList();
  private readonly textSlots = new Column(Float64Array);
  private readonly textRows = new Column(Float64Array);
  private readonly textPlaces = new PlaceList();
  /** The indices of wrong captions in `texts`. */
  private readonly wrong = new Set<number>();
  private readonly entryPlaces = new PlaceList();
  private sawImages = false;
  private annotations = 0;
  private categories = 0;

  constructor(private readonly verdict?: Verdict) {}

  read(entry: Entry, sink: Sink): void {
    switch (entry.section) {
      case 'images':
        this.image(entry, sink);
        break;
      case 'annotations':
        this.annotation(entry, sink);
        break;
      default:
        this.categories++;
    }
  }

  private image(entry: Entry, sink: Sink): void {
    this.sawImages = true;
    const draft = new Draft(entry, sink);
    const id = this.key(draft, 'id');
    draft.addImage('file_name');
    if (id === undefined || draft.images.length === 0) return;
    const slot = this.slot(id);
    if (this.imageOfSlot.has(slot)) {
      draft.fail('duplicate-id', say('dataset.imageIdReused', id), entry.fields.get('id'));
      return;
    }
    this.imageOfSlot.set(slot, this.images.length);
    this.images.push({ slot, name: draft.images[0].name, attributes: draft.attributes(noise) });
    this.imagePlaces.push(entry.place);
  }

  private annotation(entry: Entry, sink: Sink): void {
    this.annotations++;
    if (entry.fields.get('caption') === undefined && entry.fields.get('bbox') !== undefined) return;
    const draft = new Draft(entry, sink);
    const id = this.key(draft, 'image_id');
    draft.addCaption('caption', 'caption');
    const isRight = this.verdict === undefined || this.isRight(draft, this.verdict);
    if (id === undefined || isRight === undefined || draft.captions.length === 0) return;
    if (!isRight) this.wrong.add(this.texts.length);
    const [caption] = draft.captions;
    this.texts.push(caption.text);
    this.textSlots.push(this.slot(id));
    this.textRows.push(entry.row);
    this.textPlaces.push(caption.place);
    this.entryPlaces.push(entry.place);
  }

  private isRight(draft: Draft, { column, isRight }: Verdict): boolean | undefined {
    const cell = draft.need(column);
    const truth = truthOf(cell?.value);
    if (cell !== undefined && truth === undefined)
      draft.fail('wrong-type', say('dataset.fieldNotBoolean', column), cell);
    return truth === undefined ? undefined : truth === isRight;
  }

  private key(draft: Draft, column: string): string | number | undefined {
    const cell = draft.need(column);
    if (cell === undefined) return undefined;
    if (typeof cell.value === 'string') return cell.value;
    if (typeof cell.value === 'number') {
      // Different ids above 2^53 are equal once they are numbers, and would share their captions.
      if (!(Math.abs(cell.value) > Number.MAX_SAFE_INTEGER)) return cell.value;
      draft.fail('wrong-type', say('dataset.numberTooLarge', column), cell);
      return undefined;
    }
    draft.fail('wrong-type', say('dataset.fieldNotScalar', column), cell);
    return undefined;
  }

  private slot(id: string | number): number {
    let slot = this.slots.get(id);
    if (slot === undefined) {
      slot = this.ids.length;
      this.slots.set(id, slot);
      this.ids.push(id);
    }
    return slot;
  }

  *end(sink: Sink): Iterable<void> {
    if (this.texts.length === 0) throw this.noCaptions();
    if (!this.sawImages)
      this.ids.forEach((id, slot) => this.images.push({ slot, name: String(id), attributes: {} }));
    const ofSlot = this.textsBySlot();
    let made = 0;
    for (const [row, image] of this.images.entries()) {
      const place = this.sawImages ? this.imagePlaces.at(row) : undefined;
      const texts = ofSlot(image.slot);
      if (texts.length === 0) {
        sink.problem({
          code: 'missing-field',
          severity: 'warning',
          message: say('dataset.imageWithoutCaption', image.name),
          row,
          ...(place === undefined ? {} : { place }),
        });
        continue;
      }
      const example = this.example(row, image, place, texts);
      nameRepeats(example.captions, row, place, sink);
      sink.example(example);
      if (++made % 256 === 0) yield;
    }
    if (!this.sawImages) return;
    for (let i = 0; i < this.texts.length; i++) {
      const slot = this.textSlots.data[i];
      if (this.imageOfSlot.has(slot)) continue;
      const place = this.entryPlaces.at(i);
      sink.problem({
        code: 'missing-field',
        severity: 'error',
        message: say('dataset.imageIdUnknown', this.ids[slot]),
        row: this.textRows.data[i],
        ...(place === undefined ? {} : { place }),
      });
    }
  }

  private example(row: number, image: Image, place: Example['place'], texts: readonly number[]): Example {
    return {
      id: String(this.ids[image.slot]),
      form: this.verdict === undefined ? 'captions' : 'choice',
      row,
      ...(place === undefined ? {} : { place }),
      images: [{ name: image.name }],
      captions: texts.map((index) => {
        const at = this.textPlaces.at(index);
        return {
          text: this.texts.at(index),
          role: this.wrong.has(index) ? 'negative' : 'caption',
          image: 0,
          field: 'caption',
          ...(at === undefined ? {} : { place: at }),
        };
      }),
      attributes: image.attributes,
    };
  }

  /** Returns a function that gives the indices of an image's captions, in file order. */
  private textsBySlot(): (slot: number) => number[] {
    const starts = new Uint32Array(this.ids.length + 1);
    for (let i = 0; i < this.texts.length; i++) starts[this.textSlots.data[i] + 1]++;
    for (let slot = 0; slot < this.ids.length; slot++) starts[slot + 1] += starts[slot];
    const next = starts.slice();
    const sorted = new Uint32Array(this.texts.length);
    for (let i = 0; i < this.texts.length; i++) sorted[next[this.textSlots.data[i]]++] = i;
    return (slot) => Array.from(sorted.subarray(starts[slot], starts[slot + 1]));
  }

  private noCaptions(): NoCaptionsError {
    return new NoCaptionsError({
      images: this.images.length,
      annotations: this.annotations,
      ...(this.categories > 0 ? { categories: this.categories } : {}),
    });
  }
}

/** The error for COCO files without captions, such as object instances or keypoints. */
export class NoCaptionsError extends CaptiousError {
  constructor(readonly counts: { images: number; annotations: number; categories?: number }) {
    const { images, annotations, categories } = counts;
    const all = say('dataset.listSizes', images, annotations);
    const listed = categories === undefined ? all : say('dataset.sizesInCategories', all, categories);
    super('input', say('dataset.cocoWithoutCaptions', listed), { remedy: say('dataset.useCaptionsFile') });
  }
}
