import {
  type BoardCell,
  type BoardColumn,
  type BoardMemory,
  type BoardTable,
  type FromBoard,
  type Sorting,
  toBoard,
  type ToBoard,
} from '../../src/protocol/board';
import { bridgeOf } from '../base/bridge';
import { button, el } from '../base/dom';
import { localized, localNumber, t } from '../base/words';
import { AgreementChart } from './agreement';
import { TrendCharts } from './trends';
import { nextSorting, orderOf, sortedColumn } from './order';

const bridge = bridgeOf<ToBoard, FromBoard, Record<never, never>>(toBoard, {});

/** The page that compares evaluators: a table by probes and datasets, and charts. A value is a link to its report. */
class BoardPage {
  private table: BoardTable | undefined;
  private memory: BoardMemory | undefined;
  private readonly title = el('h1');
  private readonly about = el('p', { class: 'quiet' });
  private readonly problem = el('p', { class: 'problem', role: 'alert' });
  private readonly values = el('div', { class: 'values', tabindex: 0, role: 'region' });
  private readonly heads = new Map<number, HTMLElement>();
  private readonly note = el('p', { class: 'quiet' });
  private readonly trends = new TrendCharts(
    (trend, step) => bridge.post({ type: 'openStep', trend, step }),
    (key, metric) => this.chooseMetric(key, metric),
  );
  private readonly agreement = new AgreementChart({
    choose: (side, key) => bridge.post({ type: 'chooseAxis', side, key }),
    open: (point, side) => bridge.post({ type: 'openPoint', point, side }),
    export: () => bridge.post({ type: 'exportScatter' }),
  });
  private readonly exports = [
    button(t('Export HTML…'), () => bridge.post({ type: 'export', form: 'html' })),
    button(t('Export for mteb…'), () => bridge.post({ type: 'export', form: 'mteb' })),
  ];

  start(): void {
    this.problem.hidden = true;
    document.getElementById('board')!.append(
      this.title,
      el('div', { class: 'toolbar' }, this.about, el('span', { class: 'push' }), ...this.exports),
      this.problem,
      this.values,
      this.note,
      // The charts come later, and must not move the table.
      this.agreement.element,
      this.trends.element,
    );
    this.trends.element.hidden = true;
    bridge.listen((message) => this.show(message));
    bridge.post({ type: 'ready' });
  }

  private show(message: ToBoard): void {
    if (message.type === 'trends') {
      this.trends.show(message.trends);
      return;
    }
    bridge.remember(message.memory);
    if (message.type === 'scatter') {
      this.memory = message.memory;
      this.agreement.show(message.state);
      return;
    }
    this.memory = message.memory;
    this.title.textContent = t('Board: {0}', message.folder);
    this.table = message.type === 'show' ? message.table : undefined;
    this.problem.hidden = message.type === 'show';
    this.problem.textContent = message.type === 'problem' ? message.problem : '';
    for (const own of this.exports) own.disabled = this.table === undefined;
    for (const part of [this.about, this.values, this.note]) part.hidden = this.table === undefined;
    this.draw();
  }

  private get sorting(): Sorting | undefined {
    return this.memory?.sorting;
  }

  private sort(column: number): void {
    const { table, memory } = this;
    if (table === undefined || memory === undefined) return;
    const sorting = nextSorting(table, column, this.sorting);
    this.memory = { ...memory, sorting };
    bridge.remember(this.memory);
    bridge.post({ type: 'sort', sorting });
    this.draw();
    // `draw` made new column headers, so the header that was clicked needs the focus again.
    this.heads.get(column)?.focus();
  }

  private chooseMetric(key: string, metric: string): void {
    const { memory } = this;
    if (memory === undefined) return;
    const metrics = [...(memory.metrics ?? []).filter((own) => own.key !== key), { key, metric }];
    this.memory = { ...memory, metrics };
    bridge.remember(this.memory);
    bridge.post({ type: 'chooseMetrics', metrics });
  }

