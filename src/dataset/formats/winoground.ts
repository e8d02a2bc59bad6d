import { Draft } from '../draft';
import { type Format, readsOfId } from '../format';

/** Winoground: two images and a caption of each. Both captions have the same words. */
export const winoground: Format = {
  id: 'winoground',
  title: 'Winoground',
  isGeneral: true,
  looksLike: 'columns image_0, image_1, caption_0 and caption_1',
  recognise({ naming }) {
    const image0 = naming.column('image0');
    const image1 = naming.column('image1');
    const caption0 = naming.column('caption0');
    const caption1 = naming.column('caption1');
    if (image0 === undefined || image1 === undefined || caption0 === undefined || caption1 === undefined)
      return undefined;
    const id = naming.column('id');
    return {
      form: 'crossed',
      reads: [
        [image0, 'first image'],
        [image1, 'second image'],
        [caption0, 'caption of the first image'],
        [caption1, 'caption of the second image'],
        ...readsOfId(id),
      ],
      map: { image0, image1, caption0, caption1 },
      reader: () => ({
        read(entry, sink) {
          const draft = new Draft(entry, sink);
          draft.addImage(image0);
          draft.addImage(image1);
          draft.addCaption(caption0, 'caption', 0);
          draft.addCaption(caption1, 'caption', 1);
          draft.finish('crossed', id);
        },
      }),
    };
  },
};
