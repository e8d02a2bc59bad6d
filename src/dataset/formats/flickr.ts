import { say } from '../../base/say';
import { Draft, type Sink } from '../draft';
import { plainName } from '../fields/fields';
import type { Format, RowReader } from '../format';

/** Flickr30k numbers the captions of an image in one of these columns. */
const counters = new Set(['comment_number', 'caption_number', 'sentid']);
/** The most captions of an example. It matters only if very many rows name the same image. */
const mostCaptions = 1000;

/** Flickr8k and Flickr30k: a table with one caption per row. The rows of an image are adjacent. */
export const flickr: Format = {
  id: 'flickr',
  title: say('dataset.readsCaptionRows'),
  isGeneral: true,
  looksLike: 'a table with the columns image and caption, one caption per row',
  recognise({ layout, naming, columns }) {
    const image = naming.column('image');
    const caption = naming.column('caption');
    if (layout !== 'delimited' || image === undefined || caption === undefined) return undefined;
    const others = columns.filter((column) => column !== image && column !== caption);
    if (others.some((column) => !counters.has(plainName(column)))) return undefined;
    return {
      form: 'captions',
      reads: [
        [image, 'image'],
        [caption, 'captions'],
        ...others.map((column) => [column, 'number'] as const),
      ],
      map: { image, caption },
      reader: () => new FlickrReader(image, caption, others),
    };
  },
};

/** Joins the adjacent rows of an image. */
class FlickrReader implements RowReader {
  private open: { draft: Draft; name: string } | undefined;

  constructor(
    private readonly image: string,
    private readonly caption: string,
    private readonly counters: readonly string[],
  ) {}

  read(entry: Parameters<RowReader['read']>[0], sink: Sink): void {
    const draft = new Draft(entry, sink);
    for (const column of this.counters) draft.take(column);
    draft.addImage(this.image);
    draft.addCaptions(this.caption, 'caption');
    if (draft.images.length === 0 || draft.captions.length === 0) return;
    // Image names in the token file end in the caption's number, such as name.jpg#0.
    const name = draft.images[0].name.replace(/#\d+$/, '');
    draft.images[0].name = name;
    if (this.open?.name !== name || this.open.draft.captions.length >= mostCaptions) {
      this.close();
      this.open = { draft, name };
    } else this.open.draft.join(draft);
  }

  *end(): Iterable<void> {
    this.close();
    yield;
  }

  private close(): void {
    this.open?.draft.finish('captions', undefined, this.open.name);
    this.open = undefined;
  }
}
