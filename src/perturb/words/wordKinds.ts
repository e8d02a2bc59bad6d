/** The kinds of words in the order of reports. Lists without the tagger, which the browser's bundle must not contain. */
export const wordKinds = [
  'noun',
  'verb',
  'adjective',
  'color',
  'number',
  'relation',
  'function',
  'other',
] as const;
export type WordKind = (typeof wordKinds)[number];
