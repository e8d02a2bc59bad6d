import { say } from '../../base/say';
import { named } from './named';
import { eachRow, type Format, readsOfId } from '../format';
import { truthOf } from '../fields/truth';

/** Visual Spatial Reasoning: an image and a statement about it, true (label 1) or false (label 0). */
export const vsr: Format = {
  id: 'vsr',
  title: named('VSR', say('dataset.readsTrueAndFalse')),
  looksLike: 'columns image, caption, relation and a label of 0 or 1',
  recognise({ naming, columns }) {
    const image = naming.column('image');
    const caption = naming.column('caption');
    const label = naming.column('label');
    if (image === undefined || caption === undefined || label === undefined || !columns.includes('relation'))
      return undefined;
    const id = naming.column('id');
    return {
      form: 'pair',
      reads: [[image, 'image'], [caption, 'statement'], [label, 'truth'], ...readsOfId(id)],
      reader: eachRow((draft, entry) => {
        draft.addImage(image);
        const truth = entry.fields.get(label);
        const isTrue = truth === undefined ? undefined : truthOf(truth.value);
        if (isTrue === undefined) draft.fail('wrong-type', say('dataset.fieldNotBit', label), truth);
        draft.addCaption(caption, isTrue ? 'caption' : 'negative');
        draft.finish('pair', id);
      }),
    };
  },
};
