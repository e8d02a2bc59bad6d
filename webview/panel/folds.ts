import { button, el } from '../base/dom';
import { t } from '../base/words';

/** Parts of the page that are hidden at first if the list would have no room. */
export type Fold = 'metrics' | 'charts';
const names: Record<Fold, string> = { metrics: t('Metrics'), charts: t('Charts') };

/** The height of the list's head and twelve rows, in pixels. */
const roomForRows = 440;

/**
 * Buttons that show and hide the metrics and the charts. They are visible if room is short: in a narrow or low
 * window, with several evaluators, or while an example is explained.
 */
export class Folds {
  readonly root = el('span', { class: 'folds' });
  private readonly buttons = new Map<Fold, HTMLButtonElement>();
  private readonly narrow = matchMedia('(width < 1000px)');
  private isLong = false;
  private hasLesson = false;
  private measured = '';

  constructor(
    private readonly page: HTMLElement,
    onChange: () => void,
  ) {
    for (const fold of Object.keys(names) as Fold[]) {
      const toggle = (): void => {
        this.set(fold, !this.open.includes(fold));
        onChange();
      };
      const own = button(names[fold], toggle, { class: 'link', 'aria-expanded': 'false', 'data-fold': fold });
      this.buttons.set(fold, own);
      this.root.append(own);
    }
    this.narrow.addEventListener('change', () => this.fit());
    window.addEventListener('resize', () => this.fit());
    this.fit();
  }

  /** Hides the metrics and charts at first if there are several evaluators, because their metrics need much room. */
  count(evaluators: number): void {
    this.isLong = evaluators > 1;
    this.fit();
  }

  /** Hides the metrics and charts while an example is explained, so that the example is visible without scrolling. */
  explain(hasLesson: boolean): void {
    this.hasLesson = hasLesson;
    this.fit();
  }

  get open(): Fold[] {
    return [...this.buttons].flatMap(([fold, { ariaExpanded }]) => (ariaExpanded === 'true' ? [fold] : []));
  }

  restore(open: readonly Fold[]): void {
    for (const fold of this.buttons.keys()) this.set(fold, open.includes(fold));
  }

  /** Adapts the layout after rows were drawn, but only if they are another report's rows than before. */
  drawn(report: string): void {
    if (report === this.measured) return;
    this.measured = report;
    this.fit();
  }

  private fit(): void {
    const classes = this.page.classList;
    classes.remove('folded');
    if (this.narrow.matches || this.isLong || this.hasLesson || !this.hasRoom()) classes.add('folded');
  }

  private hasRoom(): boolean {
    const list = this.page.querySelector('.split')?.getBoundingClientRect();
    // While the page is hidden, the list has no height.
    if (list === undefined || list.height === 0) return true;
    return list.top + window.scrollY + roomForRows <= window.innerHeight;
  }

  private set(fold: Fold, isOpen: boolean): void {
    this.buttons.get(fold)!.ariaExpanded = String(isOpen);
    this.page.classList.toggle(`with-${fold}`, isOpen);
  }
}
