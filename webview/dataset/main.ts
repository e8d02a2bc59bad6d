import { messageOf } from '../../src/base/errors';
import {
  type BrowsedExample,
  type DatasetHead,
  datasetPageRequests,
  type DatasetResults,
  type FromDatasetPage,
  onlyFirst,
  toDatasetPage,
  type ToDatasetPage,
} from '../../src/protocol/parts/browsed';
import type { AnswerRows, Selection } from '../../src/protocol/rows';
import { bridgeOf } from '../base/bridge';
import { button, el } from '../base/dom';
import { whole } from '../base/format';
import { connectRows } from '../base/rows';
import { t } from '../base/words';
import { Grid } from '../panel/examples/grid';
import { Lines } from '../panel/examples/lines';
import { ImageUrls } from '../panel/examples/imageUrls';
import { exampleView } from './example';
import { headParts, problemsView, verdicts } from './head';

const bridge = bridgeOf<ToDatasetPage, FromDatasetPage, typeof datasetPageRequests>(
  toDatasetPage,
  datasetPageRequests,
);
// The list asks for lines and images only.
connectRows(bridge.ask as AnswerRows);

/** How long the page waits for more letters before it filters. */
const typingMs = 150;

/** The page that lists the examples of a dataset with their results. */
class DatasetPage {
  private name = '';
  private canAudit = false;
  private reading = -1;
  private results: readonly DatasetResults[] = [];
  /** The key of the results to show; empty if there are none. */
  private key = '';
  private keyShown = '';
  /** What names the list that is shown. */
  private report = '';
  private head: DatasetHead | undefined;
  private current: number | undefined;
  /** The id of the example to open when it is read. */
  private wanted: string | undefined;
  private loading = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  private readonly header = el('header');
  private readonly problem = el('div', { role: 'alert' });
  private readonly problems = el('div');
  private readonly search = el('input', {
    type: 'search',
    'aria-label': t('Search captions and image names'),
    title: t('Search (/)'),
  });
  private readonly verdict = el('select', { 'aria-label': t('Filter by result') });
  private readonly choice = el('select', { 'aria-label': t('Results to show') });
  private readonly count = el('span', { class: 'quiet', role: 'status' });
  private readonly toolbar = el(
    'div',
    { class: 'toolbar' },
    this.search,
    this.choice,
    this.verdict,
    this.count,
  );
  private readonly split = el('div', { class: 'split' });
  private readonly imageUrls = new ImageUrls();
  private readonly lines = new Lines(
    () => this.linesChanged(),
    (message) => this.fail(message),
  );
  private readonly grid = new Grid(this.lines, this.imageUrls, {
    select: ({ index }) => void this.open(index),
    reveal: ({ index }) => void this.open(index).then(() => this.detail()?.querySelector('button')?.focus()),
    clear: () => {
      this.search.value = '';
      this.verdict.selectedIndex = 0;
      void this.list();
    },
  });

