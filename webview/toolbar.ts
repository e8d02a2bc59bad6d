import type { Facet, Selection } from '../src/protocol/rows';
import { button, el } from './dom';
import { plain, whole } from './format';

const sorts: Record<Selection['sort'], string> = {
  worst: 'worst first',
  best: 'best first',
  change: 'largest change first',
  length: 'longest first',
  file: 'order of the file',
};

/** Chooses what is in the table: text, facets, the range clicked in a plot, and the order. */
export class Toolbar {
  readonly root = el('div', { class: 'toolbar', role: 'search', 'aria-label': 'Filters' });
  readonly search: HTMLInputElement;
  private readonly filters = el('div', { class: 'filters' });
  private readonly sort: HTMLSelectElement;
  private readonly count = el('span', { class: 'quiet', role: 'status' });
  private timer: ReturnType<typeof setTimeout> | undefined;
  selection: Selection = { text: '', facets: {}, sort: 'worst' };

  constructor(
    private readonly onChange: () => void,
    onExport: () => void,
  ) {
    this.search = el('input', {
      type: 'search',
      'aria-label': 'Search captions and photos',
      title: 'Search (/)',
    });
    this.search.placeholder = 'text or photo';
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.change({ text: this.search.value });
      }, 150);
    });
    this.sort = el('select', { 'aria-label': 'Order' });
    for (const [value, words] of Object.entries(sorts)) this.sort.append(new Option(words, value));
    this.sort.addEventListener('change', () => {
      this.change({ sort: this.sort.value as Selection['sort'] });
    });
    this.root.append(
      this.search,
      this.filters,
      this.count,
      el('span', { class: 'order' }, this.sort, button('Export…', onExport, { icon: '⤓' })),
    );
  }

  show(facets: readonly Facet[]): void {
    const hadFocus = document.activeElement instanceof HTMLElement ? document.activeElement.id : '';
    this.filters.replaceChildren(...facets.map((facet) => this.facetView(facet)));
    const { range } = this.selection;
    if (range !== undefined) {
      this.filters.append(
        button(
          `${plain(range.low)} to ${plain(range.high)}`,
          () => {
            this.change({ range: undefined });
          },
          {
            class: 'chip',
            icon: '✕',
            'aria-label': `Remove the filter ${plain(range.low)} to ${plain(range.high)}`,
          },
        ),
      );
    }
    if (hadFocus !== '') document.getElementById(hadFocus)?.focus();
  }

  setCount(shown: number, all: number): void {
    const lines = all === 1 ? 'line' : 'lines';
    this.count.textContent =
      shown === all ? `${whole(all)} ${lines}` : `${whole(shown)} of ${whole(all)} ${lines}`;
  }

  restore(selection: Selection): void {
    this.selection = selection;
    this.search.value = selection.text;
    this.sort.value = selection.sort;
  }

  focusFirstFacet(): void {
    this.filters.querySelector('select')?.focus();
  }

  focusOrder(): void {
    this.sort.focus();
  }

  clear(): void {
    this.search.value = '';
    this.change({ text: '', facets: {}, range: undefined });
  }

  change(part: Partial<Selection>): void {
    const selection = { ...this.selection, ...part };
    if (selection.range === undefined) delete selection.range;
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
    const select = el('select', { id: `facet-${id}`, 'aria-label': title });
    select.append(new Option(`${title}: all`, ''));
    for (const { value, n } of values) select.append(new Option(`${value} (${whole(n)})`, value));
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
