import type { CallContext } from '../../src/base/calls';
import { ShapeError } from '../../src/base/shape';
import {
  type FromPanel,
  panelMemory,
  type PanelMemory,
  panelRequests,
  toPanel,
  type ToPanel,
} from '../../src/protocol/panel';
import { answerTo, type AnswerTo, type Ask } from '../../src/protocol/rows';
import { bridgeOf } from '../base/bridge';

const bridge = bridgeOf<ToPanel, FromPanel, typeof panelRequests>(toPanel, panelRequests);
export const { post, listen } = bridge;

export function remember(memory: PanelMemory): void {
  bridge.remember(memory);
}

/** State of an earlier page of this panel; undefined for a new panel or another version. */
export function recalled(): PanelMemory | undefined {
  try {
    return panelMemory(bridge.recalled(), '');
  } catch (error) {
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}

/** Sends a request about the rows of a report. */
export async function ask<A extends Ask>(
  question: A,
  context?: Partial<CallContext>,
): Promise<AnswerTo<A['type']>> {
  return answerTo(question, await bridge.ask('rows', question, context));
}
