import type { CallContext } from '../../src/base/calls';
import { answerTo, type Answer, type AnswerTo, type Ask } from '../../src/protocol/rows';

type Send = (question: Ask, context?: Partial<CallContext>) => Promise<Answer>;
let send: Send | undefined;

/** Sets the page's connection to the extension host, once per page. */
export function connectRows(way: Send): void {
  send = way;
}

/** Sends a request about the rows of a report. */
export async function ask<A extends Ask>(
  question: A,
  context?: Partial<CallContext>,
): Promise<AnswerTo<A['type']>> {
  if (send === undefined) throw new Error('The page is not connected.');
  return answerTo(question, await send(question, context));
}
