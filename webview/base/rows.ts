import type { AnswerRows } from '../../src/protocol/rows';

let send: AnswerRows | undefined;

/** Sets the page's connection to the extension host, once per page. */
export function connectRows(way: AnswerRows): void {
  send = way;
}

/** Sends a request about the rows of a report. */
export const ask: AnswerRows = async (name, question, context) => {
  if (send === undefined) throw new Error('The page is not connected.');
  return send(name, question, context);
};
