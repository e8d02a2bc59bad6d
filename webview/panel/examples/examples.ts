import { messageOf } from '../../../src/base/errors';
import type { PanelMemory, PanelState, ReportView, ToPanel } from '../../../src/protocol/panel';
import type { Facet } from '../../../src/protocol/rows';
import { files, post } from '../bridge';
import { ask } from '../../base/rows';
import { Charts } from '../charts/charts';
import { withIntervals } from '../charts/intervals';
import { detailView } from './detail';
import { DetailWidth } from './detailWidth';
import { Follower } from './follow';
import { el } from '../../base/dom';
import { EvaluatorBar } from './evaluatorBar';
import { Grid } from './grid';
import { Lines } from './lines';
import { ImageUrls } from './imageUrls';
import { Toolbar } from './toolbar';
import { localized } from '../../base/words';

export type View = NonNullable<PanelMemory['view']>;

export interface ExamplesActions {
  /** Called when the view changes, so that it can be stored for a reload. */
  changed(): void;
  /** Called after the rows and charts of a report were drawn. */
  drawn(report: string): void;
  fail(message: string): void;
}

/** A report's examples: charts, filters, the list, and the open example. */
export class Examples {
  readonly root = el('div', { class: 'rest' });
  private reports: readonly ReportView[] = [];
  private can: PanelState['can'] = { whatIf: false, export: false, images: true };
  private reportKey = '';
  private facets: readonly Facet[] = [];
  private all = 0;
  private loading = 0;
  private current: number | undefined;
  private readonly follower = new Follower((index) => void this.goTo(index));
  /** What the user typed into the field for another caption of the open example. */
  private typed = '';
  /** The view to restore once the rows have loaded. */
  private wanted: View | undefined;

  private readonly bar = new EvaluatorBar({
    choose: (report) => void this.chooseReport(report),
    compare: (versus) => this.toolbar.change({ versus }),
  });
  private readonly split = el('div', { class: 'split' });
  private readonly width = new DetailWidth(this.split, () => this.actions.changed());
  readonly imageUrls = new ImageUrls();
  private readonly lines = new Lines(
    () => this.linesChanged(),
    (message) => this.actions.fail(message),
  );
  private readonly grid = new Grid(this.lines, this.imageUrls, {
    select: (line) => void this.open(line.index),
    reveal: (line) => this.reveal(line.index),
    clear: () => this.toolbar.clear(),
  });
  readonly toolbar = new Toolbar(() => void this.refresh(true), {
    report: () => post({ type: 'export', report: this.reportKey }),
    paper: () => post({ type: 'paper' }),
  });
  readonly charts = new Charts({
    filterFacet: (facet, value) => this.toolbar.toggleFacet(facet, value),
    filterRange: (low, high, judged) => this.toolbar.change({ range: { low, high, judged } }),
    open: (index) => void this.open(index),
    ...files,
    fail: (message) => this.actions.fail(message),
    changed: () => this.actions.changed(),
  });

  constructor(private readonly actions: ExamplesActions) {
    this.split.append(this.grid.root);
    this.root.append(this.bar.root, this.toolbar.root, this.split);
    this.root.hidden = true;
  }

  /** The current view; undefined before the first report is shown. */
  get view(): View | undefined {
    const report = this.report();
    if (report === undefined) return undefined;
    return {
      probe: report.probe,
      report: report.key,
      selection: this.toolbar.selection,
      ...this.charts.view,
      ...this.width.view,
      ...(this.current === undefined ? {} : { index: this.current }),
      ...(this.current === undefined || this.typed === '' ? {} : { whatIf: this.typed }),
    };
  }

  restore(view: View): void {
    this.wanted = view;
    this.toolbar.restore(view.selection);
    this.bar.isChosen = view.selection.versus !== undefined;
    this.charts.restore(view);
    this.width.restore(view.detailWidth);
  }

  show(reports: readonly ReportView[], can: PanelState['can']): void {
    this.reports = reports;
    this.can = can;
    this.imageUrls.areOpened = can.images;
    this.toolbar.offer(can);
    // Starts with a report that has examples, because the list of a report without examples is empty.
    const first = reports.find(({ examples }) => examples > 0) ?? reports.at(0);
    this.root.hidden = reports.every(({ examples }) => examples === 0);
    if (first === undefined) return;
    const wanted = reports.find(({ key }) => key === this.wanted?.report) ?? first;
    if (!reports.some(({ key }) => key === this.reportKey)) void this.chooseReport(wanted.key);
    else if (this.proposeVersus()) void this.refresh(true);
  }

  nextReport(): void {
    const at = this.reports.findIndex(({ key }) => key === this.reportKey);
    if (this.reports.length > 1) void this.chooseReport(this.reports[(at + 1) % this.reports.length].key);
  }

  focusList(): void {
    this.grid.focus();
  }

  /** Focuses the list if an example is open and nothing has the focus. This can happen after a quick pick. */
  regainFocus(options?: FocusOptions): void {
    const isFree = document.hasFocus() && document.activeElement === document.body;
    if (this.current !== undefined && isFree) this.grid.focus(options);
  }

  copy(): void {
    this.split.querySelector<HTMLElement>('.detail-tools .copy')?.click();
  }

  /** Closes the open example. If no example is open, removes the filters. */
  leave(): void {
    if (this.current !== undefined) this.closeDetail();
    else this.toolbar.clear();
  }

  /** Opens the example of a row. If the rows are not loaded yet, opens the example when they are. */
  async openRow(index: number): Promise<void> {
    if (this.lines.total > 0) await this.goTo(index);
    else if (this.view !== undefined) this.wanted = { ...this.view, index };
  }

