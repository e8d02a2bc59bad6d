import { Draft } from '../draft';
import type { Format } from '../format';

/** VISLA: a picture, two captions that say the same, and a negative close to the first. */
export const visla: Format = {
  id: 'visla',
  looksLike: 'columns for an image, a caption, a second positive and a negative caption',
  recognise({ naming }) {
    const caption = naming.column('caption');
    const second = naming.column('second');
    const negative = naming.column('negative');
    if (caption === undefined || second === undefined || negative === undefined) return undefined;
    const image = naming.column('image');
    const id = naming.column('id');
    return {
      form: 'triplet',
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
