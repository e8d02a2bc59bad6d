import type { ExplainedObjects } from '../../src/protocol/explained';
import { el } from '../base/dom';
import { plain, signed } from '../base/format';
import { t } from '../base/words';
import { shadeOf, strengthOf, type Values } from './shades';
import { roving } from './words';

/** What is hidden in the image: the cells of a grid, or objects, the largest first. */
export type Layout = { rows: number; columns: number } | ExplainedObjects;

/** The image with regions or the boxes of objects over it. Those that lower the score are striped. */
export class MapView {
  readonly root = el('figure', { class: 'why-map' });
  private readonly cells: HTMLElement[];
  private readonly legend = el('figcaption', { class: 'quiet', role: 'status' });

  constructor(
    private readonly layout: Layout,
    image: Promise<string | null>,
    name: string,
    strength: { value: number },
    private readonly isLookedAt: (cell: number | undefined) => void,
  ) {
    const count = 'found' in layout ? layout.found.length : layout.rows * layout.columns;
    this.cells = Array.from({ length: count }, (_, i) => this.cell(i));
    roving(this.cells, 'found' in layout ? 1 : layout.columns);
    const grid = el(
      'div',
      {
        ...{ class: 'found' in layout ? 'why-cells boxes' : 'why-cells', role: 'group' },
        'aria-label': 'found' in layout ? t('Objects of the image') : t('Regions of the image'),
      },
      ...this.cells,
    );
    if (!('found' in layout))
      grid.style.gridTemplate = `repeat(${layout.rows}, 1fr) / repeat(${layout.columns}, 1fr)`;
    const stage = el('div', { class: 'why-stage' });
    void image.then((url) => {
      if (url === null) return;
      const image = el('img');
      image.src = url;
      image.alt = name;
      stage.prepend(image);
    });
    stage.append(grid);
    const slider = el('input', { type: 'range', 'aria-label': t('Strength of the map') });
    [slider.min, slider.max, slider.value] = ['0', '100', String(strength.value)];
    const apply = () => {
      strength.value = Number(slider.value);
      stage.style.setProperty('--strength', String(strength.value / 100));
    };
    slider.addEventListener('input', apply);
    apply();
    this.root.append(stage, el('label', { class: 'why-strength quiet' }, t('Map'), slider), this.legend);
  }

  /** Shows values of the regions. `what` says what the regions have an influence on. */
  show(values: Values, what: string): void {
    const strongest = strengthOf(values);
    for (const [i, cell] of this.cells.entries()) {
      const shade = shadeOf(values[i], strongest);
      cell.className = shade.share === 0 ? '' : shade.raises ? 'raises' : 'lowers';
      cell.style.setProperty('--share', shade.share.toFixed(3));
      cell.dataset.sign = shade.share > 0.5 ? (shade.raises ? '+' : '−') : '';
      cell.setAttribute('aria-label', `${this.placeOf(i)}, ${numberOf(values[i])}`);
    }
    this.legend.textContent = t('{0}. Strongest: ±{1}', what, plain(strongest, 4));
  }

  /** Shows the influences on the score, or on the difference of two scores. */
  showAll(values: Values, isDifference: boolean): void {
    const ofObjects = isDifference
      ? t('Influence of each object on the difference of the scores')
      : t('Influence of each object on the score');
    const ofRegions = isDifference
      ? t('Influence of each region on the difference of the scores')
      : t('Influence of each region on the score');
    this.show(values, this.isOfObjects ? ofObjects : ofRegions);
  }

  get isOfObjects(): boolean {
    return 'found' in this.layout;
  }

  say(words: string): void {
    this.legend.textContent = words;
  }

  placeOf(cell: number): string {
    const { layout } = this;
    if ('found' in layout) return layout.found[cell].name;
    return t('row {0}, column {1}', Math.floor(cell / layout.columns) + 1, (cell % layout.columns) + 1);
  }

  private cell(i: number): HTMLElement {
    const cell = el('button', { type: 'button' });
    if ('found' in this.layout) {
      const { found, width, height } = this.layout;
      const [x, y, wide, high] = found[i].box;
      const share = (part: number, whole: number): string => `${(100 * part) / whole}%`;
      [cell.style.left, cell.style.width] = [share(x, width), share(wide, width)];
      [cell.style.top, cell.style.height] = [share(y, height), share(high, height)];
      cell.title = found[i].name;
    }
    for (const start of ['mouseenter', 'focus']) cell.addEventListener(start, () => this.isLookedAt(i));
    for (const end of ['mouseleave', 'blur']) cell.addEventListener(end, () => this.isLookedAt(undefined));
    return cell;
  }
}

export function numberOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : signed(value, 4);
}