  /** Opens the example of a table line, or on a line of the dataset file. */
  async selectExample({ index, line, evaluator }: Extract<ToPanel, { type: 'select' }>): Promise<void> {
    if (this.reportKey === '' || (index ?? line) === undefined) return;
    try {
      const own = this.reports.find((report) => report.evaluator === evaluator);
      if (own !== undefined && own.key !== this.reportKey) await this.chooseReport(own.key);
      const at = index ?? (await ask('find', { report: this.reportKey, line: line! }));
      if (at === null) return;
      await this.openRow(at);
      this.grid.focus();
    } catch (error) {
      this.actions.fail(messageOf(error));
    }
  }

  /** Moves the focus to the field for another caption. If no example is open, opens the list's first example. */
  async tryCaption(): Promise<void> {
    if (!this.can.whatIf) return;
    const field = () => this.split.querySelector<HTMLInputElement>('#what-if');
    if (field() === null && this.lines.total > 0) {
      this.grid.move(0, false);
      const first = this.lines.at(0);
      if (first !== undefined) await this.open(first.index);
    }
    field()?.focus();
  }

  private report(): ReportView | undefined {
    return this.reports.find(({ key }) => key === this.reportKey);
  }

  /** Selects the proposed report to compare with. Returns whether the selected report has changed. */
  private proposeVersus(before?: string): boolean {
    const { selection } = this.toolbar;
    const versus = this.bar.proposed(this.reports, this.reportKey, selection.versus, before);
    this.toolbar.selection = { ...selection, versus };
    this.bar.show(this.reports, this.reportKey, this.toolbar.selection.versus);
    return versus?.report !== selection.versus?.report;
  }

  async chooseReport(key: string): Promise<void> {
    const before = this.reportKey;
    this.reportKey = key;
    this.proposeVersus(before);
    this.lines.clear();
    this.closeDetail();
    this.resetGrid();
    try {
      const { facets, count, leftOut } = await ask('facets', { report: key });
      if (key !== this.reportKey) return;
      this.facets = facets;
      this.all = count;
      this.toolbar.leftOut = leftOut === undefined ? '' : localized(leftOut);
      await this.refresh(false);
      const { index, whatIf } = this.wanted ?? {};
      this.wanted = undefined;
      if (index === undefined || index >= count) return;
      await this.goTo(index, whatIf);
      this.regainFocus({ preventScroll: true });
    } catch (error) {
      this.actions.fail(messageOf(error));
    }
  }

  private resetGrid(): void {
    this.grid.reset(this.report()!, this.bar.names);
  }

  /** Updates the list and the charts for the current selection. */
  private async refresh(keepDetail: boolean): Promise<void> {
    const mine = ++this.loading;
    const [report, { selection }] = [this.reportKey, this.toolbar];
    this.toolbar.show(this.facets);
    this.bar.show(this.reports, this.reportKey, this.toolbar.selection.versus);
    this.actions.changed();
    try {
      if (!keepDetail) this.closeDetail();
      this.resetGrid();
      const [, { charts, sides }] = await Promise.all([
        this.lines.show(report, selection),
        ask('charts', { report, selection }),
      ]);
      if (mine !== this.loading) return;
      this.follower.follow(selection, this.current, this.lines.firstPage());
      this.bar.count(sides);
      const { metrics = [], charts: ofMetrics = [] } = this.report() ?? {};
      this.charts.show(this.bar.titled([...ofMetrics, ...withIntervals(charts, metrics)]));
      this.actions.drawn(report);
    } catch (error) {
      this.actions.fail(messageOf(error));
    }
  }

  private linesChanged(): void {
    this.toolbar.setCount(this.lines.total, this.all, this.lines.results);
    this.grid.redraw();
  }

  private async open(index: number, typed?: string): Promise<void> {
    const report = this.report();
    if (report === undefined) return;
    this.typed = typed ?? (index === this.current ? this.typed : '');
    this.current = index;
    this.actions.changed();
    try {
      const detail = await ask('detail', { report: report.key, index });
      // The user may have selected another example in the meantime.
      if (this.current !== index || report.key !== this.reportKey) return;
      const others = this.reports.filter(({ key }) => key !== report.key);
      const field = {
        text: this.typed,
        changed: (text: string) => {
          this.typed = text;
          this.actions.changed();
        },
      };
      const view = detailView(report, others, detail, this.imageUrls, this.can.whatIf ? field : undefined, {
        reveal: () => this.reveal(index),
        ...files,
        close: () => this.closeDetail(),
      });
      this.split.querySelector(':scope > .detail')?.remove();
      if (this.grid.isNarrow && this.grid.selected >= 0) this.grid.setInset(view);
      else {
        this.grid.setInset(undefined);
        view.prepend(this.width.handleFor(view));
        this.split.append(view);
      }
      this.split.classList.toggle('open', !this.grid.isNarrow);
    } catch (error) {
      this.actions.fail(messageOf(error));
    }
  }

  private closeDetail(): void {
    this.current = undefined;
    this.actions.changed();
    this.split.classList.remove('open');
    this.split.querySelector(':scope > .detail')?.remove();
    this.grid.setInset(undefined);
  }

  private reveal(index: number): void {
    post({ type: 'reveal', report: this.reportKey, index });
  }

  private async goTo(index: number | undefined, typed?: string): Promise<void> {
    if (index === undefined) return this.closeDetail();
    const position = this.lines.positionOf(index);
    if (position !== undefined) this.grid.move(position, false);
    await this.open(index, typed);
  }
}
