import { largest, smallest } from '../../src/base/extent';
import { distinctParts } from '../../src/base/text/shortNames';
import type { Card, PanelMetric, ReportView } from '../../src/protocol/panel';
import { isRelative } from '../../src/protocol/parts/spreads';
import { button, el } from '../base/dom';
import { whole } from '../base/format';
import { localized, t } from '../base/words';
import { claimsFold, metricNamed, roomFor, scale, withValues } from './cards';
import { intervalText, standsOn, valueOf } from './cardTexts';
import { byValue } from './byValue';
import { inSpreads } from './inSpreads';
import { claimViews } from './remarks';

interface Order {
  /** The metric of the column, or undefined for the order of the run. */
  metric: string;
  isDescending: boolean;
}

const aboutSpread = t(
  "One spread (SD) is the standard deviation of an evaluator's scores of mismatched pairs.",
);

/** The rows of more evaluators are one line high, unless the metrics are unfolded. */
const fewEvaluators = 3;

/** A table of evaluators and metrics, with all verdicts. A click on a head sorts it, and a click on a name shows examples. */
export class Standings {
  readonly root = el('section', { class: 'standings', 'aria-label': t('Evaluators and metrics') });
  private reports: readonly ReportView[] = [];
  private cards: readonly Card[] = [];
  private order: Order | undefined;
  /** In a narrow panel, verdicts follow the metrics, so that at least one metric is visible. */
  private readonly narrow = matchMedia('(width < 620px)');

  /** The visible part of a long table ends within a row, as a sign that more rows follow. */
  private readonly fitted = new ResizeObserver(([{ target: table }]) => {
    const box = table.parentElement!;
    box.style.removeProperty('--half-row');
    if (box.scrollHeight <= box.clientHeight + 1) return;
    const { rows } = (table as HTMLTableElement).tBodies[0];
    const middles = [...rows].map((row) => row.offsetTop + row.offsetHeight / 2);
    const last = middles.filter((middle) => middle <= box.clientHeight).at(-1);
    if (last !== undefined) box.style.setProperty('--half-row', `${last}px`);
  });

  constructor(private readonly choose: (report: string) => void) {
    this.narrow.addEventListener('change', () => this.draw());
  }

  /** Shows the reports of a probe, or nothing if there is only one. */
  show(reports: readonly ReportView[], wanted: readonly Card[]): void {
    this.reports = reports;
    this.cards = withValues(
      wanted.map((card) =>
        inSpreads(
          card,
          reports.filter((report) => metricNamed(report, card.metric) !== undefined),
        ),
      ),
      reports,
    );
    this.draw();
  }

