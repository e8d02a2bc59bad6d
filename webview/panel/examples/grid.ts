import type { ReportView } from '../../../src/protocol/panel';
import type { Line } from '../../../src/protocol/rows';
import { el } from '../../base/dom';
import type { Lines } from './lines';
import type { ImageUrls } from './imageUrls';
import { aboutScore, barEnds, barScales, noneFound, RowViews } from './rowView';
import { localized, t } from '../../base/words';

/**
 * If the list and the detail together are narrower than this, a row has three lines. The detail is included, because
 * the height of the rows must not change when the detail opens.
 */
const compactBelow = 780;
/** If the panel is narrower than this, it shows the detail inside the list. */
const narrowBelow = 620;
/** If the list is narrower than this, rows of one line show neither the kind nor the bar. */
const tightBelow = 640;
const wideRow = 34;
/** The height of a row that shows the results of two evaluators. */
const pairedRow = 40;
const narrowRow = 76;
/** Browsers limit the height of an element. In a taller list, scrolling by 1 pixel moves the rows by more. */
const tallest = 8_000_000;
const beyond = 6;

/** Headers for screen readers, because the visible headers of these columns are empty. */
const unsaid: Readonly<Record<number, string>> = { 0: t('image'), 6: t('result') };

export interface GridActions {
  /** Removes the search and the filters. */
  clear(): void;
  select(line: Line, position: number): void;
  reveal(line: Line): void;
}

/** A list of any length. Only the visible rows and a few around them are in the document. */
export class Grid {
  readonly root: HTMLElement;
  private readonly head = el('div', { class: 'grid-head', role: 'row' });
  private readonly scroller: HTMLElement;
  private readonly sizer = el('div', { class: 'grid-sizer', role: 'rowgroup' });
  private readonly none = noneFound(() => this.actions.clear());
  private readonly rows = new Map<number, { element: HTMLElement; line: Line | undefined }>();
  private readonly views: RowViews;
  private position = -1;
  private frame = 0;
  private compact = false;
  private narrow = false;
  /** Whether rows show the results of two evaluators. */
  private paired = false;
  /** Explains what the signed number of a row is. */
  private about = '';
  private deltaHead = '';
  /** The sign of right answers in that column. */
  private right: string | undefined;
  /** The element with the detail below the selected row, in a narrow panel. */
  private inset: HTMLElement | undefined;

