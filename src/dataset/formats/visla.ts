import { Draft } from '../draft';
import { type Format, holdsTexts, readsOfId } from '../format';

/** VISLA: an image, two captions with the same meaning, and a negative worded like the first. */
export const visla: Format = {
  id: 'visla',
  title: 'VISLA, two captions with the same meaning and a wrong one',
  isGeneral: true,
  looksLike: 'columns for an image, a caption, a second positive and a negative caption',
  recognise({ naming, rows }) {
    const caption = naming.column('caption');
    const second = naming.column('second');
    const negative = naming.column('negative');
    if (caption === undefined || second === undefined || negative === undefined) return undefined;
    if (!holdsTexts(rows, negative)) return undefined;
    const image = naming.column('image');
    const id = naming.column('id');
    return {
      form: 'triplet',
      reads: [
        ...(image === undefined ? [] : [[image, 'image'] as const]),
        [caption, 'caption'],
        [second, 'second caption'],
        [negative, 'wrong caption'],
        ...readsOfId(id),
      ],
      map: { ...(image === undefined ? {} : { image }), caption, second, negative },
      reader: () => ({
        read(entry, sink) {
          const draft = new Draft(entry, sink);
          if (image !== undefined) draft.addImage(image);
          draft.addCaption(caption, 'caption');
          draft.addCaption(second, 'caption');
          draft.addCaption(negative, 'negative');
          draft.finish('triplet', id);
        },
      }),
    };
  },
};

/** SugarCrepe++: the form of VISLA with other column names. `caption` and `caption2` have the same meaning. */
export const sugarcrepePlus: Format = {
  ...visla,
  id: 'sugarcrepe++',
  title: 'SugarCrepe++, two captions with the same meaning and a wrong one',
  needs: ['caption', 'caption2', 'negative_caption'],
  looksLike: 'columns caption, caption2 and negative_caption',
  recognise(sample) {
    const second = sample.naming.named('caption2');
    return second !== undefined && sample.naming.column('second') === second
      ? visla.recognise(sample)
      : undefined;
  },
};