  private draw(): void {
    if (this.reports.length < 2) {
      this.root.replaceChildren();
      return;
    }
    const focused = document.activeElement?.closest('th')?.id;
    const names = distinctParts(this.reports.map(({ evaluator }) => evaluator));
    const ranges = this.cards.map((card) => this.rangeOf(card));
    this.root.classList.toggle('many', this.reports.length > fewEvaluators);
    const table = el(
      'table',
      { class: 'figures' },
      el('caption', {}, t('Evaluators and metrics')),
      el('thead', {}, this.groups(), el('tr', {}, ...this.cards.map((card, i) => this.headOf(card, i)))),
      el(
        'tbody',
        {},
        ...this.sorted().map((at) =>
          el(
            'tr',
            { 'data-report': this.reports[at].key },
            el('th', { scope: 'row' }, this.nameOf(this.reports[at], names[at])),
            ...this.arranged(
              el('td', { class: 'verdicts' }, ...verdictsOf(this.reports[at])),
              this.cards.map((card, i) => cellOf(this.reports[at], { ...card, range: ranges[i] })),
            ),
          ),
        ),
      ),
    );
    this.root.replaceChildren(
      el(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('Evaluators and metrics') },
        table,
      ),
    );
    this.fitted.disconnect();
    this.fitted.observe(table);
    if (focused) document.getElementById(focused)?.querySelector('button')?.focus();
  }

  private nameOf({ key, evaluator }: ReportView, name: string): HTMLElement {
    return button(name, () => this.choose(key), {
      class: 'link',
      title: evaluator,
      'aria-label': t('Examples of {0}', evaluator),
    });
  }

  private headOf(card: Card, at: number): HTMLElement {
    const { order } = this;
    const isSorted = order?.metric === card.metric;
    const own = localized(card.title);
    const title = isRelative(card.metric) ? t('{0} (in spreads)', own) : own;
    const arrow = order?.isDescending ? '↓' : '↑';
    return el(
      'th',
      {
        scope: 'col',
        id: `standing-${at}`,
        'aria-sort': !isSorted ? 'none' : order.isDescending ? 'descending' : 'ascending',
        // A narrow column cuts its name.
        title: [`${title}. ${localized(card.about)}`, ...(isRelative(card.metric) ? [aboutSpread] : [])].join(
          ' ',
        ),
      },
      button(isSorted ? `${title} ${arrow}` : title, () => this.sortBy(card.metric), { class: 'link' }),
    );
  }

  /** The first row of the head: the columns that have two rows, and the names of groups of metrics. */
  private groups(): HTMLElement {
    const tall = (text: string) => {
      const head = el('th', { scope: 'col' }, text);
      head.rowSpan = 2;
      return head;
    };
    const groups: { name: string; count: number }[] = [];
    for (const { group = '' } of this.cards) {
      const [name, last] = [localized(group), groups.at(-1)];
      if (last?.name === name) last.count++;
      else groups.push({ name, count: 1 });
    }
    const names = groups.map(({ name, count }) => {
      const head = name === '' ? el('td') : el('th', { scope: 'colgroup' }, name);
      head.colSpan = count;
      return head;
    });
    return el('tr', {}, tall(t('evaluator')), ...this.arranged(tall(t('verdicts')), names));
  }

  private arranged(verdicts: HTMLElement, metrics: readonly HTMLElement[]): HTMLElement[] {
    return this.narrow.matches ? [...metrics, verdicts] : [verdicts, ...metrics];
  }

  private sortBy(metric: string): void {
    const isSame = this.order?.metric === metric;
    this.order = { metric, isDescending: !isSame || !this.order!.isDescending };
    this.draw();
  }

  /** The positions of the reports in the chosen order. */
  private sorted(): number[] {
    const all = [...this.reports.keys()];
    if (this.order === undefined) return all;
    const { metric, isDescending } = this.order;
    const values = this.reports.map((report) => metricNamed(report, metric)?.value);
    return byValue(values, isDescending);
  }

  /** One scale for all evaluators, so that their bars can be compared. */
  private rangeOf(card: Card): Card['range'] {
    const ranges = this.reports.flatMap((report) => {
      const metric = metricNamed(report, card.metric);
      return metric === undefined ? [] : [roomFor(metric, card.range)];
    });
    return [
      smallest([card.range[0], ...ranges.map(([from]) => from)]),
      largest([card.range[1], ...ranges.map(([, to]) => to)]),
    ];
  }
}

function cellOf(report: ReportView, card: Card): HTMLElement {
  const metric: PanelMetric | undefined = metricNamed(report, card.metric);
  return el(
    'td',
    { title: standsOn(metric, report.cluster, card) },
    el('b', {}, valueOf(metric, card)),
    ' ',
    el('span', { class: 'interval' }, intervalText(metric, card)),
    // The panel of one evaluator shows the same metric in units of its score.
    isRelative(card.metric) && typeof metric?.value === 'number' ? ' SD' : null,
    metric === undefined || card.style === 'count' ? null : scale(metric, card),
  );
}

function verdictsOf({ claims }: ReportView): (Node | string)[] {
  if (claims.length === 0) return [el('span', { class: 'quiet' }, t('no verdict'))];
  const [first, ...more] = claims;
  return [
    ...claimViews([first]),
    ...(more.length === 0 ? [] : [claimsFold(t('{0} more', whole(more.length)), more)]),
  ];
}
