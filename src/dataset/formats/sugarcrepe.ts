import { Draft } from '../draft';
import type { Format } from '../format';

/** SugarCrepe: a picture, a caption, and a negative caption. */
export const sugarcrepe: Format = {
  id: 'sugarcrepe',
  looksLike: 'columns for an image, a caption and a negative caption',
  recognise({ naming }) {
    const caption = naming.column('caption');
    const negative = naming.column('negative');
    if (caption === undefined || negative === undefined) return undefined;
    const image = naming.column('image');
    const id = naming.column('id');
    return {
      form: 'pair',
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
