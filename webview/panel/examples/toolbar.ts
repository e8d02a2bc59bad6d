import type { PanelState } from '../../../src/protocol/panel';
import type { Facet, Results, Selection } from '../../../src/protocol/rows';
import { button, el } from '../../base/dom';
import { plain, whole } from '../../base/format';
import { t, localized } from '../../base/words';

const sorts: Record<Selection['sort'], string> = {
  image: t('worst row of each image first'),
  worst: t('worst first'),
  best: t('best first'),
  change: t('largest change first'),
  length: t('longest first'),
  file: t('file order'),
};

/** The least width in pixels at which a facet is readable. */
const leastFacet = 150;
/** The distance between controls, as in the style sheet. */
const gap = 6;

/** The controls of the list: search, facets, the range that was clicked in a chart, order, and exports. */
export class Toolbar {
  readonly root = el('div', { class: 'toolbar', role: 'search', 'aria-label': t('Filters') });
  readonly search: HTMLInputElement;
  private readonly filters = el('div', { class: 'filters', id: 'filters' });
  /** A button that shows and hides the facets. It is visible if the controls do not fit on one line. */
  private readonly more = button('', () => this.open(this.more.ariaExpanded !== 'true'), {
    class: 'more-filters',
    'aria-expanded': 'false',
    'aria-controls': 'filters',
  });
  private readonly chips = el('span', { class: 'chips' });
  private facets: readonly Facet[] = [];
  private isTight = false;
  private readonly sort: HTMLSelectElement;
  private readonly count = el('span', { class: 'quiet', role: 'status' });
  private readonly export: HTMLButtonElement;
  private readonly paper: HTMLButtonElement;
  private timer: ReturnType<typeof setTimeout> | undefined;
  selection: Selection = { text: '', facets: {}, sort: 'image' };
  /** A text about rows that cannot be read; empty if all rows can be read. */
  leftOut = '';

