import { ShapeError } from '../../src/base/shape';
import {
  type FromPanel,
  panelMemory,
  type PanelMemory,
  panelRequests,
  toPanel,
  type ToPanel,
} from '../../src/protocol/panel';
import { bridgeOf } from '../base/bridge';
import { connectRows } from '../base/rows';

const bridge = bridgeOf<ToPanel, FromPanel, typeof panelRequests>(toPanel, panelRequests);
export const { post, listen } = bridge;
connectRows((question, context) => bridge.ask('rows', question, context));

export function remember(memory: PanelMemory): void {
  bridge.remember(memory);
  // A page's own state is lost when its tab is closed.
  post({ type: 'remember', memory });
}

/** The state of an earlier page of the panel. Undefined for a new panel or another version. */
export function recalled(): PanelMemory | undefined {
  try {
    return panelMemory(bridge.recalled(), '');
  } catch (error) {
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}