  start(): void {
    this.search.placeholder = t('text or image name');
    this.verdict.append(...Object.entries(verdicts).map(([value, words]) => new Option(words, value)));
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.list(), typingMs);
    });
    this.verdict.addEventListener('change', () => void this.list());
    this.choice.addEventListener('change', () => void this.read(this.choice.value));
    this.split.append(this.grid.root);
    document
      .getElementById('dataset')!
      .append(this.header, this.problem, this.problems, this.toolbar, this.split);
    this.showHead();
    document.addEventListener('keydown', (event) => this.press(event));
    bridge.listen((message) => this.show(message));
    bridge.post({ type: 'ready' });
  }

  private show({ name, reading, results, canAudit, example }: ToDatasetPage): void {
    const isSame = reading === this.reading && JSON.stringify(results) === JSON.stringify(this.results);
    Object.assign(this, { name, canAudit, results, reading, wanted: example ?? this.wanted });
    const known = results.find(({ key }) => key === this.key) ?? results.at(0);
    this.choice.replaceChildren(...results.map(({ key }) => new Option(key, key)));
    this.choice.hidden = results.length < 2;
    this.verdict.hidden = results.length === 0;
    if (isSame && this.head !== undefined) {
      this.showHead();
      this.openWanted(this.report).catch((error: unknown) => this.fail(messageOf(error)));
    } else void this.read(known?.key ?? '');
  }

  private get selection(): Selection {
    const { value } = this.verdict;
    return {
      text: this.search.value,
      facets: value === '' || this.verdict.hidden ? {} : { result: [value] },
      sort: 'file',
    };
  }

  /** Reads the dataset with these results: first its beginning, so that a long one shows rows at once. */
  private async read(key: string): Promise<void> {
    const mine = ++this.loading;
    this.key = key;
    this.choice.value = key;
    this.problem.replaceChildren();
    this.split.ariaBusy = 'true';
    this.showHead();
    try {
      for (const report of [`${onlyFirst}${key}`, key]) {
        const head = await bridge.ask('head', { report });
        if (mine !== this.loading) return;
        if (head.isWhole) this.split.ariaBusy = 'false';
        await this.showList(report, head);
        await this.openWanted(report);
        if (head.isWhole) return;
      }
    } catch (error) {
      if (mine === this.loading) this.failToRead(messageOf(error));
    } finally {
      if (mine === this.loading) {
        this.split.ariaBusy = 'false';
        this.showHead();
      }
    }
  }

  /** An unchanged list keeps its place and its open example. */
  private async showList(report: string, head: DatasetHead): Promise<void> {
    const before = this.head;
    const isLonger = before !== undefined && this.key === this.keyShown && head.stamp === before.stamp;
    if (isLonger && head.examples <= before.examples) return;
    Object.assign(this, { head, report, keyShown: this.key });
    this.showHead();
    await this.list(isLonger);
  }

  /** `isLonger`: whether the rows that are shown keep their places. */
  private async list(isLonger = false): Promise<void> {
    const { head } = this;
    if (head === undefined) return;
    if (!isLonger) this.close();
    this.grid.root.classList.toggle('single', !head.hasWrong);
    this.grid.root.classList.toggle('no-results', this.results.length === 0);
    const columns = {
      ...{ before: t('captions'), after: t('wrong or altered captions'), score: '', delta: '', about: '' },
    };
    if (!isLonger) this.grid.reset({ key: head.stamp, columns, unscored: true }, [], t('result'));
    try {
      await this.lines.show(this.report, this.selection);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  private linesChanged(): void {
    const { examples = 0 } = this.head ?? {};
    const { total, results } = this.lines;
    const shown = total === examples ? whole(total) : t('{0} of {1}', whole(total), whole(examples));
    const wrong = results.wrong + results.tie > 0 ? t('{0} wrong', whole(results.wrong)) : '';
    this.count.textContent = [t('Examples: {0}', shown), wrong].filter((part) => part !== '').join(' · ');
    this.grid.redraw();
  }

  private showHead(): void {
    const words = this.results.find(({ key }) => key === this.key)?.words;
    this.header.replaceChildren(
      ...headParts({ name: this.name, head: this.head, words, isReading: this.split.ariaBusy === 'true' }),
      el('span', { class: 'push' }),
      ...(this.canAudit
        ? [button(t('Audit…'), () => bridge.post({ type: 'audit' }), { class: 'primary' })]
        : []),
    );
    this.problems.replaceChildren(...problemsView(this.head));
    this.toolbar.hidden = this.split.hidden = this.head === undefined;
  }

  private fail(message: string): void {
    this.problem.replaceChildren(el('p', { class: 'problem' }, message));
  }

  /** The file may be no dataset at all, so that another editor may be able to show it. */
  private failToRead(message: string): void {
    const other = button(t('Reopen with another editor…'), () => bridge.post({ type: 'reopen' }));
    const again = button(t('Read again'), () => void this.read(this.key));
    this.problem.replaceChildren(
      el('div', { class: 'problem' }, el('p', {}, message), el('div', { class: 'toolbar' }, again, other)),
    );
  }

  private async open(index: number): Promise<void> {
    this.current = index;
    try {
      const { report } = this;
      const example = await bridge.ask('example', { report, index });
      if (this.current === index && report === this.report) this.showExample(example, index);
    } catch (error) {
      this.fail(messageOf(error));
    }
  }

  /** Shows all examples in the order of the file, in which the example's index is its position. */
  private async openWanted(report: string): Promise<void> {
    const { wanted } = this;
    if (wanted === undefined) return;
    const { index } = await bridge.ask('find', { report, example: wanted });
    const isWhole = !report.startsWith(onlyFirst) || this.head?.isWhole === true;
    if (wanted !== this.wanted || (index === undefined && !isWhole)) return;
    this.wanted = undefined;
    if (index === undefined) return this.fail(t('Example {0} is not in the list.', wanted));
    const isFiltered = this.search.value !== '' || this.verdict.value !== '';
    this.search.value = this.verdict.value = '';
    if (isFiltered) await this.list();
    this.grid.move(index, false);
    await this.open(index);
  }

  private showExample(example: BrowsedExample, index: number): void {
    const { report } = this;
    const view = exampleView(
      example,
      this.imageUrls,
      { report, index, isTrusted: this.head?.images.found !== undefined },
      {
        ...(example.line !== undefined && { reveal: () => bridge.post({ type: 'reveal', report, index }) }),
        ...(example.result && { openPanel: () => bridge.post({ type: 'openPanel', report, index }) }),
        copy: (text) => bridge.post({ type: 'copy', text }),
        close: () => {
          this.close();
          this.grid.focus();
        },
      },
    );
    this.detail()?.remove();
    const isInset = this.grid.isNarrow && this.grid.selected >= 0;
    this.grid.setInset(isInset ? view : undefined);
    if (!isInset) this.split.append(view);
    this.split.classList.toggle('open', !isInset);
  }

  private detail(): HTMLElement | null {
    return this.split.querySelector('.detail');
  }

  private close(): void {
    this.current = undefined;
    this.grid.setInset(undefined);
    this.detail()?.remove();
    this.split.classList.remove('open');
  }

  private press(event: KeyboardEvent): void {
    const { search } = this;
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === 'f';
    if (!isFind && (event.ctrlKey || event.metaKey || event.altKey)) return;
    const isTyping = event.target === search;
    if (isFind || (event.key === '/' && !isTyping)) {
      search.focus();
      search.select();
    } else if (event.key === 'Escape' && isTyping && search.value !== '') {
      search.value = '';
      void this.list();
    } else if (event.key === 'Escape' || (event.key === 'Enter' && isTyping)) {
      if (!isTyping) this.close();
      this.grid.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

new DatasetPage().start();