  private draw(): void {
    const { table } = this;
    if (table === undefined) return;
    const { columns, rows, reports, notes } = table;
    this.about.textContent = t(
      'Evaluators: {0}, reports: {1}. Select a value to open its report. Select a column header to sort.',
      rows.length,
      reports,
    );
    this.note.hidden = notes === undefined;
    this.note.textContent = notes === undefined ? '' : localized(notes);
    const caption = t('The main metric of each probe and dataset');
    this.values.setAttribute('aria-label', caption);
    const heads = [
      this.head(-1, t('Evaluator')),
      ...columns.map((column, i) => this.head(i, column.title, column)),
    ];
    const body = orderOf(table, this.sorting).map((row) => {
      const { evaluator, kind, cells } = rows[row];
      return el(
        'tr',
        { role: 'row' },
        el('th', { scope: 'row', role: 'rowheader' }, evaluator, el('small', {}, kind)),
        ...cells.map((cell, at) =>
          cellOf(cell, columns[at], () => bridge.post({ type: 'open', row, column: at })),
        ),
      );
    });
    this.values.replaceChildren(
      el(
        'table',
        // In a narrow page, styles turn the table into a list. The explicit role keeps it a table for screen readers.
        { class: 'figures', role: 'table' },
        el('caption', {}, caption),
        el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
        el('tbody', { role: 'rowgroup' }, ...body),
      ),
    );
  }

  private head(at: number, title: string, column?: BoardColumn): HTMLElement {
    const { table, sorting } = this;
    const isSorted = table !== undefined && sorting !== undefined && sortedColumn(table, sorting) === at;
    const own = button(title, () => this.sort(at), column === undefined ? {} : titleOf(column));
    this.heads.set(at, own);
    if (column !== undefined) {
      if (column.better !== undefined) own.append(column.better === 'higher' ? ' ↑' : ' ↓');
      own.append(el('small', {}, aboutColumn(column)));
    }
    if (isSorted)
      own.prepend(el('span', { class: 'sorted', 'aria-hidden': 'true' }, sorting.up ? '▲ ' : '▼ '));
    return el(
      'th',
      {
        scope: 'col',
        role: 'columnheader',
        ...(column === undefined ? {} : { class: 'number' }),
        ...(isSorted ? { 'aria-sort': sorting.up ? 'ascending' : 'descending' } : {}),
      },
      own,
    );
  }
}

function aboutColumn({ dataset, names }: BoardColumn): string {
  return `${dataset} · ${names.map(localized).join(': ')}`;
}

/** The metric's id, which the documentation uses, and its direction. */
function titleOf({ metric, better }: BoardColumn): { title: string } {
  const direction = better === 'higher' ? t('Higher is better') : t('Lower is better');
  return { title: better === undefined ? metric : `${metric} · ${direction}` };
}

function cellOf(cell: BoardCell, column: BoardColumn, open: () => void): HTMLElement {
  // In a narrow page, the columns are below each other, so each cell repeats its header.
  const head = el(
    'span',
    { class: 'of', 'aria-hidden': 'true' },
    column.title,
    el('small', {}, aboutColumn(column)),
  );
  if (cell.type === 'missing') {
    const why = localized(cell.why);
    return el(
      'td',
      { class: 'number', role: 'cell' },
      head,
      el('span', { role: 'img', title: why, 'aria-label': why }, '–'),
    );
  }
  const { text, interval, n, doubt } = cell;
  return el(
    'td',
    { class: 'number', role: 'cell' },
    head,
    button(localNumber(text), open, { class: 'link', title: t('Open the report with this value') }),
    interval === '' ? null : el('small', {}, localNumber(interval)),
    el('small', {}, t('n = {0}', localNumber(n.toLocaleString('en')))),
    doubt === undefined ? null : el('small', {}, localized(doubt)),
  );
}

new BoardPage().start();
