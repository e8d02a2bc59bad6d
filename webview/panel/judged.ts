import { messageOf } from '../../src/base/errors';
import type { ReportView } from '../../src/protocol/panel';
import type { Judged } from '../../src/protocol/parts/judged';
import { el, table } from '../base/dom';
import { whole } from '../base/format';
import { ask } from '../base/rows';
import { localized, t } from '../base/words';
import { cellText } from './cardTexts';

/** What people judged about the reports' variants, and the metrics without those that are no errors. */
export class JudgedSummary {
  readonly root = el('div', { class: 'judged' });
  private reports: readonly ReportView[] = [];
  private loading = 0;

  show(reports: readonly ReportView[]): void {
    this.reports = reports;
    void this.refresh();
  }

  async refresh(): Promise<void> {
    const mine = ++this.loading;
    const { reports } = this;
    const found = await Promise.all(
      reports.map(async (report) => ({
        report,
        judged: await ask('judged', { report: report.key }).catch(messageOf),
      })),
    );
    if (mine !== this.loading) return;
    // A judgment must not close what the user opened.
    const isOpen = this.root.querySelector('details[open]') !== null;
    this.root.replaceChildren(
      ...found.flatMap(({ report, judged }) =>
        judged === null
          ? []
          : typeof judged === 'string'
            ? [el('p', { class: 'problem' }, judged)]
            : [judgedView(judged, isOpen, reports.length > 1 ? report.evaluator : undefined)],
      ),
    );
  }
}

function judgedView(
  { judges, rejected, metrics }: Judged,
  isOpen: boolean,
  evaluator: string | undefined,
): HTMLElement {
  const title = evaluator === undefined ? t('Judgments') : t('Judgments, {0}', evaluator);
  const names = judges.map((judge) =>
    t('{0} ({1} not an error, {2} valid)', judge.name, whole(judge.rejected), whole(judge.valid)),
  );
  const view = el(
    'details',
    {},
    el('summary', {}, `${title}: ${names.join(', ')}`),
    rejected === 0
      ? null
      : table(
          [t('metric'), t('all variants'), t('without {0} {0|variant|variants}', whole(rejected))],
          metrics.map(({ title: name, style, all, rest }) => [
            localized(name),
            cellText(all, style),
            cellText(rest, style),
          ]),
          t('Metrics without the variants that most people find no error'),
        ),
    el(
      'p',
      { class: 'quiet' },
      t(
        'You chose which variants to judge, so the metrics without them say nothing about the variants that nobody judged.',
      ),
    ),
  );
  view.open = isOpen;
  return view;
}
