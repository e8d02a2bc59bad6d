import { ShapeError } from '../../src/base/shape';
import {
  type FromPanel,
  panelMemory,
  type PanelMemory,
  toPanel,
  type ToPanel,
} from '../../src/protocol/panel';
import { rowRequests } from '../../src/protocol/rows';
import { bridgeOf } from '../base/bridge';
import { connectRows } from '../base/rows';

const bridge = bridgeOf<ToPanel, FromPanel, typeof rowRequests>(toPanel, rowRequests);
export const { post, listen } = bridge;
connectRows(bridge.ask);

/** What the extension host does with texts and files of the page. */
export const files = {
  save: (name: string, bytes: Uint8Array): void => post({ type: 'save', name, bytes }),
  copy: (text: string): void => post({ type: 'copy', text }),
};

export function remember(memory: PanelMemory): void {
  bridge.remember(memory);
  // VS Code forgets a page's state when its tab is closed, so the extension host stores the state too.
  post({ type: 'remember', memory });
}

/** The state that the panel's previous page stored; undefined if it is missing or has another version's format. */
export function recalled(): PanelMemory | undefined {
  try {
    return panelMemory(bridge.recalled(), '');
  } catch (error) {
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}
