import { button, el } from '../base/dom';
import { t } from '../base/words';

/** Parts that a narrow panel hides at first, to leave room for the list. */
export type Fold = 'metrics' | 'charts';
const names: Record<Fold, string> = { metrics: t('Metrics'), charts: t('Charts') };

/** Buttons that show and hide the metrics and the charts. Only a narrow panel shows them. */
export class Folds {
  readonly root = el('span', { class: 'folds' });
  private readonly buttons = new Map<Fold, HTMLButtonElement>();

  constructor(
    private readonly page: HTMLElement,
    onChange: () => void,
  ) {
    for (const fold of Object.keys(names) as Fold[]) {
      const toggle = (): void => {
        this.set(fold, !this.open.includes(fold));
        onChange();
      };
      const own = button(names[fold], toggle, { class: 'link', 'aria-expanded': 'false' });
      this.buttons.set(fold, own);
      this.root.append(own);
    }
  }

  get open(): Fold[] {
    return [...this.buttons].flatMap(([fold, { ariaExpanded }]) => (ariaExpanded === 'true' ? [fold] : []));
  }

  restore(open: readonly Fold[]): void {
    for (const fold of this.buttons.keys()) this.set(fold, open.includes(fold));
  }

  private set(fold: Fold, isOpen: boolean): void {
    this.buttons.get(fold)!.ariaExpanded = String(isOpen);
    this.page.classList.toggle(`with-${fold}`, isOpen);
  }
}
