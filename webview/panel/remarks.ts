import { addTo } from '../../src/base/lists';
import type { Words } from '../../src/base/say';
import type { ReportView } from '../../src/protocol/panel';
import { button, el, table } from '../base/dom';
import { whole } from '../base/format';
import { localized, localNumber, t } from '../base/words';

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

/** Below the list, how many entries of the dataset it lacks, and why. Null if it lacks none. */
export function leftOutView(reports: readonly ReportView[]): HTMLElement | null {
  const used = reports.filter(({ examples }) => examples > 0);
  const evaluators = new Map<string, string[]>();
  for (const { evaluator, leftOut } of used)
    for (const one of leftOut) addTo(evaluators, leftOutWords(one), evaluator);
  if (evaluators.size === 0) return null;
  const counts = [...new Set(used.map(({ skipped }) => whole(skipped)))];
  return el(
    'details',
    { class: 'more' },
    el('summary', {}, t('{0} left out', counts.join(' / '))),
    el(
      'ul',
      {},
      ...[...evaluators].map(([words, names]) =>
        el('li', {}, names.length < used.length ? `${names.join(', ')}: ${words}` : words),
      ),
    ),
  );
}

/** Reports have the lines of the first few entries only. */
function leftOutWords({ reason, count, lines }: ReportView['leftOut'][number]): string {
  const words = t('{0} left out: {1}', whole(count), localized(reason));
  if (lines.length === 0) return words;
  const shown = [...lines.map(localNumber), ...(lines.length < count ? ['…'] : [])].join(', ');
  return `${words} (${lines.length === 1 && count === 1 ? t('line {0}', shown) : t('lines {0}', shown)})`;
}

/** How many notes are visible. More would hide the list in a narrow panel. */
const visibleNotes = 3;

export function warnings(reports: readonly ReportView[]): HTMLElement[] {
  const all = [...new Set(reports.flatMap(({ warnings: own }) => own.map(localized)))];
  const listed = (some: readonly string[]) =>
    el('ul', { class: 'warnings' }, ...some.map((warning) => el('li', {}, warning)));
  // A fold of one note would save no line.
  if (all.length <= visibleNotes + 1) return [listed(all)];
  const others = all.slice(visibleNotes);
  const summary = el('summary', {}, t('{0} more {0|note|notes}', whole(others.length)));
  return [listed(all.slice(0, visibleNotes)), el('details', { class: 'more' }, summary, listed(others))];
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
