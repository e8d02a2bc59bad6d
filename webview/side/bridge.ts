import { ShapeError } from '../../src/base/shape';
import { panelRequests } from '../../src/protocol/panel';
import { type FromSide, sideMemory, type SideMemory, toSide, type ToSide } from '../../src/protocol/side';
import { bridgeOf } from '../base/bridge';
import { connectRows } from '../base/rows';

const bridge = bridgeOf<ToSide, FromSide, typeof panelRequests>(toSide, panelRequests);
export const { post, listen } = bridge;
connectRows((question, context) => bridge.ask('rows', question, context));

export function remember(memory: SideMemory): void {
  bridge.remember(memory);
}

/** The state that the view stored; the default if it is missing or has another version's format. */
export function recalled(): SideMemory {
  try {
    return sideMemory(bridge.recalled(), '');
  } catch (error) {
    if (error instanceof ShapeError) return { isListOpen: true };
    throw error;
  }
}
