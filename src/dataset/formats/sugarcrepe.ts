import { say } from '../../base/say';
import { named } from './named';
import { listOf } from '../draft';
import { eachRow, type Format, holdsTexts, readsOfId } from '../format';

/** SugarCrepe: an image, a caption, and a negative. */
export const sugarcrepe: Format = {
  id: 'sugarcrepe',
  title: named('SugarCrepe', say('dataset.readsWrongCaption')),
  isGeneral: true,
  looksLike: 'columns for an image, a caption and a negative caption',
  recognise({ naming, rows }) {
    const caption = naming.column('caption');
    const negative = naming.column('negative');
    if (caption === undefined || negative === undefined) return undefined;
    const [isList, areWrong] = [caption, negative].map((column) => {
      const cells = rows.flatMap(({ fields }) => fields.get(column) ?? []);
      return cells.length > 0 && cells.every((cell) => listOf(cell) !== undefined);
    });
    if (!areWrong && !holdsTexts(rows, negative)) return undefined;
    const form = isList || areWrong ? 'choice' : 'pair';
    const image = naming.column('image');
    const id = naming.column('id');
    return {
      form,
      ...(form === 'choice' ? { title: say('dataset.readsWrongCaptions') } : {}),
      reads: [
        ...(image === undefined ? [] : [[image, 'image'] as const]),
        [caption, isList ? 'captions' : 'caption'],
        [negative, areWrong ? 'wrong captions' : 'wrong caption'],
        ...readsOfId(id),
      ],
      map: { ...(image === undefined ? {} : { image }), caption, negative },
      reader: eachRow((draft) => {
        if (image !== undefined) draft.addImage(image);
        if (isList) draft.addCaptions(caption, 'caption');
        else draft.addCaption(caption, 'caption');
        if (areWrong) draft.addCaptions(negative, 'negative');
        else draft.addCaption(negative, 'negative');
        draft.finish(form, id);
      }),
    };
  },
};
