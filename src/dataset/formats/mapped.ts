import { say } from '../../base/say';
import type { Cell } from '../cell';
import type { Draft } from '../draft';
import { columnsLike, mapFlag } from '../fields/fields';
import { eachRow, type Format, readsOfId } from '../format';
import { truthOf } from '../fields/truth';

/** Statements, and a column that says whether each statement is right. The user's map names this column. */
export const statements: Format = {
  id: 'statements',
  title: say('dataset.readsStatements'),
  isGeneral: true,
  looksLike: '--map with caption, and label or foil',
  recognise({ naming, layout }) {
    // An object of lists must be read by COCO's reader, which joins captions and images.
    if (layout === 'object of lists') return undefined;
    const { label, foil } = naming.map;
    const verdict = label ?? foil;
    const caption = naming.column('caption');
    if (verdict === undefined || caption === undefined) return undefined;
    const image = naming.column('image');
    const id = naming.column('id');
    return {
      form: 'pair',
      reads: [
        ...(image === undefined ? [] : [[image, 'image'] as const]),
        [caption, 'statement'],
        [verdict, label === undefined ? 'whether the statement is wrong' : 'whether the statement is right'],
        ...readsOfId(id),
      ],
      reader: eachRow((draft) => {
        if (image !== undefined) draft.addImage(image);
        const cell = draft.need(verdict);
        const isTrue = truthOf(cell?.value);
        if (cell !== undefined && isTrue === undefined)
          draft.fail('wrong-type', say('dataset.fieldNotBit', verdict), cell);
        draft.addCaption(caption, isTrue === (label !== undefined) ? 'caption' : 'negative');
        draft.finish('pair', id);
      }),
    };
  },
};

/** Options, and a column that names the right option. The user's map names this column. */
export const options: Format = {
  id: 'options',
  title: say('dataset.readsOptions'),
  isGeneral: true,
  looksLike: '--map with image, options and answer',
  recognise({ naming, columns, rows }) {
    const { options: pattern, answer, answerFrom1 } = naming.map;
    const verdict = answer ?? answerFrom1;
    const image = naming.column('image');
    if (pattern === undefined || verdict === undefined || image === undefined) return undefined;
    const named = columnsLike(pattern, columns).filter((column) => column !== verdict);
    const values = rows.map(({ fields }) => Number(fields.get(verdict)?.value));
    if (answer !== undefined && named.length > 1 && values.includes(named.length) && !values.includes(0))
      return {
        ask: say('dataset.optionsCountedFromOne', verdict),
        remedy: say('dataset.useOneBasedAnswer', mapFlag({ image, options: pattern, answerFrom1: verdict })),
      };
    const id = naming.column('id');
    return {
      form: 'choice',
      reads: [
        [image, 'image'],
        ...named.map((column) => [column, named.length === 1 ? 'options' : 'option'] as const),
        [verdict, 'which option is right'],
        ...readsOfId(id),
      ],
      reader: eachRow((draft) => {
        draft.addImage(image);
        addOptions(draft, named, verdict, answer === undefined ? 1 : 0);
        draft.finish('choice', id);
      }),
    };
  },
};

/** Adds the options of a row. The column `verdict` names the right option by text, letter or number. */
export function addOptions(draft: Draft, columns: readonly string[], verdict: string, first: 0 | 1): void {
  const found =
    columns.length === 1
      ? (draft.list(columns[0]) ?? []).map((cell) => ({ cell, column: columns[0] }))
      : columns.flatMap((column) => {
          const cell = draft.take(column);
          return cell === undefined || cell.value === null || cell.value === '' ? [] : [{ cell, column }];
        });
  const answer = draft.need(verdict);
  if (answer === undefined || draft.failed) return;
  const right = indexOf(
    answer,
    found.map(({ cell }) => cell),
    first,
  );
  if (right === undefined) {
    draft.fail('wrong-type', say('dataset.rightOptionUnclear', verdict, found.length), answer);
    return;
  }
  found.forEach(({ cell, column }, i) => {
    draft.addText(cell, column, i === right ? 'caption' : 'negative', 0, 'error');
  });
}

function indexOf({ value }: Cell, cells: readonly Cell[], first: 0 | 1): number | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const quoted = cells.findIndex((cell) => cell.value === value || cell.value === text);
  if (quoted >= 0) return quoted;
  const at = /^[A-Za-z]$/.test(text)
    ? text.toUpperCase().charCodeAt(0) - 65
    : /^\d+(\.0)?$/.test(text)
      ? Number(text) - first
      : -1;
  return at >= 0 && at < cells.length ? at : undefined;
}
