import { say } from '../../base/say';
import { named } from './named';
import { Draft, type Sink } from '../draft';
import type { Entry } from '../entry';
import type { Format, RowReader } from '../format';
import { annotationColumns } from '../sniff';
import { numberOf } from './rated';
import { addTo } from '../../base/lists';

const [imageColumn, captionColumn, ...judgements] = annotationColumns;
/** The file with Flickr8k's captions. It is in the same archive as the judgments. */
const tokens = 'Flickr8k.token.txt';

/** Flickr8k's judgment files, with captions by id: three experts' ratings or a crowd's votes. */
export const flickrAnnotations: Format = {
  id: 'flickr8k-annotations',
  title: named('Flickr8k', say('dataset.readsJudgments')),
  looksLike: 'lines with an image, the id of a caption (image.jpg#0) and three numbers',
  recognise({ columns, rows }) {
    if (
      columns.length !== annotationColumns.length ||
      columns.some((name, i) => name !== annotationColumns[i])
    )
      return undefined;
    const isCrowd = rows.every(({ fields }) => isShare(judgements.map((name) => numberOf(fields.get(name)))));
    const as = isCrowd
      ? ['rating: the share of people who said yes', 'how many said yes', 'how many said no']
      : ['rating of an expert', 'rating of an expert', 'rating of an expert'];
    return {
      form: 'rating',
      title: isCrowd
        ? named('Flickr8k-CF', say('dataset.readsVotes'))
        : named('Flickr8k-Expert', say('dataset.readsExperts')),
      reads: [
        [imageColumn, 'image'],
        [captionColumn, `candidate, by its id in ${tokens}`],
        ...judgements.map((name, i) => [name, as[i]] as const),
      ],
      beside: {
        name: tokens,
        missing: {
          ask: say('dataset.flickrTokensMissing', tokens),
          remedy: say('dataset.copyFlickrTokens', tokens),
        },
      },
      reader: (beside) => new AnnotationReader(captionsOf(beside ?? ''), isCrowd),
    };
  },
};

/** Whether the first number is yes / (yes + no). This holds for a crowd's votes, but never for ratings of 1 to 4. */
function isShare([share, yes, no]: readonly (number | undefined)[]): boolean {
  return (
    share !== undefined &&
    yes !== undefined &&
    no !== undefined &&
    yes + no > 0 &&
    Math.abs(share - yes / (yes + no)) < 1e-4
  );
}

interface Captions {
  byId: Map<string, string>;
  byImage: Map<string, string[]>;
}

function captionsOf(text: string): Captions {
  const captions: Captions = { byId: new Map(), byImage: new Map() };
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    const [, id, image, caption] = /^(([^\t]+)#\d+)\t(.*)$/.exec(line) ?? [];
    if (caption === undefined || caption.trim() === '') continue;
    captions.byId.set(id, caption.trim());
    addTo(captions.byImage, image, caption.trim());
  }
  return captions;
}

class AnnotationReader implements RowReader {
  constructor(
    private readonly captions: Captions,
    private readonly isCrowd: boolean,
  ) {}

  read(entry: Entry, sink: Sink): void {
    const draft = new Draft(entry, sink);
    draft.addImage(imageColumn);
    const cell = draft.need(captionColumn);
    const id = String(cell?.value ?? '');
    const text = this.captions.byId.get(id);
    if (cell !== undefined && text === undefined)
      draft.fail('missing-field', say('dataset.flickrCaptionMissing', tokens, id), cell);
    const cells = judgements.map((name) => draft.need(name));
    const numbers = cells.map((judgement) => numberOf(judgement));
    const isSound = this.isCrowd
      ? isShare(numbers)
      : numbers.every((rating) => rating !== undefined && rating >= 1 && rating <= 4);
    if (!draft.failed && !isSound)
      draft.fail(
        'wrong-type',
        this.isCrowd ? say('dataset.yesShareMismatch') : say('dataset.expertRatingInvalid'),
        cells[0],
      );
    if (draft.failed || text === undefined) return;
    const image = draft.images[0].name;
    const ratings = numbers.flatMap((rating) => rating ?? []);
    draft.captions.push({
      text,
      role: 'candidate',
      image: 0,
      field: captionColumn,
      ratings: this.isCrowd ? ratings.slice(0, 1) : ratings,
    });
    const own = this.captions.byImage.get(image) ?? [];
    draft.extra.references = own.filter((other) => other !== text);
    // The authors of CLIPScore and of SPICE leave out the experts' ratings of an image's own captions.
    draft.tag('own caption', own.includes(text));
    if (this.isCrowd) {
      draft.tag('yes', ratings[1]);
      draft.tag('no', ratings[2]);
    }
    draft.finish('rating', undefined, `${image}/${id}`);
  }
}
