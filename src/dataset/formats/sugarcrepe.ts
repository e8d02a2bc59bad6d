import { Draft } from '../draft';
import { type Format, holdsTexts, readsOfId } from '../format';

/** SugarCrepe: an image, a caption, and a negative. */
export const sugarcrepe: Format = {
  id: 'sugarcrepe',
  title: 'SugarCrepe, a caption and a wrong one',
  isGeneral: true,
  looksLike: 'columns for an image, a caption and a negative caption',
  recognise({ naming, rows }) {
    const caption = naming.column('caption');
    const negative = naming.column('negative');
    if (caption === undefined || negative === undefined || !holdsTexts(rows, negative)) return undefined;
    const image = naming.column('image');
    const id = naming.column('id');
    return {
      form: 'pair',
      reads: [
        ...(image === undefined ? [] : [[image, 'image'] as const]),
        [caption, 'caption'],
        [negative, 'wrong caption'],
        ...readsOfId(id),
      ],
      map: { ...(image === undefined ? {} : { image }), caption, negative },
      reader: () => ({
        read(entry, sink) {
          const draft = new Draft(entry, sink);
          if (image !== undefined) draft.addImage(image);
          draft.addCaption(caption, 'caption');
          draft.addCaption(negative, 'negative');
          draft.finish('pair', id);
        },
      }),
    };
  },
};
