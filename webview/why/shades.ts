/* What the page shows of an explanation. Knows no page. */
import { largest } from '../../src/base/extent';
import type { Explained, ExplainedPart } from '../../src/protocol/explained';
import type { LabelledCaption } from '../../src/protocol/rows';

export type Values = readonly (number | null)[];

export interface Shade {
  /** From 0 to 1, relative to the largest influence that is shown beside it. */
  share: number;
  raises: boolean;
}

export function strengthOf(values: Values): number {
  return largest([0, ...values.map((value) => Math.abs(value ?? 0))]);
}

export function shadeOf(value: number | null | undefined, strongest: number): Shade {
  if (value === null || value === undefined || strongest === 0) return { share: 0, raises: true };
  return { share: Math.min(1, Math.abs(value) / strongest), raises: value >= 0 };
}

/** Words are marked as in the editor: not at all, thinly, or thickly. */
export function lineOf({
  share,
  raises,
}: Shade): 'none' | 'raises' | 'raises strong' | 'lowers' | 'lowers strong' {
  if (share <= 0.05) return 'none';
  const line = raises ? 'raises' : 'lowers';
  return share >= 1 / 3 ? `${line} strong` : line;
}

/** The parts of the image that were hidden: the regions of a grid, or objects. Undefined if none were. */
export function partsOf({ regions, objects }: Explained): readonly ExplainedPart[] | undefined {
  return regions ?? objects?.found;
}

/** How each part's influence differs between two captions. Null where one of them is unknown. */
export function differences(from: readonly ExplainedPart[], to: readonly ExplainedPart[]): ExplainedPart[] {
  return to.map(({ influence: own }, i) => {
    const other = from.at(i)?.influence ?? null;
    return { influence: own === null || other === null ? null : own - other };
  });
}

export function partValues(parts: readonly ExplainedPart[], word?: number): (number | null)[] {
  return parts.map(({ influence, words }) => (word === undefined ? influence : (words?.[word] ?? null)));
}

/** The influence of a part of the image on each word; undefined if it was not measured. */
export function wordsAt(explained: Explained, part: number): (number | null)[] | undefined {
  return partsOf(explained)?.[part]?.words;
}

export function strongestOf(values: Values): number | undefined {
  const strength = strengthOf(values);
  const at = values.findIndex((value) => value !== null && Math.abs(value) === strength);
  return strength === 0 ? undefined : at;
}

/** Where a key moves the focus among items in rows of this length. Undefined for other keys. */
export function movedBy(key: string, at: number, count: number, columns = 1): number | undefined {
  const [isGrid, column, last] = [columns > 1, at % columns, count - 1];
  const back = isGrid && column === 0 ? at : Math.max(0, at - 1);
  const on = isGrid && column === columns - 1 ? at : Math.min(last, at + 1);
  const up = at < columns ? at : at - columns;
  const down = at + columns > last ? at : at + columns;
  const moves: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: back, ArrowRight: on, Home: 0, End: last },
    ...(isGrid ? { ArrowUp: up, ArrowDown: down } : { ArrowUp: back, ArrowDown: on }),
  };
  return Object.hasOwn(moves, key) ? moves[key] : undefined;
}

/**
 * The captions to explain at first: the one of the open line, else one that is wrong, else any variant, after the
 * caption that it is compared with.
 */
export function captionsToExplain(captions: readonly LabelledCaption[]): string[] {
  const isVariant = ({ against }: LabelledCaption) => against !== undefined;
  const chosen =
    captions.find(({ chosen: isChosen }) => isChosen) ??
    captions.find((caption) => isVariant(caption) && caption.verdict === 'wrong') ??
    captions.find(isVariant) ??
    captions.at(0);
  if (chosen === undefined) return [];
  return withOriginal(chosen, captions);
}

/** A caption after the one that it is compared with, or after any other. */
export function withOriginal(
  { text, against }: Pick<LabelledCaption, 'text' | 'against'>,
  captions: readonly LabelledCaption[],
): string[] {
  const original = against === undefined ? undefined : captions.at(against)?.text;
  if (original !== undefined && original !== text) return [original, text];
  const other = captions.find((each) => each.text !== text)?.text;
  return other === undefined ? [text] : [text, other];
}
