import { say } from '../../base/say';
import { named } from './named';
import { type Cell, Fields } from '../cell';
import type { Draft } from '../draft';
import type { GivenVariant } from '../example';
import { eachRow, type Format, readsOfId } from '../format';

const paraphrases = 'same_caps';
const flips = 'diff_caps';
/** Flips of one type: diff_caps_color, diff_caps_number, diff_caps_object. */
const typedFlips = /^diff_caps_(\w+)$/;

/** LGIP's export: captions, each with its paraphrases (`same_caps`) and flips (`diff_caps`, also by type). */
export const lgip: Format = {
  id: 'lgip',
  title: named('LGIP', say('dataset.readsVariants')),
  looksLike: 'captions with "same_caps" and "diff_caps"',
  recognise({ naming, columns }) {
    const image = naming.column('image');
    const caption = naming.column('caption');
    const typed = columns.filter((column) => typedFlips.test(column));
    if (image === undefined || caption === undefined) return undefined;
    if (!columns.includes(paraphrases) && !columns.includes(flips) && typed.length === 0) return undefined;
    const id = naming.column('id');
    return {
      form: 'captions',
      reads: [
        [image, 'image'],
        [caption, 'captions'],
        [paraphrases, 'paraphrases'],
        ...[flips, ...typed].map((column) => [column, 'flips'] as const),
        ...readsOfId(id),
      ],
      reader: eachRow((draft) => {
        draft.addImage(image);
        const texts = draft.need(caption);
        if (texts === undefined) return;
        const several = Array.isArray(texts.value);
        const cells = several ? (texts.value as readonly Cell[]) : [texts];
        const lists = [paraphrases, flips, ...typed].map((column) => ({
          column,
          cell: draft.take(column),
        }));
        cells.forEach((cell, i) => {
          if (!draft.addText(cell, caption, 'caption', 0, several ? 'warning' : 'error')) return;
          const variants: GivenVariant[] = [];
          for (const { column, cell: list } of lists)
            addVariants(draft, variants, column, list, several ? i : undefined);
          draft.captions[draft.captions.length - 1].variants = variants;
        });
        if (draft.captions.length === 0)
          draft.fail('empty-caption', say('dataset.fieldWithoutCaption', caption), texts);
        draft.finish('captions', id);
      }),
    };
  },
};

/** Adds the variants in a list. If the list contains one list for each caption, `index` is the caption's index. */
function addVariants(
  draft: Draft,
  variants: GivenVariant[],
  column: string,
  list: Cell | undefined,
  index: number | undefined,
): void {
  if (list === undefined || list.value === null) return;
  const own =
    index === undefined
      ? list
      : Array.isArray(list.value)
        ? (list.value as readonly Cell[]).at(index)
        : undefined;
  if (own === undefined || !Array.isArray(own.value)) {
    draft.warn('wrong-type', say('dataset.flipsNotLists', column), own ?? list);
    return;
  }
  const family = column === paraphrases ? 'paraphrase' : 'flip';
  const type = typedFlips.exec(column)?.[1] ?? '';
  for (const item of own.value as readonly Cell[]) {
    const { text, kind } = textAndKind(item);
    if (text === undefined || text.trim() === '') {
      draft.warn('wrong-type', say('dataset.flipEntryInvalid', column), item);
      continue;
    }
    const known =
      family === 'flip'
        ? variants.find((variant) => variant.family === 'flip' && variant.text === text)
        : undefined;
    // The list of one type may repeat a flip from `diff_caps`. The flip then gets the type and is not added again.
    if (known !== undefined && type !== '') known.kind ||= type;
    else variants.push({ text, family, kind: kind === '' ? type : kind });
  }
}

function textAndKind({ value }: Cell): { text: string | undefined; kind: string } {
  if (typeof value === 'string') return { text: value, kind: '' };
  if (!(value instanceof Fields)) return { text: undefined, kind: '' };
  const first = (...names: string[]): string | undefined =>
    names.map((name) => value.get(name)?.value).find((found) => typeof found === 'string');
  return {
    text: first('caption', 'text', 'flip', 'sentence'),
    kind: first('flip_type', 'type', 'rule') ?? '',
  };
}