  constructor(
    private readonly onChange: () => void,
    onExport: { report: () => void; paper: () => void },
  ) {
    this.search = el('input', {
      type: 'search',
      'aria-label': t('Search captions and image names'),
      title: t('Search (/)'),
    });
    this.search.placeholder = t('text or image name');
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.change({ text: this.search.value }), 150);
    });
    this.sort = el('select', { 'aria-label': t('Order') });
    this.export = button(t('Export…'), onExport.report, { icon: '⤓' });
    this.paper = button(t('Export for a paper…'), onExport.paper, {
      title: t('Write tables and figures of all reports shown'),
    });
    for (const [value, words] of Object.entries(sorts)) this.sort.append(new Option(words, value));
    this.sort.addEventListener('change', () => this.change({ sort: this.sort.value as Selection['sort'] }));
    this.root.append(
      this.search,
      this.more,
      this.filters,
      this.chips,
      this.count,
      el('span', { class: 'order' }, this.sort, this.export, this.paper),
    );
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  offer({ export: canExport }: PanelState['can']): void {
    this.export.hidden = !canExport;
    this.paper.hidden = !canExport;
  }

  show(facets: readonly Facet[]): void {
    // A facet of one value filters nothing, but its filter from another report can still be removed.
    this.facets = facets.filter(
      ({ id, values }) => values.length > 1 || Object.hasOwn(this.selection.facets, id),
    );
    this.more.hidden = this.facets.length === 0;
    const hadFocus = document.activeElement instanceof HTMLElement ? document.activeElement.id : '';
    this.filters.replaceChildren(...this.facets.map((facet) => this.facetView(facet)));
    if (hadFocus !== '') document.getElementById(hadFocus)?.focus();
    this.showChips();
    this.fit();
  }

  /** Shows a chip for the range that was clicked in a chart, and for each selected value of a hidden facet. */
  private showChips(): void {
    const { range, facets } = this.selection;
    const hidden = this.isTight && this.more.ariaExpanded !== 'true' ? Object.entries(facets) : [];
    this.chips.replaceChildren(
      ...hidden.flatMap(([facet, values]) =>
        values.map((value) => chip(localized(value), () => this.toggleFacet(facet, value))),
      ),
      ...(range === undefined
        ? []
        : [
            chip(t('{0} to {1}', plain(range.low), plain(range.high)), () =>
              this.change({ range: undefined }),
            ),
          ]),
    );
    const chosen = Object.keys(facets).length;
    this.more.textContent = chosen === 0 ? t('Filters') : `${t('Filters')} (${whole(chosen)})`;
  }

  /** Hides the facets behind a button if the controls do not fit on one line. */
  private fit(): void {
    const others = [this.search, this.chips, this.count, this.sort, this.export, this.paper];
    const taken = others.reduce((sum, { scrollWidth }) => sum + scrollWidth + gap, 0);
    const isTight = this.root.clientWidth - taken < this.facets.length * (leastFacet + gap);
    if (isTight === this.isTight) return;
    this.isTight = isTight;
    this.root.classList.toggle('tight', isTight);
    this.open(false);
  }

  private open(isOpen: boolean): void {
    this.more.ariaExpanded = String(isOpen);
    this.root.classList.toggle('open', isOpen);
    this.showChips();
  }

  setCount(shown: number, all: number, results: Results): void {
    const isFirst = this.count.textContent === '';
    const one = t('{0} {0|comparison|comparisons}', whole(all));
    const lines = shown === all ? one : t('{0} of {1} {1|comparison|comparisons}', whole(shown), whole(all));
    const missed = missesOf(results);
    this.count.textContent = [missed === '' ? lines : `${lines}: ${missed}`, this.leftOut]
      .filter((part) => part !== '')
      .join(' · ');
    // A later count must not hide a facet that the user is choosing.
    if (isFirst) this.fit();
  }

  restore(selection: Selection): void {
    this.selection = selection;
    this.search.value = selection.text;
    this.sort.value = selection.sort;
  }

  focusFirstFacet(): void {
    if (this.isTight) this.open(true);
    this.filters.querySelector('select')?.focus();
  }

  focusOrder(): void {
    this.sort.focus();
  }

  clear(): void {
    this.search.value = '';
    const { versus } = this.selection;
    this.change({
      ...{ text: '', facets: {}, range: undefined },
      versus: versus && { report: versus.report },
    });
  }

  change(part: Partial<Selection>): void {
    const selection = { ...this.selection, ...part };
    if (selection.range === undefined) delete selection.range;
    if (selection.versus === undefined) delete selection.versus;
    this.selection = selection;
    this.onChange();
  }

  toggleFacet(facet: string, value: string): void {
    const facets = { ...this.selection.facets };
    if (facets[facet]?.length === 1 && facets[facet][0] === value) Reflect.deleteProperty(facets, facet);
    else facets[facet] = [value];
    this.change({ facets });
  }

  private facetView({ id, title, values }: Facet): HTMLElement {
    const name = localized(title);
    const select = el('select', { id: `facet-${id}`, 'aria-label': name });
    select.append(new Option(t('{0}: all', name), ''));
    for (const { value, n } of values) select.append(new Option(`${localized(value)} (${whole(n)})`, value));
    const chosen = this.selection.facets[id]?.at(0) ?? '';
    select.value = chosen;
    select.classList.toggle('on', chosen !== '');
    select.addEventListener('change', () => {
      const facets = { ...this.selection.facets };
      if (select.value === '') Reflect.deleteProperty(facets, id);
      else facets[id] = [select.value];
      this.change({ facets });
    });
    return select;
  }
}

/**
 * A text with the numbers of wrong and tied examples; empty if no example has a verdict. If only some have one, the
 * numbers of right ones and of the others follow, because the total would suggest a wrong share.
 */
function missesOf({ right, wrong, tie, none }: Results): string {
  if (right + wrong + tie === 0) return '';
  return [
    t('{0} wrong', whole(wrong)),
    tie === 0 ? '' : t('{0} tied', whole(tie)),
    none === 0 ? '' : t('{0} right', whole(right)),
    none === 0 ? '' : t('{0} neither', whole(none)),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function chip(words: string, remove: () => void): HTMLElement {
  return button(words, remove, {
    class: 'chip',
    icon: '✕',
    'aria-label': t('Remove the filter {0}', words),
  });
}
