/* The links that copy or save an explanation for a paper. */
import { messageOf } from '../../src/base/errors';
import type { Explained } from '../../src/protocol/explained';
import { button, el } from '../base/dom';
import { copyImage, svgAsPng } from '../base/png';
import { t } from '../base/words';

export interface WhyActions {
  copy(text: string): void;
  /** Absent where a page cannot save files. */
  save?(name: string, bytes: Uint8Array): void;
}

/** Contains an image, so that more dots would only make the file larger. */
const dotsPerInch = 300;

/** `file` writes the explanation that is shown. `status` says what happened. */
export function toolsOf(
  { copy, save }: WhyActions,
  status: HTMLElement,
  file: (to: 'svg' | 'tex' | 'pdf') => Promise<Explained>,
): HTMLElement {
  const written = async (to: 'svg' | 'tex'): Promise<string> => (await file(to)).written ?? '';
  const png = async (): Promise<Uint8Array<ArrayBuffer>> => svgAsPng(await written('svg'), dotsPerInch);
  const failed = (error: unknown) => (status.textContent = messageOf(error));
  const link = (label: string, act: () => Promise<void>, title?: string) =>
    button(label, () => void act().catch(failed), {
      class: 'link',
      ...(title === undefined ? {} : { title }),
    });
  const resolution = t('At {0} dpi, one column wide', dotsPerInch);
  const copying = [
    link(t('Copy as LaTeX'), async () => copy(await written('tex'))),
    link(t('Copy as SVG'), async () => copy(await written('svg'))),
    link(
      t('Copy as PNG'),
      async () => {
        await copyImage(png());
        status.textContent = t('Copied.');
      },
      resolution,
    ),
  ];
  if (save === undefined) return el('div', { class: 'why-tools' }, ...copying);
  const saving = [
    link(t('Save as SVG'), async () => save('why.svg', new TextEncoder().encode(await written('svg')))),
    link(t('Save as PDF'), async () => {
      const { bytes } = await file('pdf');
      if (bytes !== undefined) save('why.pdf', bytes);
    }),
    link(t('Save as PNG'), async () => save('why.png', await png()), resolution),
  ];
  return el('div', { class: 'why-tools' }, ...copying, ...saving);
}
