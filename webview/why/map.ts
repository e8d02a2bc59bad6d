import { el } from '../base/dom';
import { plain, signed } from '../base/format';
import { t } from '../base/words';
import { shadeOf, strengthOf, type Values } from './shades';
import { roving } from './words';

/** The image with a grid of regions over it. Regions that lower the score are striped. */
export class MapView {
  readonly root = el('figure', { class: 'why-map' });
  private readonly cells: HTMLElement[];
  private readonly legend = el('figcaption', { class: 'quiet', role: 'status' });

  constructor(
    { rows, columns }: { rows: number; columns: number },
    image: Promise<string | null>,
    name: string,
    strength: { value: number },
    private readonly isLookedAt: (cell: number | undefined) => void,
  ) {
    this.cells = Array.from({ length: rows * columns }, (_, i) => this.cell(i));
    roving(this.cells, columns);
    const grid = el(
      'div',
      { class: 'why-cells', role: 'group', 'aria-label': t('Regions of the image') },
      ...this.cells,
    );
    grid.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
    const stage = el('div', { class: 'why-stage' });
    void image.then((url) => {
      if (url === null) return;
      const picture = el('img');
      picture.src = url;
      picture.alt = name;
      stage.prepend(picture);
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
    this.columns = columns;
  }

  private readonly columns: number;

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

  say(words: string): void {
    this.legend.textContent = words;
  }

  placeOf(cell: number): string {
    return t('row {0}, column {1}', Math.floor(cell / this.columns) + 1, (cell % this.columns) + 1);
  }

  private cell(i: number): HTMLElement {
    const cell = el('button', { type: 'button' });
    for (const start of ['mouseenter', 'focus']) cell.addEventListener(start, () => this.isLookedAt(i));
    for (const end of ['mouseleave', 'blur']) cell.addEventListener(end, () => this.isLookedAt(undefined));
    return cell;
  }
}

export function numberOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : signed(value, 4);
}
