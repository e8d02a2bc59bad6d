import type { DatasetHead } from '../../src/protocol/parts/browsed';
import { el } from '../base/dom';
import { whole } from '../base/format';
import { localized, t } from '../base/words';

interface Shown {
  name: string;
  /** Undefined until the dataset is read. */
  head: DatasetHead | undefined;
  /** The verdict of the shown results. */
  words: string | undefined;
  isReading: boolean;
}

/** The choices of the filter by result. */
export const verdicts = {
  '': t('All results'),
  wrong: t('wrong'),
  tie: t('tie'),
  right: t('right'),
  none: t('no verdict'),
  absent: t('not in the report'),
};

/** The title of the page: the dataset, its format and its counts. */
export function headParts({ name, head, words, isReading }: Shown): HTMLElement[] {
  return [
    el('h1', {}, name),
    ...(head === undefined || (isReading && !head.isWhole)
      ? []
      : [el('span', { class: 'quiet facts' }, factsOf(head).join(' · '))]),
    ...(isReading ? [el('span', { class: 'quiet', role: 'status' }, t('Reading the dataset…'))] : []),
    ...(words === undefined || head === undefined ? [] : [el('p', { class: 'words' }, words)]),
    ...(head?.isWhole === false && !isReading
      ? [
          el(
            'p',
            { class: 'words quiet' },
            t('The dataset is longer. Only its first examples are listed and counted.'),
          ),
        ]
      : []),
  ];
}

function factsOf({ readsAs, parts, examples, captions, images }: DatasetHead): string[] {
  const { distinct, found } = images;
  return [
    localized(readsAs),
    ...(parts === undefined ? [] : [t('Files: {0}', whole(parts))]),
    t('Examples: {0}', whole(examples)),
    t('Captions: {0}', whole(captions)),
    distinct === 0
      ? t('no images')
      : found === undefined
        ? t('Images: {0}', whole(distinct))
        : t('Images: {0}, found: {1}', whole(distinct), whole(found)),
  ];
}

/** What was left out or is doubtful, with its place. The other examples are listed. */
export function problemsView(head: DatasetHead | undefined): HTMLElement[] {
  if (head === undefined || head.problems.count === 0) return [];
  const { count, first } = head.problems;
  const items = first.map(({ severity, message, place }) =>
    el(
      'li',
      { class: severity },
      el('span', { class: 'quiet' }, severity === 'error' ? t('Error') : t('Warning'), ' · '),
      ...[localized(place)]
        .filter((text) => text !== '')
        .map((text) => el('span', { class: 'quiet' }, text, ': ')),
      localized(message),
    ),
  );
  const further = count - first.length;
  return [
    el(
      'details',
      { class: 'problems' },
      el('summary', {}, t('Problems in the dataset: {0}', whole(count))),
      el(
        'ul',
        {},
        ...items,
        ...(further > 0 ? [el('li', { class: 'quiet' }, t('{0} more', whole(further)))] : []),
      ),
      el(
        'p',
        { class: 'quiet' },
        t('All other examples are listed. Correct the files, and the list is read again.'),
      ),
    ),
  ];
}
