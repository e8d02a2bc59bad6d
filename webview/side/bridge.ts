import { ShapeError } from '../../src/base/shape';
import { rowRequests } from '../../src/protocol/rows';
import { type FromSide, sideMemory, type SideMemory, toSide, type ToSide } from '../../src/protocol/side';
import { bridgeOf } from '../base/bridge';
import { connectRows } from '../base/rows';

const bridge = bridgeOf<ToSide, FromSide, typeof rowRequests>(toSide, rowRequests);
export const { post, listen } = bridge;
connectRows(bridge.ask);

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