  constructor(
    private readonly lines: Lines,
    imageUrls: ImageUrls,
    private readonly actions: GridActions,
  ) {
    this.scroller = el(
      'div',
      { class: 'grid', role: 'grid', tabindex: 0, 'aria-label': t('Examples') },
      this.head,
      this.none,
      this.sizer,
    );
    this.root = this.scroller;
    this.views = new RowViews(imageUrls, (some) => this.scroller.classList.toggle('no-images', !some));
    this.scroller.addEventListener('scroll', () => this.schedule(), { passive: true });
    this.scroller.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.resized()).observe(this.scroller);
  }

  get selected(): number {
    return this.position;
  }

  get isNarrow(): boolean {
    return this.narrow;
  }

  /** Shows another list from its start, without a selection. */
  reset(
    { key, columns, unscored }: Pick<ReportView, 'key' | 'columns' | 'unscored'>,
    evaluators: readonly string[],
    label = t('kind'),
  ): void {
    this.position = -1;
    this.inset?.remove();
    this.inset = undefined;
    this.scroller.scrollTop = 0;
    this.views.reset(key, evaluators);
    this.paired = evaluators.length > 1;
    this.scroller.classList.toggle('paired', this.paired);
    this.scroller.classList.toggle('unscored', unscored === true);
    const { before: first, after: second, score: own } = columns;
    const [before, after, score, delta] = [first, second, own, columns.delta].map(localized);
    this.about = localized(columns.about);
    this.deltaHead = delta;
    this.right = columns.right;
    const heads = ['', before, after, label, score, delta, ''];
    const about = aboutScore(own, before, after);
    this.head.replaceChildren(
      ...heads.map((text, i) =>
        el(
          'div',
          // A narrow column cuts its name.
          {
            class: `cell cell-${i}`,
            role: 'columnheader',
            'aria-label': unsaid[i],
            title: i === 4 ? about : text,
          },
          text,
        ),
      ),
    );
    this.redraw();
  }

  /** Draws the list again, after its rows changed or a page of rows arrived. */
  redraw(): void {
    this.scroller.setAttribute('aria-rowcount', String(this.lines.total));
    this.none.hidden = !this.lines.isEmpty;
    const change = this.head.querySelector<HTMLElement>('.cell-5');
    if (change !== null) {
      const scales = barScales(this.lines.reach, this.views.evaluators);
      change.title = scales === '' ? this.about : `${this.about}. ${scales}`;
      const ends = { class: 'reach', role: 'img', title: scales, 'aria-label': scales };
      // Before the first rows, there are no scales to name.
      const { right, wrong, tie } = this.lines.results;
      const isJudged = this.right !== undefined && right + wrong + tie > 0;
      change.replaceChildren(
        isJudged ? `${this.deltaHead} (✓ ${this.right} 0)` : this.deltaHead,
        ...(scales === '' ? [] : [el('span', ends, barEnds(this.lines.reach))]),
      );
    }
    this.schedule();
  }

  /** Shows the detail below the selected row of a narrow panel, or removes it if `element` is undefined. */
  setInset(element: HTMLElement | undefined): void {
    this.inset?.remove();
    this.inset = undefined;
    if (element !== undefined && this.narrow) {
      element.classList.add('inset');
      // For screen readers, all content of a grid must be in cells of rows.
      this.inset = el('div', { class: 'inset-row', role: 'row' }, el('div', { role: 'gridcell' }, element));
      this.sizer.append(this.inset);
      new ResizeObserver(() => this.schedule()).observe(this.inset);
    }
    this.schedule();
  }

  move(to: number, open = true): void {
    if (this.lines.total === 0) return;
    this.position = Math.max(0, Math.min(this.lines.total - 1, to));
    this.bringIntoSight(this.position);
    const line = this.lines.at(this.position);
    this.schedule();
    if (line !== undefined && open) this.actions.select(line, this.position);
  }

  focus(options?: FocusOptions): void {
    this.scroller.focus(options);
  }

  private get rowHeight(): number {
    if (this.compact) return narrowRow;
    return this.paired ? pairedRow : wideRow;
  }

  private get insetHeight(): number {
    return this.inset?.offsetHeight ?? 0;
  }

  private get fullHeight(): number {
    return this.lines.total * this.rowHeight + this.insetHeight;
  }

  private get viewHeight(): number {
    return Math.max(0, this.scroller.clientHeight - this.head.offsetHeight);
  }

  /** How many pixels the list moves for each pixel that the user scrolls. */
  private get ratio(): number {
    const full = this.fullHeight;
    return full <= tallest ? 1 : (full - this.viewHeight) / (tallest - this.viewHeight);
  }

  private topOf(position: number): number {
    const below = this.inset !== undefined && position > this.position ? this.insetHeight : 0;
    return position * this.rowHeight + below;
  }

  private bringIntoSight(position: number): void {
    const top = this.topOf(position);
    const shown = this.scroller.scrollTop * this.ratio;
    if (top < shown) this.scroller.scrollTop = top / this.ratio;
    else if (top + this.rowHeight > shown + this.viewHeight)
      this.scroller.scrollTop = (top + this.rowHeight - this.viewHeight) / this.ratio;
  }

  private resized(): void {
    const width = this.scroller.parentElement?.clientWidth ?? 0;
    const compact = width < compactBelow;
    const hasOtherHeight = compact !== this.compact;
    this.compact = compact;
    this.scroller.classList.toggle('compact', compact);
    this.scroller.classList.toggle('tight', !compact && this.scroller.clientWidth < tightBelow);
    if (this.views.fit(this.scroller.clientWidth, compact) || hasOtherHeight) {
      for (const { element } of this.rows.values()) element.remove();
      this.rows.clear();
    }
    const narrow = width < narrowBelow;
    if (narrow !== this.narrow) {
      this.narrow = narrow;
      const line = this.position >= 0 ? this.lines.at(this.position) : undefined;
      if (line !== undefined) this.actions.select(line, this.position);
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = 0;
    const { ratio, rowHeight, scroller, lines } = this;
    this.sizer.style.height = `${Math.min(tallest, this.fullHeight)}px`;
    const shownTop = scroller.scrollTop * ratio;
    // `shownTop` is a position in the whole list, but rows are placed in an element that may be less tall.
    const shift = scroller.scrollTop - shownTop;
    const skipped = this.inset === undefined ? 0 : this.insetHeight;
    const first = Math.max(0, Math.floor((shownTop - skipped) / rowHeight) - beyond);
    const last = Math.min(lines.total, Math.ceil((shownTop + this.viewHeight) / rowHeight) + beyond);
    for (const [position, { element }] of this.rows) {
      if (position >= first && position < last) continue;
      element.remove();
      this.rows.delete(position);
    }
    for (let position = first; position < last; position++) {
      const line = lines.at(position);
      let row = this.rows.get(position);
      if (row === undefined || row.line !== line) {
        row?.element.remove();
        row = { element: this.rowView(line, position), line };
        this.rows.set(position, row);
        this.sizer.append(row.element);
      }
      row.element.style.transform = `translateY(${this.topOf(position) + shift}px)`;
      row.element.setAttribute('aria-selected', String(position === this.position));
      row.element.classList.toggle('selected', position === this.position);
    }
    if (this.inset) {
      this.inset.style.transform = `translateY(${(this.position + 1) * rowHeight + shift}px)`;
    }
    const current = this.rows.get(this.position);
    if (current) this.scroller.setAttribute('aria-activedescendant', current.element.id);
    else this.scroller.removeAttribute('aria-activedescendant');
  }

  private rowView(line: Line | undefined, position: number): HTMLElement {
    const row = this.views.view(line, position, this.lines.reach);
    row.style.height = `${this.rowHeight}px`;
    if (line !== undefined) {
      row.addEventListener('click', () => this.move(position));
      row.addEventListener('dblclick', () => this.actions.reveal(line));
    }
    return row;
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.scroller || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.viewHeight / this.rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: this.position + 1,
      ArrowUp: this.position - 1,
      PageDown: this.position + page,
      PageUp: this.position - page,
      Home: 0,
      End: this.lines.total - 1,
    };
    if (Object.hasOwn(steps, event.key)) this.move(steps[event.key]);
    else if (event.key === 'Enter' && this.position >= 0) {
      const line = this.lines.at(this.position);
      if (line !== undefined) this.actions.reveal(line);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
