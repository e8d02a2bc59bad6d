/** What marks where an entry in a dataset file begins and ends. */
export type Layout = 'braces' | 'quotes' | 'lines';

/** How many lines above and below the cursor Captious searches for a caption. */
export const longestEntry = 60;

export function layoutOf(path: string): Layout {
  if (/\.jsonc?$/i.test(path)) return 'braces';
  return /\.csv$/i.test(path) ? 'quotes' : 'lines';
}

/** The line and the first character of a caption, both counted from 0. */
export interface AtLine {
  line: number;
  start: number;
}

/** The last caption on the cursor's line that starts at or before the cursor, or else the line's first caption. */
export function captionOnLine<M extends AtLine>(
  captions: readonly M[],
  cursor: { line: number; character: number },
): M | undefined {
  const own = captions.filter(({ line }) => line === cursor.line);
  return own.findLast(({ start }) => start <= cursor.character) ?? own.at(0);
}

/** The caption of the entry that contains the cursor's line. Searches above this line and then, in JSON, below it. */
export function captionAround<M extends AtLine>(
  captions: readonly M[],
  cursor: { line: number },
  layout: Layout,
  textOf: (line: number) => string,
): M | undefined {
  const between = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => textOf(from + i)).join('\n');
  const above = captions.filter(({ line }) => line < cursor.line);
  const last = above.reduce<M | undefined>(
    (best, each) => (best && best.line > each.line ? best : each),
    undefined,
  );
  if (last !== undefined && continues(textOf(last.line), between(last.line, cursor.line), layout))
    return last;
  if (layout !== 'braces') return undefined;
  const below = captions.filter(({ line }) => line > cursor.line);
  const next = below.reduce<M | undefined>(
    (best, each) => (best && best.line <= each.line ? best : each),
    undefined,
  );
  if (next === undefined || /\{/.test(withoutStrings(textOf(next.line)))) return undefined;
  return leadsTo(between(cursor.line, next.line)) ? next : undefined;
}

/** Whether a caption above the cursor is in its entry. `text`: from the caption's line to the cursor's. */
function continues(first: string, text: string, layout: Layout): boolean {
  if (layout === 'quotes') return text.split('"').length % 2 === 0;
  if (layout === 'lines') return false;
  const { closed, opened, pairs } = braces(text);
  const opensItself = /\{/.test(withoutStrings(first));
  return closed === 0 && (!opensItself || (opened > 0 && pairs === 0));
}

/** Whether a caption below the cursor is in its entry. `text`: from the cursor's line to the caption's. */
function leadsTo(text: string): boolean {
  const { closed, opened, pairs } = braces(text);
  return closed === 0 && (opened === 0 || (opened === 1 && pairs === 0));
}

/**
 * Counts unmatched closing braces, unmatched opening braces, and outermost pairs of braces. Ignores the closing brace
 * of `}, {` at the start, because it ends the previous entry.
 */
function braces(text: string): { closed: number; opened: number; pairs: number } {
  let [closed, opened, pairs] = [0, 0, 0];
  for (const sign of withoutStrings(text).replace(/^[ \t]*\}[ \t]*,[ \t]*\{/, '{')) {
    if (sign === '{') opened++;
    else if (sign !== '}') continue;
    else if (opened === 0) closed++;
    else if (--opened === 0) pairs++;
  }
  return { closed, opened, pairs };
}

function withoutStrings(json: string): string {
  return json.replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}
