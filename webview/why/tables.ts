import type { Explained, ExplainedObjects } from '../../src/protocol/explained';
import { el, table } from '../base/dom';
import { plain } from '../base/format';
import { t } from '../base/words';
import { type MapView, numberOf } from './map';
import { partsOf, partValues, strongestOf } from './shades';

/** All numbers of an explanation as tables, for screen readers and for exact reading. */
export function numbersOf(explained: Explained, map: MapView | undefined): HTMLElement[] {
  const { caption, words, regions, grid, objects } = explained;
  const parts = partsOf(explained);
  const hasIntervals = words.some(({ ci }) => ci !== undefined);
  const hasTable = parts?.some((part) => part.words !== undefined) === true;
  const strongest = (word: number): string => {
    const values = partValues(parts ?? [], word);
    const cell = strongestOf(values);
    return cell === undefined || map === undefined ? '–' : `${map.placeOf(cell)} (${numberOf(values[cell])})`;
  };
  const ofWords = table(
    [
      ...[t('word'), t('influence')],
      ...(hasIntervals ? [t('95 % interval')] : []),
      t('score without it'),
      ...(hasTable ? [objects === undefined ? t('strongest region') : t('strongest object')] : []),
    ],
    words.map(({ word, influence, ci, without }, i) => [
      word,
      number(numberOf(influence)),
      ...(hasIntervals ? [number(ci === undefined ? '–' : `[${ci.map(numberOf).join(', ')}]`)] : []),
      number(without === null ? '–' : plain(without, 4)),
      ...(hasTable ? [strongest(i)] : []),
    ]),
    t('Words of “{0}”', caption),
  );
  if (objects !== undefined) return [ofWords, tableOfObjects(objects, caption)];
  if (regions === undefined || grid === undefined) return [ofWords];
  const { rows, columns } = grid;
  const ofRegions = table(
    [t('row'), ...Array.from({ length: columns }, (_, i) => String(i + 1))],
    Array.from({ length: rows }, (_, row) => [
      String(row + 1),
      ...regions
        .slice(row * columns, (row + 1) * columns)
        .map(({ influence }) => number(numberOf(influence))),
    ]),
    t('Regions of the image, for “{0}”', caption),
  );
  return [ofWords, ofRegions];
}

function tableOfObjects({ found, leftOut }: ExplainedObjects, caption: string): HTMLElement {
  return table(
    [t('object'), t('influence'), t('share of the image')],
    found.map(({ name, influence, share }) => [
      name,
      number(numberOf(influence)),
      number(`${plain(100 * share, 1)} %`),
    ]),
    leftOut === 0
      ? t('Objects of the image, for “{0}”', caption)
      : t('Objects of the image, for “{0}”, without {1} smaller ones', caption, leftOut),
  );
}

/** The changed words with their share of the difference. The largest is marked. */
export function changesOf({ change }: Explained): HTMLElement | null {
  if (change === undefined || change.changes.length === 0) return null;
  const { changes, difference, otherScore } = change;
  const carrier = strongestOf(changes.map(({ influence }) => influence));
  return table(
    [t('from'), t('to'), t('influence')],
    changes.map(({ from, to, influence }, i) => {
      const shown = (text: string) => {
        const words = text === '' ? '–' : text;
        return i === carrier ? el('strong', {}, words) : words;
      };
      return [shown(from), shown(to), number(numberOf(influence))];
    }),
    t('Changed words, of the difference {0} to the score {1}', numberOf(difference), plain(otherScore, 4)),
  );
}

export function number(text: string): HTMLElement {
  return el('span', { class: 'number' }, text);
}
