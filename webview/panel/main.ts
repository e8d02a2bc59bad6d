import { panelMemory, type PanelMemory, type PanelState } from '../../src/protocol/panel';
import { listen, post, recalled, remember } from './bridge';
import { allFigures, cardsOf, firstCards, sentence } from './cards';
import { Comparison } from './comparison';
import { button, el } from '../base/dom';
import { Examples } from './examples/examples';
import { Exploited } from './exploited';
import { Folds } from './folds';
import { headerParts } from './header';
import { Help } from './help';
import { judgedEvent, judgeKeys, pressJudge } from './examples/judging';
import { JudgedSummary } from './judged';
import { howMade, leftOutView, lesson, noExampleUsed, warnings } from './remarks';
import { Running } from './running';
import { Standings } from './standings';
import { Worst } from './worst';
import { localized, t } from '../base/words';

/** The page of the panel. It shows the state that the extension host sends. */
class Panel {
  private state: PanelState = {
    title: '',
    reports: [],
    resumable: false,
    can: { whatIf: false, export: false, images: true },
  };
  private probe = '';
  private memory: PanelMemory = { run: '', compare: [] };

  private readonly root = document.getElementById('panel')!;
  private readonly header = el('header');
  private readonly folds = new Folds(this.root, () => this.keep());
  private readonly notice = el('div', { role: 'alert' });
  private readonly running = new Running(() => post({ type: 'cancel' }));
  private readonly lesson = el('div');
  private readonly summary = el('div', { class: 'summary' });
  private readonly metrics = el('div', { class: 'metrics' });
  private readonly comparison = new Comparison();
  private readonly exploited = new Exploited();
  private readonly judged = new JudgedSummary();
  private readonly more = el('div');
  private readonly help = new Help();
  private readonly examples = new Examples({
    changed: () => this.keep(),
    drawn: (report) => this.folds.drawn(report),
    fail: (message) => this.fail(message),
  });
  private readonly standings = new Standings((report) => void this.examples.chooseReport(report));
  private readonly worst = new Worst(
    this.examples.imageUrls,
    (index) => void this.examples.openRow(index),
    (message) => this.fail(message),
  );
  /** What the first screen shows above the list. */
  private readonly first = el('div', { class: 'first' });

  start(): void {
    this.recall();
    this.first.append(this.worst.root, this.examples.charts.root, this.metrics);
    this.root.append(
      ...[this.header, this.notice, this.running.bar, this.running.partialMetrics, this.lesson],
      ...[
        this.standings.root,
        this.summary,
        this.first,
        this.comparison.root,
        this.exploited.root,
        this.judged.root,
      ],
      ...[this.examples.root, this.more, this.help.root],
    );
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener(judgedEvent, () => void this.judged.refresh());
    window.addEventListener('focus', () => this.examples.regainFocus({ preventScroll: true }));
    listen((message) => {
      switch (message.type) {
        case 'show':
          this.show(message.state);
          return;
        case 'progress':
          this.showRunning({ running: message.running });
          return;
        case 'select':
          if (message.probe !== undefined) this.showProbe(message.probe);
          void this.examples.selectExample(message).then(() => {
            if (message.whatIf) void this.examples.tryCaption();
          });
          return;
        case 'explain':
          this.lesson.replaceChildren(lesson(message.sentences, () => this.closeLesson()));
          this.folds.explain(true);
          // The explanation is above the example, so the page scrolls back to the top.
          void this.examples.openRow(message.index).then(() => window.scrollTo(0, 0));
          return;
      }
    });
    post({ type: 'ready' });
  }

  private closeLesson(): void {
    this.lesson.replaceChildren();
    this.folds.explain(false);
  }

