/* Names of what items share with other files. The view has them, so this module computes nothing. */

import type { Fault } from '../faultNames';

/** The fault of each kind of leak. */
export const leakFaults: Readonly<Record<LeakKind, Fault>> = {
  caption: 'leakedCaption',
  similarCaption: 'leakedSimilarCaption',
  image: 'leakedImage',
  similarImage: 'leakedSimilarImage',
};

export const leakKinds = ['caption', 'similarCaption', 'image', 'similarImage'] as const;

export type LeakKind = (typeof leakKinds)[number];

/** By kind, the file or split that has it, too. */
export type Leaks = Partial<Record<LeakKind, string>>;
