import { say, type Words } from '../../base/say';
import type { Better } from '../../probe/imported/directions';

/** One score of one sample: a number, or why there is none. */
export type LoggedScore = { ok: true; value: number } | { ok: false; why: Words };

/** A sample of a log, or one of its epochs. */
export interface LoggedSample {
  id: string;
  /** Tells apart the repetitions of a sample. */
  epoch?: string;
  line?: number;
  scores: ReadonlyMap<string, LoggedScore>;
  /** The values by which samples may be grouped, such as metadata. */
  fields: Readonly<Record<string, unknown>>;
  /** Why the whole sample has no scores, such as an error of the model. */
  failed?: Words;
  input?: string;
  target?: string;
  answer?: string;
}

/** What another program's log says, whatever its format. */
export interface Log {
  /** The program's name, such as "Inspect". */
  program: string;
  /** What the model was asked to do. Reports of other tasks cannot be compared. */
  task: string;
  model: string;
  samples: readonly LoggedSample[];
  /** How many samples the dataset has, if the log says it. A limit leaves fewer in the log. */
  whole?: number | undefined;
  /** Which scores should be high or low, if the log says so. */
  better: ReadonlyMap<string, Better>;
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A score as a number. Texts and structures are no scores, because their meaning would be a guess. */
export function scoreOf(value: unknown): LoggedScore {
  if (typeof value === 'boolean') return { ok: true, value: value ? 1 : 0 };
  if (typeof value !== 'number')
    return { ok: false, why: value === null ? noNumber : say('imported.notNumber') };
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, why: noNumber };
}

/** Also for NaN, which becomes null when the log is read. */
const noNumber = say('imported.noScore');

const outsideTexts = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** Python writes NaN and infinities, which JSON does not have. They become null. */
export function withoutNaN(text: string): string {
  return text.replace(outsideTexts, (found) => (found.startsWith('"') ? found : 'null'));
}