  /** Restores the state that an earlier page stored for the same run, otherwise the state from the extension host. */
  private recall(): void {
    const given = panelMemory(JSON.parse(document.body.dataset.memory ?? '{}'), '');
    const kept = recalled();
    this.memory = kept?.run === given.run ? kept : given;
    const { view } = this.memory;
    if (view !== undefined) {
      this.probe = view.probe;
      this.examples.restore(view);
      this.folds.restore(view.open ?? []);
    }
    this.keep();
  }

  private keep(): void {
    const { run, compare } = this.memory;
    const own = this.examples.view;
    const view = own === undefined ? this.memory.view : { ...own, open: this.folds.open };
    this.comparison.choose(view?.report, view?.selection.versus?.report);
    this.memory = view === undefined ? { run, compare } : { run, compare, view };
    remember(this.memory);
  }

  private show(state: PanelState): void {
    this.state = state;
    if (!state.reports.some(({ probe }) => probe === this.probe))
      this.probe = state.reports.at(0)?.probe ?? '';
    this.header.replaceChildren(
      ...headerParts(state, this.probe, (probe) => this.showProbe(probe), this.folds.root),
    );
    this.notice.replaceChildren(
      ...(state.problem === undefined ? [] : [el('p', { class: 'problem' }, localized(state.problem))]),
    );
    if (state.resumable)
      this.notice.append(button(t('Resume'), () => post({ type: 'rerun' }), { class: 'primary' }));
    this.showRunning(state);
    this.showReports();
  }

  private showProbe(probe: string): void {
    this.probe = probe;
    this.show(this.state);
  }

  private showReports(): void {
    const { reports, running, stopped, problem } = this.state;
    const shown = reports.filter(({ probe }) => probe === this.probe);
    const [only] = shown.length === 1 ? shown : [];
    const [cards, moreCards] = only === undefined ? [] : firstCards(only);
    this.summary.replaceChildren(...(only === undefined ? [] : [sentence(only)]));
    this.metrics.replaceChildren(...(cards === undefined ? [] : [cards]));
    this.standings.show(shown, cardsOf(shown));
    void this.worst.show(only);
    const leftOut = leftOutView(shown);
    this.more.replaceChildren(
      ...(leftOut ? [leftOut] : []),
      ...(shown.length === 0
        ? []
        : [...warnings(shown), ...(moreCards ? [moreCards] : []), allFigures(shown), howMade(shown)]),
    );
    this.comparison.show(shown);
    this.exploited.show(shown);
    this.judged.show(shown);
    this.folds.count(shown.length);
    this.examples.show(shown, this.state.can);
    if (shown.length > 0 && this.examples.root.hidden) this.summary.append(noExampleUsed(shown));
    if (shown.length === 0 && running === undefined && stopped === undefined && problem === undefined)
      this.summary.append(
        el('p', { class: 'quiet' }, t('This run has no report. Resume the run, or run the audit again.')),
      );
  }

  private fail(message: string): void {
    this.notice.replaceChildren(el('p', { class: 'problem' }, message));
  }

  private showRunning(state: Pick<PanelState, 'running' | 'stopped'>): void {
    this.running.show(
      state,
      this.state.reports.map(({ probe }) => probe),
    );
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { examples } = this;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === 'Escape') {
      if (this.help.root.open) this.help.root.close();
      else if (typing) examples.focusList();
      else examples.leave();
    } else if (typing) {
      if (event.key !== 'Enter' || event.target !== examples.toolbar.search) return;
      examples.focusList();
    } else if (event.key === '/') examples.toolbar.search.focus();
    else if (event.key === 'f') examples.toolbar.focusFirstFacet();
    else if (event.key === 's') examples.toolbar.focusOrder();
    else if (event.key === 'e') examples.nextReport();
    else if (event.key === 'c') examples.copy();
    else if (Object.hasOwn(judgeKeys, event.key)) pressJudge(this.root, judgeKeys[event.key]);
    else if (event.key === 'w') void examples.tryCaption();
    else if (event.key === '?') this.help.show(this.state.can);
    else return;
    event.preventDefault();
  }
}

new Panel().start();
