import { messageOf } from '../src/base/errors';
import {
  type Facet,
  panelMemory,
  type PanelMemory,
  type PanelProgress,
  type PanelState,
  type ReportView,
} from '../src/protocol';
import { ask, listen, post, recalled, remember } from './bridge';
import { allFigures, cards, howMade, sentence, soFar } from './cards';
import { Charts } from './charts';
import { detailView } from './detail';
import { button, el } from './dom';
import { duration, percent, whole } from './format';
import { Grid } from './grid';
import { helpDialog } from './help';
import { Lines } from './lines';
import { Pictures } from './pictures';
import { modelFor } from './probes/list';
import { Toolbar } from './toolbar';

/** The panel: what the host shows, put into views that each know one thing. */
class Panel {
  private state: PanelState = { title: '', reports: [], resumable: false };
  private probe = '';
  private reportKey = '';
  private facets: readonly Facet[] = [];
  private all = 0;
  private loading = 0;
  private current: number | undefined;
  private memory: PanelMemory = { run: '', compare: [] };
  /** What was open before a reload, until it is open again. */
  private wanted: PanelMemory['view'];

  private readonly root = document.getElementById('panel')!;
  private readonly header = el('header');
  private readonly notice = el('div', { role: 'alert' });
  private readonly running = el('div', { class: 'running' });
  private readonly standings = el('div');
  private readonly summary = el('div');
  private readonly tabs = el('div', {
    class: 'bar-of-tabs',
    role: 'group',
    'aria-label': 'Evaluator of the examples',
  });
  private readonly more = el('div');
  private readonly split = el('div', { class: 'split' });
  private readonly rest = el('div', { class: 'rest' });
  private readonly help = helpDialog();
  private readonly pictures = new Pictures();
  private readonly lines = new Lines(
    () => {
      this.linesChanged();
    },
    (message) => {
      this.fail(message);
    },
  );
  private readonly grid = new Grid(this.lines, this.pictures, {
    select: (line) => void this.open(line.index),
    reveal: (line) => {
      this.reveal(line.index);
    },
  });
  private readonly toolbar = new Toolbar(
    () => void this.refresh(true),
    () => {
      post({ type: 'export', report: this.reportKey });
    },
  );
  private readonly charts = new Charts({
    filterFacet: (facet, value) => {
      this.toolbar.toggleFacet(facet, value);
    },
    filterRange: (low, high) => {
      this.toolbar.change({ range: { low, high } });
    },
    open: (index) => void this.open(index),
    save: (name, bytes) => {
      post({ type: 'save', name, bytes });
    },
  });

  start(): void {
    this.recall();
    this.split.append(this.grid.root);
    this.rest.append(this.tabs, this.charts.root, this.toolbar.root, this.split);
    this.root.append(
      ...[this.header, this.notice, this.running, this.standings, this.summary],
      ...[this.rest, this.more, this.help],
    );
    this.rest.hidden = true;
    document.addEventListener('keydown', (event) => {
      this.key(event);
    });
    listen((message) => {
      switch (message.type) {
        case 'show':
          this.show(message.state);
          return;
        case 'progress':
          this.showProgress(message.running);
          return;
        case 'select':
          void this.selectLine(message.line);
          return;
      }
    });
    post({ type: 'ready' });
  }

  /** What an earlier page of this panel kept, or else what the host says it is. */
  private recall(): void {
    const given = panelMemory(JSON.parse(document.body.dataset.memory ?? '{}'), '');
    const kept = recalled();
    this.memory = kept?.run === given.run ? kept : given;
    const { view } = this.memory;
    if (view !== undefined) {
      this.probe = view.probe;
      this.wanted = view;
      this.toolbar.restore(view.selection);
    }
    this.keep();
  }

  private keep(): void {
    const { run, compare } = this.memory;
    const view =
      this.reportKey === ''
        ? this.memory.view
        : {
            probe: this.probe,
            report: this.reportKey,
            selection: this.toolbar.selection,
            ...(this.current === undefined ? {} : { index: this.current }),
          };
    this.memory = view === undefined ? { run, compare } : { run, compare, view };
    remember(this.memory);
  }

