import { say } from '../../base/say';
import { Draft } from '../draft';
import type { Format } from '../format';
import { plainName } from '../fields';

/** caption_3, caption 3, text3: one of several caption columns. */
const numbered = /^(caption|sentence|text|description|comment|reference)_?\d+$/;

/** An image column and one or more caption columns, each a text or a list of texts. */
export const plain: Format = {
  id: 'plain',
  looksLike: 'a column that names an image and one or more with captions',
  recognise({ naming, columns }) {
    const caption = naming.column('caption');
    const several = columns.filter((column) => numbered.test(plainName(column)));
    const captions =
      several.length > 0 && (caption === undefined || several.includes(caption))
        ? several
        : caption === undefined
          ? []
          : [caption];
    const image = naming.column('image');
    if (captions.length === 0 || image === undefined) return undefined;
    const id = naming.column('id');
    return {
      form: 'captions',
      reader: () => ({
        read(entry, sink) {
          const draft = new Draft(entry, sink);
          draft.addImage(image);
          if (captions.length === 1) draft.addCaptions(captions[0], 'caption');
          else {
            // A row may have fewer captions than there are columns for them.
            let any = false;
            for (const column of captions) {
              const cell = draft.take(column);
              if (cell === undefined || cell.value === null || cell.value === '') continue;
              any = true;
              draft.addCaptions(column, 'caption');
            }
            if (!any) draft.fail('missing-field', say`There is no caption here (${captions.join(', ')}).`);
          }
          draft.finish('captions', id);
        },
      }),
    };
  },
};
