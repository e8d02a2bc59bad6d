import {
  count,
  flag,
  list,
  nullable,
  object,
  optional,
  type Shaped,
  text,
  words,
  union,
} from '../base/shape';
import { detail } from './rows';

/* Messages between the extension host and the side panel, which follows the cursor. */

/** A probe with results for the file. */
const sideProbe = object({ id: text, title: text });

/** One report of the chosen probe. */
const sideReport = object({ key: text, probe: text, title: text, evaluator: text });
export type SideReport = Shaped<typeof sideReport>;

const sideState = object({
  /** The name of the file with the cursor; absent without a text editor. */
  file: optional(text),
  isDataset: flag,
  /** Whether an audit of the file is in progress or waits. */
  isAudited: flag,
  probes: list(sideProbe),
  /** The probe whose reports are shown. */
  probe: text,
  /** The reports of that probe, one for each evaluator. */
  reports: list(sideReport),
  can: object({ audit: flag, whatIf: flag, images: flag }),
  /** The error message with its remedy. */
  problem: optional(words),
});
export type SideState = Shaped<typeof sideState>;

const entry = object({ report: text, detail });
export type SideEntry = Shaped<typeof entry>;

/** The example under the cursor, in each shown report that contains the example. */
const sideExample = object({
  /** The example's current line in the file. */
  line: count,
  /** Whether the caption changed after scoring. */
  edited: flag,
  /** Whether the scores are for edited captions, and newer than the reports. */
  rescored: flag,
  entries: list(entry),
});
export type SideExample = Shaped<typeof sideExample>;

export const toSide = union({
  state: { state: sideState },
  /** `line` is the line of the cursor. */
  example: { line: count, example: nullable(sideExample) },
  /** Sent if there is no further example with a wrong row in this direction. */
  noMiss: { back: flag },
});
export type ToSide = Shaped<typeof toSide>;

export const fromSide = union({
  ready: {},
  /** Shows the reports of another probe. */
  probe: { probe: text },
  /** Moves the cursor to a row's example. */
  go: { report: text, index: count },
  /** Moves the cursor to the next example with a wrong row, or with `back` to the previous one. */
  toMiss: { back: flag },
  reveal: {},
  openPanel: {},
  audit: {},
  /** Copies a text, such as a table for a paper. */
  copy: { text },
  /** A defect in the page, for the log. */
  defect: { message: text },
});
export type FromSide = Shaped<typeof fromSide>;

/** The page's state that a reload keeps. */
export const sideMemory = object({ isListOpen: flag });
export type SideMemory = Shaped<typeof sideMemory>;