  private show(state: PanelState): void {
    this.state = state;
    if (!state.reports.some(({ probe }) => probe === this.probe))
      this.probe = state.reports.at(0)?.probe ?? '';
    this.showHeader();
    this.notice.replaceChildren(
      ...(state.problem === undefined ? [] : [el('p', { class: 'problem' }, state.problem)]),
    );
    if (state.resumable)
      this.notice.append(
        button(
          'Resume',
          () => {
            post({ type: 'rerun' });
          },
          { class: 'primary' },
        ),
      );
    this.showProgress(state.running);
    const shown = this.shownReports();
    this.summary.replaceChildren(...(shown.length === 0 ? [] : [sentence(shown), cards(shown)]));
    this.more.replaceChildren(
      ...(shown.length === 0 ? [] : [warnings(shown), allFigures(shown), howMade(shown)]),
    );
    this.rest.hidden = shown.every(({ examples }) => examples === 0);
    if (shown.length > 0 && this.rest.hidden) this.summary.append(nothingTookPart(shown));
    if (shown.length === 0) {
      if (state.running === undefined && state.problem === undefined)
        this.summary.append(
          el('p', { class: 'quiet' }, 'There is no report here. Resume the run, or run the audit again.'),
        );
      return;
    }
    if (!shown.some(({ key }) => key === this.reportKey))
      void this.chooseReport((shown.find(({ key }) => key === this.wanted?.report) ?? shown[0]).key);
    else this.showTabs();
  }

  private shownReports(): ReportView[] {
    return this.state.reports.filter(({ probe }) => probe === this.probe);
  }

  private report(): ReportView | undefined {
    return this.state.reports.find(({ key }) => key === this.reportKey);
  }

  private showHeader(): void {
    const { title, reports } = this.state;
    const probes = [...new Map(reports.map((report) => [report.probe, report.title]))];
    const report = this.shownReports().at(0);
    const facts =
      report === undefined
        ? []
        : [
            `${whole(report.examples)} examples`,
            ...(report.skipped === 0 ? [] : [`${whole(report.skipped)} left out`]),
            ...report.made.filter(([what]) => what === 'seed').map(([, value]) => `seed ${value}`),
          ];
    this.header.replaceChildren(
      el('h1', {}, title),
      el('span', { class: 'quiet facts' }, facts.join(' · ')),
      ...(report === undefined ? [] : [el('p', { class: 'question' }, report.question)]),
    );
    if (probes.length > 1) {
      this.header.append(
        el(
          'div',
          { class: 'bar-of-tabs', role: 'group', 'aria-label': 'Probe' },
          ...probes.map(([probe, name]) =>
            button(
              name,
              () => {
                this.chooseProbe(probe);
              },
              { class: 'tab', 'aria-pressed': String(probe === this.probe) },
            ),
          ),
        ),
      );
    }
  }

  private chooseProbe(probe: string): void {
    this.probe = probe;
    this.show(this.state);
  }

  private showProgress(running: PanelProgress | undefined): void {
    if (running === undefined) {
      this.running.replaceChildren();
      this.showStandings(undefined);
      return;
    }
    const { label, fraction, examples, rate, secondsLeft } = running;
    const words = [label, `${whole(examples)} examples`];
    if (fraction !== undefined) words.push(percent(fraction));
    if (rate !== undefined) words.push(`${whole(Math.round(rate))}/s`);
    if (secondsLeft !== undefined && secondsLeft >= 1) words.push(`${duration(secondsLeft)} left`);
    let bar = this.running.querySelector('progress');
    let text = this.running.querySelector('span');
    if (bar === null || text === null) {
      bar = el('progress', { 'aria-label': 'Progress' });
      text = el('span', { class: 'quiet' });
      this.running.replaceChildren(
        bar,
        text,
        button('Cancel', () => {
          post({ type: 'cancel' });
        }),
      );
    }
    bar.max = 1;
    if (fraction === undefined) bar.removeAttribute('value');
    else bar.value = fraction;
    text.textContent = words.join(' · ');
    this.showStandings(running.standings);
  }

  /** Figures of a probe whose report is there already would only say less. */
  private showStandings(standings: PanelProgress['standings']): void {
    const isOpen =
      standings !== undefined && !this.state.reports.some(({ probe }) => probe === standings.probe);
    const mark = isOpen ? JSON.stringify(standings) : '';
    if (this.standings.dataset.mark === mark) return;
    this.standings.dataset.mark = mark;
    this.standings.replaceChildren(...(isOpen ? [soFar(standings)] : []));
  }

  private showTabs(): void {
    const shown = this.shownReports();
    this.tabs.replaceChildren(
      ...(shown.length < 2
        ? []
        : shown.map(({ key, evaluator }) =>
            button(evaluator, () => void this.chooseReport(key), {
              class: 'tab',
              'aria-pressed': String(key === this.reportKey),
            }),
          )),
    );
  }

