import { count, flag, list, nullable, object, optional, type Shaped, text, union } from '../base/shape';
import { detail } from './rows';

/* Messages between the side panel, which follows the cursor, and the extension host. */

/** A probe with results for the file. */
const sideProbe = object({ id: text, title: text });

/** One report of the chosen probe. */
const sideReport = object({ key: text, probe: text, title: text, evaluator: text });
export type SideReport = Shaped<typeof sideReport>;

const sideState = object({
  /** The name of the file with the cursor; absent without a text editor. */
  file: optional(text),
  isDataset: flag,
  probes: list(sideProbe),
  /** The probe whose reports are shown. */
  probe: text,
  /** The reports of that probe, one for each evaluator. */
  reports: list(sideReport),
  can: object({ audit: flag, whatIf: flag, images: flag }),
  /** The error message, including its remedy. */
  problem: optional(text),
});
export type SideState = Shaped<typeof sideState>;

const entry = object({ report: text, detail });
export type SideEntry = Shaped<typeof entry>;

/** The example under the cursor, in each report that has it. */
const sideExample = object({
  /** The example's current line in the file. */
  line: count,
  /** Whether the caption was edited after it was scored. */
  edited: flag,
  /** Whether the entries show scores of the edited captions, which are newer than the reports. */
  rescored: flag,
  entries: list(entry),
});
export type SideExample = Shaped<typeof sideExample>;

export const toSide = union({
  state: { state: sideState },
  /** `line` is the line of the cursor. */
  example: { line: count, example: nullable(sideExample) },
  /** Sent if there is no further miss in this direction. */
  noMiss: { back: flag },
});
export type ToSide = Shaped<typeof toSide>;

export const fromSide = union({
  ready: {},
  /** Shows the reports of another probe. */
  probe: { probe: text },
  /** Moves the cursor to the example of a row. */
  go: { report: text, index: count },
  /** Moves the cursor to the next example with a wrong row or, with `back`, to the previous one. */
  toMiss: { back: flag },
  /** Moves the focus to the example in the editor. */
  reveal: {},
  openPanel: {},
  audit: {},
  /** A defect in the page, which goes to the log. */
  defect: { message: text },
});
export type FromSide = Shaped<typeof fromSide>;

/** What the page remembers across a reload. */
export const sideMemory = object({ isListOpen: flag });
export type SideMemory = Shaped<typeof sideMemory>;
