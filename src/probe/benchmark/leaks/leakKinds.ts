/** What an item may share with another file or split. Also the names of these faults. */
export const leakKinds = [
  'leakedCaption',
  'leakedSimilarCaption',
  'leakedImage',
  'leakedSimilarImage',
] as const;

export type LeakKind = (typeof leakKinds)[number];

/** By kind, the file or split that has it, too. */
export type Leaks = Partial<Record<LeakKind, string>>;
