import { say } from '../../base/say';
import { named } from './named';
import { listOf } from '../draft';
import { plainName } from '../fields/fields';
import { eachRow, type Format, holdsTexts, readsOfId, type Sample } from '../format';
import { addReferences, numberOf, referenceNames } from './rated';

const ratingNames = new Set(
  'rating ratings human_rating human_ratings human_score human_scores human_judgement human_judgment'.split(
    ' ',
  ),
);

/** One candidate per row, with one rating or a list of ratings. */
export const ratings: Format = {
  id: 'ratings',
  title: say('dataset.readsRatingRows'),
  isGeneral: true,
  looksLike: 'columns for an image, a caption and its rating',
  recognise(sample) {
    const { naming, columns, rows } = sample;
    const image = naming.column('image');
    const caption = naming.column('caption') ?? naming.column('candidateA');
    const rating = naming.isMapped
      ? naming.column('rating')
      : columns.find((column) => ratingNames.has(plainName(column)));
    if (image === undefined || caption === undefined || rating === undefined || !holdsTexts(rows, caption))
      return undefined;
    const references = referenceNames.find((name) => columns.includes(name));
    return {
      ...rowOfRating(sample, { image, caption, rating, ...(references === undefined ? {} : { references }) }),
      map: { image, caption, rating },
    };
  },
};

/** Polaris and Nebula: a candidate, its references, and a human score. */
export const polaris: Format = {
  id: 'polaris',
  title: named('Polaris or Nebula', say('dataset.readsRatedWithReferences')),
  looksLike: 'columns img, cand, refs and human_score, or imgid, mt, refs and score',
  recognise(sample) {
    const { naming } = sample;
    const first = (...names: string[]) =>
      names.map((name) => naming.named(name)).find((column) => column !== undefined);
    const image = first('img', 'image', 'imgid', 'file_name');
    const caption = first('cand', 'mt');
    const rating = first('human_score', 'score');
    const references = first('refs');
    if (image === undefined || caption === undefined || rating === undefined || references === undefined)
      return undefined;
    return rowOfRating(sample, { image, caption, rating, references });
  },
};

interface RatedRow {
  image: string;
  caption: string;
  rating: string;
  references?: string;
}

function rowOfRating({ naming }: Sample, { image, caption, rating, references }: RatedRow) {
  const id = naming.column('id');
  return {
    form: 'rating' as const,
    reads: [
      [image, 'image'] as const,
      [caption, 'candidate'] as const,
      [rating, 'rating'] as const,
      ...(references === undefined ? [] : [[references, 'references'] as const]),
      ...readsOfId(id === image ? undefined : id),
    ],
    reader: eachRow((draft) => {
      draft.addImage(image);
      draft.addCaption(caption, 'candidate');
      const cell = draft.need(rating);
      if (cell === undefined) return;
      const given = listOf(cell) ?? [cell];
      const numbers = given.map(numberOf).filter((one) => one !== undefined);
      if (numbers.length < given.length || given.length === 0)
        draft.fail('wrong-type', say('dataset.ratingNotNumeric', rating), cell);
      if (draft.failed) return;
      draft.captions[0].ratings = numbers;
      if (references !== undefined) addReferences(draft, references);
      draft.finish('rating', id === image ? undefined : id);
    }),
  };
}
