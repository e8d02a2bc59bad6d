import type { Words } from '../../src/base/say';
import type { ReportView } from '../../src/protocol/panel';
import { button, el } from '../base/dom';
import { whole } from '../base/format';
import { localized, reported, t } from '../base/words';

/** Says why no example was used. This is shown in place of the list. */
export function noExampleUsed(reports: readonly ReportView[]): HTMLElement {
  const reasons = new Map(
    reports.flatMap(({ leftOut }) => leftOut.map(({ reason, count }) => [reason, count])),
  );
  return el(
    'section',
    { class: 'problem' },
    el('p', {}, t('No examples.')),
    el(
      'ul',
      {},
      ...[...reasons].map(([reason, n]) => el('li', {}, t('{0} left out: {1}', whole(n), reported(reason)))),
    ),
  );
}

export function warnings(reports: readonly ReportView[]): HTMLElement {
  const all = [...new Set(reports.flatMap(({ warnings: own }) => own))];
  return el('ul', { class: 'warnings' }, ...all.map((warning) => el('li', {}, reported(warning))));
}

/** Explains the open example to new users. */
export function lesson(sentences: readonly Words[], close: () => void): HTMLElement {
  return el(
    'section',
    { class: 'lesson', role: 'note', 'aria-label': t('What this example means') },
    el('div', {}, ...sentences.map((words) => el('p', {}, localized(words)))),
    button(t('Close'), close, { class: 'link' }),
  );
}

/** Shows verdicts, each with its rule as a tooltip. */
export function claimViews(claims: ReportView['claims']): (Node | string)[] {
  return claims.flatMap((claim) => {
    const [text, rule] = [reported(claim.text), reported(claim.rule)];
    return [
      el(
        'span',
        { class: 'claim', title: rule, tabindex: 0, role: 'note', 'aria-label': `${text} ${rule}` },
        text,
      ),
      ' ',
    ];
  });
}
