import { say } from '../../base/say';
import { type Cell, Fields } from '../cell';
import { listOf } from '../draft';
import { columnsLike, type Naming, plainName } from '../fields/fields';
import { eachRow, type Format, readsOfId } from '../format';
import { addReferences } from './rated';
import { withoutEnd } from '../../base/text/ends';

/** Numbered caption columns, such as caption_3, "caption 3" or text3. */
const numbered = /^(caption|sentence|text|description|comment|reference)_?\d+$/;

/** An image column and caption columns. A cell of a caption column has one text or a list of texts. */
export const plain: Format = {
  id: 'plain',
  title: say('dataset.readsImages'),
  isGeneral: true,
  looksLike: 'a column that names an image and one or more with captions',
  recognise({ naming, columns, rows }) {
    const captions = captionsOf(naming, columns);
    const image = naming.column('image');
    if (captions.length === 0 || image === undefined) return undefined;
    const cells = rows.flatMap(({ fields }) => captions.flatMap((column) => fields.get(column) ?? []));
    if (cells.length > 0 && !cells.some(holdsText)) return undefined;
    const id = naming.column('id');
    const references = ['references', 'refs'].find(
      (name) => columns.includes(name) && !captions.includes(name),
    );
    return {
      form: 'captions',
      reads: [
        [image, 'image'],
        ...captions.map((column) => [column, 'captions'] as const),
        ...(references === undefined ? [] : [[references, 'references'] as const]),
        ...readsOfId(id),
      ],
      map: { image, caption: patternOf(captions, columns) },
      reader: eachRow((draft) => {
        draft.addImage(image);
        if (captions.length === 1) draft.addCaptions(captions[0], 'caption');
        else {
          // Rows may have different numbers of captions, but each row needs at least one caption.
          let any = false;
          for (const column of captions) {
            const cell = draft.take(column);
            if (cell === undefined || cell.value === null || cell.value === '') continue;
            any = true;
            draft.addCaptions(column, 'caption');
          }
          if (!any) draft.fail('missing-field', say('dataset.plainCaptionMissing', captions.join(', ')));
        }
        if (references !== undefined) addReferences(draft, references);
        draft.finish('captions', id);
      }),
    };
  },
};

/** Whether a cell has a text, or a list that begins with one. `addText` also finds texts in objects. */
function holdsText(cell: Cell): boolean {
  const { value } = listOf(cell)?.at(0) ?? cell;
  return value instanceof Fields || (typeof value === 'string' && value.trim() !== '');
}

function captionsOf(naming: Naming, columns: readonly string[]): readonly string[] {
  const caption = naming.column('caption');
  if (naming.isMapped) return caption === undefined ? [] : columnsLike(caption, columns);
  const several = columns.filter((column) => numbered.test(plainName(column)));
  if (several.length > 0 && (caption === undefined || several.includes(caption))) return several;
  return caption === undefined ? [] : [caption];
}

/** The pattern that matches exactly these columns. If there is no such pattern, the name of the first column. */
function patternOf(captions: readonly string[], columns: readonly string[]): string {
  const [first] = captions;
  if (captions.length === 1) return first;
  const pattern = `${withoutEnd(first, /\d/)}*`;
  const matched = columnsLike(pattern, columns);
  return matched.length === captions.length && captions.every((name) => matched.includes(name))
    ? pattern
    : first;
}
