import { sizeHandle } from '../../base/sizeHandle';
import { t } from '../../base/words';

/** The least and largest width of the detail, in pixels. */
const widths = { least: 240, most: 1000 };

/** The width of the detail that the user chose. */
export class DetailWidth {
  private width: number | undefined;

  constructor(
    private readonly split: HTMLElement,
    private readonly changed: () => void,
  ) {}

  get view(): { detailWidth?: number } {
    return this.width === undefined ? {} : { detailWidth: this.width };
  }

  restore(width: number | undefined): void {
    if (width === undefined) return;
    this.width = width;
    this.split.style.setProperty('--detail', `${width}px`);
  }

  handleFor(detail: HTMLElement): HTMLElement {
    return sizeHandle({
      label: t('Width of the example'),
      edge: 'left',
      ...widths,
      size: () => detail.offsetWidth,
      set: (width) => {
        this.restore(width);
        this.changed();
      },
    });
  }
}
