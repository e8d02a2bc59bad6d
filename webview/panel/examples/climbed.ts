import type { Climbed } from '../../../src/protocol/parts/fooled';
import { el, table } from '../../base/dom';
import { plain, signed, whole } from '../../base/format';
import { t } from '../../base/words';
import { markedAgainst } from './marked';

const kinds = { insert: t('inserted'), replace: t('new word'), delete: t('deleted') } as const;

/** The steps of a search as a table: each text with its changed word, its score, and the change from the text before. */
export function stepsOf({ caption, score, path }: Climbed): HTMLElement {
  const before = [{ text: caption, score }, ...path];
  const number = (text: string) => el('span', { class: 'number' }, text);
  const steps = path.map(({ kind, word, text, score: own, queries }, i) => [
    el('span', {}, ...markedAgainst(before[i].text, text)),
    el('span', {}, el('span', { class: 'quiet' }, kinds[kind]), ` ${word}`),
    number(plain(own, 4)),
    number(signed(own - before[i].score, 4)),
    number(whole(queries)),
  ]);
  const view = table(
    [t('text'), t('changed word'), t('score'), t('change of the score'), t('texts scored')],
    [[caption, '', number(plain(score, 4)), '', number('0')], ...steps],
    t('Steps of the search'),
  );
  view.classList.add('climbed');
  return view;
}

/** The search that a run made. */
export function searchView(search: Climbed): HTMLElement {
  return el(
    'section',
    { class: 'search' },
    el('h3', {}, t('Search for a higher score')),
    el('p', { class: 'quiet' }, foundBy(search)),
    search.path.length === 0 ? null : stepsOf(search),
  );
}

/** What a search found, in one sentence. */
export function foundBy({ score, queries, path }: Climbed): string {
  const last = path.at(-1);
  if (last === undefined) return t('{0} {0|text|texts} scored. None of them scores higher.', whole(queries));
  return t('{0} {0|text|texts} scored. The score rose by {1}.', whole(queries), plain(last.score - score, 4));
}
