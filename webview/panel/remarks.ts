import type { Words } from '../../src/base/say';
import type { ReportView } from '../../src/protocol/panel';
import { button, el, table } from '../base/dom';
import { whole } from '../base/format';
import { localized, t } from '../base/words';

/** Explains, in place of the list, why no example was used. */
export function noExampleUsed(reports: readonly ReportView[]): HTMLElement {
  const reasons = new Map(
    reports.flatMap(({ leftOut }) => leftOut.map(({ reason, count }) => [localized(reason), count])),
  );
  return el(
    'section',
    { class: 'problem' },
    el('p', {}, t('No examples.')),
    el(
      'ul',
      {},
      ...[...reasons].map(([reason, n]) => el('li', {}, t('{0} left out: {1}', whole(n), reason))),
    ),
  );
}

export function warnings(reports: readonly ReportView[]): HTMLElement {
  const all = [...new Set(reports.flatMap(({ warnings: own }) => own.map(localized)))];
  return el('ul', { class: 'warnings' }, ...all.map((warning) => el('li', {}, warning)));
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
    const [text, rule] = [localized(claim.text), localized(claim.rule)];
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

/** Translations of labels in a report's provenance. Names of options and software stay English. */
const madeWords: Readonly<Record<string, string>> = {
  dataset: t('dataset'),
  'dataset SHA-256': t('dataset SHA-256'),
  evaluator: t('evaluator'),
  'evaluator SHA-256': t('evaluator SHA-256'),
  note: t('note'),
  seed: t('seed'),
  draws: t('draws'),
  'version of draws': t('version of draws'),
  limit: t('limit'),
};

export function howMade(reports: readonly ReportView[]): HTMLElement {
  return el(
    'details',
    { class: 'more' },
    el('summary', {}, t('Provenance')),
    ...reports.map((report) =>
      table(
        [t('property'), t('value')],
        [
          ...report.made.map(([what, value]) => [
            Object.hasOwn(madeWords, what) ? madeWords[what] : what,
            localized(value),
          ]),
          ...report.leftOut.map(({ reason, count }): [string, string] => [
            t('left out: {0}', localized(reason)),
            whole(count),
          ]),
        ],
        `${report.title} · ${report.evaluator}`,
      ),
    ),
  );
}
