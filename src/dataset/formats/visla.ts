import { say } from '../../base/say';
import { named } from './named';
import { eachRow, type Format, holdsTexts, readsOfId } from '../format';

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
      reader: eachRow((draft) => {
        draft.addImage(image0);
        draft.addImage(image1);
        draft.addCaption(caption0, 'caption', 0);
        draft.addCaption(caption1, 'caption', 1);
        draft.finish('crossed', id);
      }),
    };
  },
};

/** VISLA: an image, two captions with the same meaning, and a negative worded like the first. */
export const visla: Format = {
  id: 'visla',
  title: named('VISLA', say('dataset.readsTriplets')),
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
      reader: eachRow((draft) => {
        if (image !== undefined) draft.addImage(image);
        draft.addCaption(caption, 'caption');
        draft.addCaption(second, 'caption');
        draft.addCaption(negative, 'negative');
        draft.finish('triplet', id);
      }),
    };
  },
};

/** SugarCrepe++: the form of VISLA with other column names. `caption` and `caption2` have the same meaning. */
export const sugarcrepePlus: Format = {
  ...visla,
  id: 'sugarcrepe++',
  title: named('SugarCrepe++', say('dataset.readsTriplets')),
  needs: ['caption', 'caption2', 'negative_caption'],
  looksLike: 'columns caption, caption2 and negative_caption',
  recognise(sample) {
    const second = sample.naming.named('caption2');
    return second !== undefined && sample.naming.column('second') === second
      ? visla.recognise(sample)
      : undefined;
  },
};
