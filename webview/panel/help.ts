import type { PanelState } from '../../src/protocol/panel';
import { button, el, table } from '../base/dom';
import { t } from '../base/words';

const keysFor = ({ whatIf }: PanelState['can']): [string, string][] => [
  ['↑ ↓', t('move through the examples')],
  [t('Page ↑ ↓, Home, End'), t('move faster')],
  [t('Enter'), t('open the line in the file')],
  ['/', t('search')],
  ['f', t('filter')],
  ['s', t('change the order')],
  ['e', t('next evaluator')],
  ...(whatIf ? [['w', t('try another caption')] as [string, string]] : []),
  ['x', t('not an error')],
  ['v', t('valid, so an error')],
  ['c', t('copy the selected example as Markdown')],
  [t('Escape'), t('close the example. Press again to remove the filters')],
  ['?', t('show this list')],
];

export class Help {
  readonly root = el('dialog', { 'aria-label': t('Keys') });

  show(can: PanelState['can']): void {
    this.root.replaceChildren(
      el('h2', {}, t('Keys')),
      table(
        [t('key'), t('action')],
        keysFor(can).map(([key, what]) => [el('kbd', {}, key), what]),
      ),
      button(t('Close'), () => this.root.close()),
    );
    this.root.showModal();
  }
}
