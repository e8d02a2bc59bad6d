import type { ReportView } from '../../../src/protocol/panel';
import type { RowAnswer, Selection } from '../../../src/protocol/rows';
import type { Chart, Side } from '../../../src/protocol/parts/chart';
import { shortNames } from '../../../src/base/text/shortNames';
import { button, el } from '../../base/dom';
import { shortened, whole } from '../../base/format';
import { t } from '../../base/words';
import { ofEvaluator, withNames } from '../charts/intervals';
import { comparable, mostScored } from '../notCompared';

type Versus = Selection['versus'];

export interface EvaluatorBarActions {
  choose(report: string): void;
  compare(versus: Versus): void;
}

/** If there are more evaluators, a list replaces the tabs, because the tabs would not fit on one line. */
const mostTabs = 6;

/** Lets the user choose the evaluator of the examples, a second evaluator, and a filter by the results of both. */
export class EvaluatorBar {
  readonly root = el('div', { class: 'bar-of-tabs evaluators' });
  private reports: readonly ReportView[] = [];
  private own = '';
  private versus: Versus;
  private sides: RowAnswer<'charts'>['sides'];
  /** Whether the user chose what to compare with. If not, `proposed` chooses a report. */
  isChosen = false;

  constructor(private readonly actions: EvaluatorBarActions) {}

  show(reports: readonly ReportView[], own: string, versus: Versus): void {
    this.reports = reports;
    this.own = own;
    this.versus = versus;
    this.draw();
  }

  /** Shows how many examples both evaluators, only one of them, or neither gets right. */
  count(sides: RowAnswer<'charts'>['sides']): void {
    this.sides = sides;
    this.draw();
  }

  /** The name of the evaluator of the examples and, if there is a comparison, the name of the other evaluator. */
  get names(): string[] {
    return [this.own, this.versus?.report].flatMap(
      (key) => this.reports.find((report) => report.key === key)?.evaluator ?? [],
    );
  }

  /** Charts whose titles name the evaluators that they are of, if the run has several. */
  titled(charts: readonly Chart[]): readonly Chart[] {
    if (this.reports.length < 2) return charts;
    const names = shortNames(this.reports.map(({ evaluator }) => evaluator));
    const at = this.reports.findIndex(({ key }) => key === this.own);
    return ofEvaluator(withNames(charts, this.names), names[at]);
  }

  /** What to compare with `own`. Undefined if no other report fits, or if the user chose not to compare. */
  proposed(reports: readonly ReportView[], own: string, versus: Versus, before?: string): Versus {
    const others = mostScored(comparable(reports, own)).map(({ key }) => key);
    // Reports arrive one by one during a run, so the first one is not kept unless the user chose it.
    if (this.isChosen && (versus === undefined || others.includes(versus.report))) return versus;
    const report = others.find((key) => key === before) ?? others.at(0);
    return report === undefined ? undefined : { report };
  }

  private draw(): void {
    const focused = document.activeElement?.id ?? '';
    const { reports } = this;
    if (reports.length < 2) {
      this.root.replaceChildren();
      return;
    }
    const name = t('Evaluator of the examples');
    this.root.replaceChildren(
      reports.length > mostTabs ? this.ownList(name) : this.ownTabs(name),
      ...this.versusViews(),
    );
    if (focused.startsWith('versus-')) document.getElementById(focused)?.focus();
  }

  private ownTabs(name: string): HTMLElement {
    const tabs = this.reports.map(({ key, evaluator }) =>
      button(evaluator, () => this.actions.choose(key), {
        class: 'tab',
        'aria-pressed': String(key === this.own),
      }),
    );
    return el('div', { role: 'group', 'aria-label': name }, ...tabs);
  }

  private ownList(name: string): HTMLElement {
    const select = el('select', { id: 'versus-own', 'aria-label': name });
    for (const { key, evaluator } of this.reports) select.append(new Option(evaluator, key));
    select.value = this.own;
    select.addEventListener('change', () => this.actions.choose(select.value));
    return select;
  }

  private versusViews(): HTMLElement[] {
    const { versus } = this;
    const others = comparable(this.reports, this.own);
    if (others.length === 0) return [];
    const select = el('select', { id: 'versus-report', 'aria-label': t('Compare with') });
    select.append(new Option(t('compare with…'), ''));
    for (const { key, evaluator } of others)
      select.append(new Option(t('against {0}', shortened(evaluator)), key));
    select.value = versus?.report ?? '';
    select.addEventListener('change', () => {
      this.isChosen = true;
      this.actions.compare(select.value === '' ? undefined : { report: select.value });
    });
    return [select, ...this.sideView()];
  }

  private sideView(): HTMLElement[] {
    const { versus, sides } = this;
    const other = this.reports.find(({ key }) => key === versus?.report);
    const own = this.reports.find(({ key }) => key === this.own);
    if (versus === undefined || other === undefined || own === undefined) return [];
    // A probe without verdicts has no right and wrong results to filter by.
    if (sides === undefined || Object.values(sides).every((n) => n === 0)) return [];
    const [a, b] = [own, other].map(({ evaluator }) => shortened(evaluator));
    const words: Record<Side, string> = {
      onlyFirst: t('{0} right, {1} wrong', a, b),
      onlySecond: t('{0} wrong, {1} right', a, b),
      both: t('both right'),
      neither: t('both wrong'),
    };
    const select = el('select', { id: 'versus-side', 'aria-label': t('Results of both evaluators') });
    select.append(new Option(t('all results'), ''));
    for (const [side, text] of Object.entries(words))
      select.append(new Option(`${text} (${whole(sides[side as Side])})`, side));
    select.value = versus.keep ?? '';
    select.classList.toggle('on', versus.keep !== undefined);
    select.addEventListener('change', () => {
      this.isChosen = true;
      const keep = select.value === '' ? {} : { keep: select.value as Side };
      this.actions.compare({ report: versus.report, ...keep });
    });
    return [select];
  }
}
