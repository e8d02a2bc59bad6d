import type * as vscode from 'vscode';
import type { PlacedMark } from './evaluatorMarks';

/** The forms in which a file may contain a caption: plain, escaped for JSON, or with doubled quotes for CSV. */
function writings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  return [...new Set([text, json, ascii(json), text.replaceAll('"', '""')])];
}

/** Escapes all characters outside ASCII, as Python's `json.dumps` does by default. */
function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How many characters before and after a caption are searched for quotes and separators. */
const around = 16;

/** Finds a caption as a whole value, between quotes or separators, at or after `from`. */
export function findWhole(
  source: string,
  text: string,
  from = 0,
): { start: number; end: number } | undefined {
  for (const written of writings(text)) {
    for (let start = source.indexOf(written, from); start >= 0; start = source.indexOf(written, start + 1)) {
      const end = start + written.length;
      const before = /(?:^|(?<!\\)(""|")|(?<!\\)(')|[\n\r\t,;|])(?: |\\[nrt])*$/.exec(
        source.slice(Math.max(0, start - around), start),
      );
      const after = /^(?: |\\[nrt])*(?:$|("")|(")(?= *(?:$|[\n\r\t,;|:\]}]))|(')|[\n\r\t,;|])/.exec(
        source.slice(end, end + around),
      );
      if (before === null || after === null || quoteOf(before) !== quoteOf(after)) continue;
      const separated = quoteOf(before) === '' && /[,;|]/.test(before[0] + after[0]);
      if (!separated || !isInQuotes(source, start)) return { start, end };
    }
  }
  return undefined;
}

/** Whether a quoted value of the same line contains this place. Commas there are part of a caption. */
function isInQuotes(source: string, at: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  return (line.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
}

function quoteOf(match: RegExpExecArray): string {
  return match.slice(1).find((quote) => quote !== undefined) ?? '';
}

/** The most lines that an entry may have after its first line. */
export const entryLines = 12;

/** Where a mark's caption is: on the mark's line or, if this line only opens an entry, on one of the next lines. */
export function placeOf(
  document: vscode.TextDocument,
  { mark, line }: Pick<PlacedMark, 'mark' | 'line'>,
): { line: number; start: number; end: number } | undefined {
  const [text] = mark.texts;
  if (text === undefined) return undefined;
  const source = document.lineAt(line).text;
  // Searches from the mark's column first, because an earlier field may have the same text.
  const own = findWhole(source, text, (mark.column ?? 1) - 1) ?? findWhole(source, text);
  if (own !== undefined) return { line, ...own };
  if (!opensEntry(source)) return undefined;
  const last = Math.min(document.lineCount - 1, line + entryLines);
  for (let at = line + 1; at <= last; at++) {
    const found = findWhole(document.lineAt(at).text, text);
    if (found !== undefined) return { line: at, ...found };
  }
  return undefined;
}

/** Whether a line of JSON ends in an opening bracket, so that the entry's texts are on the next lines. */
export function opensEntry(source: string): boolean {
  return /[{[]\s*$/.test(source);
}
