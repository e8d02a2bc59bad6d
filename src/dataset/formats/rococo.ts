import { say } from '../../base/say';
import { named } from './named';
import type { Cell } from '../cell';
import { eachRow, type Format, readsOfId, type Recognised, type Sample } from '../format';

/** An entry has this many true captions, and the same number of altered captions. */
const each = 5;

/**
 * RoCOCO: a list of captions per image, as in BLIP's files. The last five are altered versions of the first five.
 * As in the paper, a sixth true caption is not used. Lists without altered captions are plain captions.
 */
export const rococo: Format = {
  id: 'rococo',
  title: named('RoCOCO', say('dataset.readsAltered')),
  isGeneral: true,
  looksLike: 'a list of entries {image, caption: [5 captions, then 5 altered ones]}',
  recognise(sample) {
    return inColumns(sample) ?? inOneList(sample);
  },
};

/** Recognises true and altered captions in separate columns. */
function inColumns({ naming }: Sample): Recognised | undefined {
  const image = naming.column('image');
  const caption = naming.column('caption');
  const altered = naming.column('altered');
  if (image === undefined || caption === undefined || altered === undefined) return undefined;
  const id = naming.column('id');
  return {
    form: 'altered',
    reads: [[image, 'image'], [caption, 'captions'], [altered, 'altered captions'], ...readsOfId(id)],
    map: { image, caption, altered },
    reader: eachRow((draft) => {
      draft.addImage(image);
      draft.addCaptions(caption, 'caption');
      draft.addCaptions(altered, 'altered');
      draft.finish('altered', id);
    }),
  };
}

function inOneList({ layout, naming, columns, rows }: Sample): Recognised | undefined {
  if (
    layout === 'delimited' ||
    columns.some((column) => !['image', 'caption', 'image_id', 'id'].includes(column))
  )
    return undefined;
  if (
    !columns.includes('image') ||
    naming.column('caption') !== 'caption' ||
    naming.column('image') !== 'image'
  )
    return undefined;
  const sizes = rows.map(({ fields }) => sizeOf(fields.get('caption')));
  if (sizes.length === 0 || sizes.some((size) => size === undefined)) return undefined;
  const full = sizes.filter((size) => size! >= 2 * each).length;
  if (2 * full < sizes.length && sizes.filter((size) => size! >= each).length * 2 < sizes.length)
    return undefined;
  const altered = 2 * full >= sizes.length;
  const id = columns.includes('id') ? 'id' : undefined;
  const form = altered ? 'altered' : 'captions';
  return {
    form,
    title: altered ? named('RoCOCO', say('dataset.readsFiveAltered')) : say('dataset.readsCaptionList'),
    reads: [
      ['image', 'image'],
      ['caption', altered ? 'captions, then altered ones' : 'captions'],
      ...readsOfId(id),
    ],
    map: { image: 'image', caption: 'caption' },
    reader: eachRow((draft) => {
      draft.addImage('image');
      const cell = draft.need('caption');
      if (cell === undefined) return;
      if (!Array.isArray(cell.value)) {
        draft.fail('wrong-type', say('dataset.rococoCaptionNotList'), cell);
        return;
      }
      const texts = cell.value as readonly Cell[];
      const firstAltered = !altered ? texts.length : texts.length >= 2 * each ? texts.length - each : each;
      const kept = altered ? Math.min(each, firstAltered) : firstAltered;
      const extra = Math.min(firstAltered, texts.length) - kept;
      if (extra > 0)
        draft.warn('extra-caption', say('dataset.extraTrueCaptions', each + extra, each), texts[each]);
      texts.forEach((text, i) => {
        if (i < kept) draft.addText(text, 'caption', 'caption', 0, 'warning');
        else if (i >= firstAltered) draft.addText(text, 'caption', 'altered', 0, 'warning');
      });
      if (!draft.captions.some(({ role }) => role === 'caption'))
        draft.fail('empty-caption', say('dataset.rococoWithoutCaption'), cell);
      draft.finish(form, id);
    }),
  };
}

function sizeOf(cell: Cell | undefined): number | undefined {
  return Array.isArray(cell?.value) ? cell.value.length : undefined;
}