  private async chooseReport(key: string): Promise<void> {
    this.reportKey = key;
    this.showTabs();
    const report = this.report()!;
    this.lines.clear();
    this.closeDetail();
    this.grid.reset(key, modelFor(report.probe));
    try {
      const { facets, count } = await ask({ type: 'facets', report: key });
      if (key !== this.reportKey) return;
      this.facets = facets;
      this.all = count;
      await this.refresh(false);
      const index = this.wanted?.index;
      this.wanted = undefined;
      if (index !== undefined && index < count) await this.goTo(index);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  /** Table and plots of the selection as it stands now. */
  private async refresh(keepDetail: boolean): Promise<void> {
    const mine = ++this.loading;
    const { reportKey: report } = this;
    const { selection } = this.toolbar;
    this.toolbar.show(this.facets);
    this.keep();
    try {
      if (!keepDetail) this.closeDetail();
      this.grid.reset(report, modelFor(this.probe));
      const [, { charts }] = await Promise.all([
        this.lines.show(report, selection),
        ask({ type: 'charts', report, selection }),
      ]);
      if (mine === this.loading) this.charts.show(charts);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  private linesChanged(): void {
    this.toolbar.setCount(this.lines.total, this.all);
    this.grid.redraw();
  }

  private async open(index: number): Promise<void> {
    const report = this.report();
    if (report === undefined) return;
    this.current = index;
    this.keep();
    try {
      const { detail } = await ask({ type: 'detail', report: report.key, index });
      // A quicker key press has asked for another one meanwhile.
      if (this.current !== index || report.key !== this.reportKey) return;
      const view = detailView(report, detail, this.pictures, {
        reveal: () => {
          this.reveal(index);
        },
        copy: (text) => {
          post({ type: 'copy', text });
        },
        close: () => {
          this.closeDetail();
        },
      });
      this.split.querySelector(':scope > .detail')?.remove();
      if (this.grid.isNarrow && this.grid.selected >= 0) this.grid.setInset(view);
      else {
        this.grid.setInset(undefined);
        this.split.append(view);
      }
      this.split.classList.toggle('open', !this.grid.isNarrow);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  private closeDetail(): void {
    this.current = undefined;
    this.keep();
    this.split.classList.remove('open');
    this.split.querySelector(':scope > .detail')?.remove();
    this.grid.setInset(undefined);
  }

  private reveal(index: number): void {
    post({ type: 'reveal', report: this.reportKey, index });
  }

  /** From a line of the file to its example here. */
  private async selectLine(line: number): Promise<void> {
    if (this.reportKey === '') return;
    try {
      const { index } = await ask({ type: 'find', report: this.reportKey, line });
      if (index === null) return;
      await this.goTo(index);
      this.grid.focus();
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  private async goTo(index: number): Promise<void> {
    const position = this.lines.positionOf(index);
    if (position !== undefined) this.grid.move(position, false);
    await this.open(index);
  }

  private fail(message: string): void {
    this.notice.replaceChildren(el('p', { class: 'problem' }, message));
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === 'Escape') this.escape(typing);
    else if (typing) {
      if (event.key !== 'Enter' || event.target !== this.toolbar.search) return;
      this.grid.focus();
    } else if (event.key === '/') this.toolbar.search.focus();
    else if (event.key === 'f') this.toolbar.focusFirstFacet();
    else if (event.key === 's') this.toolbar.root.querySelector<HTMLElement>(':scope > select')?.focus();
    else if (event.key === 'e') this.nextReport();
    else if (event.key === 'c')
      this.split.querySelector<HTMLElement>('.detail-tools button[title*="Copy"]')?.click();
    else if (event.key === 'w') void this.tryCaption();
    else if (event.key === '?') this.help.showModal();
    else return;
    event.preventDefault();
  }

  private escape(typing: boolean): void {
    if (this.help.open) this.help.close();
    else if (typing) this.grid.focus();
    else if (this.current !== undefined) this.closeDetail();
    else {
      this.toolbar.search.value = '';
      this.toolbar.change({ text: '', facets: {}, range: undefined });
    }
  }

  /** Of the example that is open, or else of the first in the table. */
  private async tryCaption(): Promise<void> {
    const field = () => this.split.querySelector<HTMLInputElement>('#what-if');
    if (field() === null && this.lines.total > 0) {
      this.grid.move(0, false);
      const first = this.lines.at(0);
      if (first !== undefined) await this.open(first.index);
    }
    field()?.focus();
  }

  private nextReport(): void {
    const shown = this.shownReports();
    const at = shown.findIndex(({ key }) => key === this.reportKey);
    if (shown.length > 1) void this.chooseReport(shown[(at + 1) % shown.length].key);
  }
}

/** Instead of an empty table: why it is empty. */
function nothingTookPart(reports: readonly ReportView[]): HTMLElement {
  const reasons = new Map(
    reports.flatMap(({ leftOut }) => leftOut.map(({ reason, count }) => [reason, count])),
  );
  return el(
    'section',
    { class: 'problem' },
    el('p', {}, 'No example took part.'),
    el('ul', {}, ...[...reasons].map(([reason, n]) => el('li', {}, `${whole(n)} left out: ${reason}`))),
  );
}

function warnings(reports: readonly ReportView[]): HTMLElement {
  const all = [...new Set(reports.flatMap(({ warnings: own }) => own))];
  return el('ul', { class: 'warnings' }, ...all.map((warning) => el('li', {}, warning)));
}

new Panel().start();
