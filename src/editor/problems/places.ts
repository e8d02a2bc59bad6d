import { extname } from 'node:path';
import * as vscode from 'vscode';
import { plainName } from '../../dataset/fields/fields';
import { isNear } from '../../dataset/fields/near';
import { type Finding, placeIn } from './checks';

/* Finds the ranges of a dataset file that quick fixes change. */

const idNames = ['id', 'example_id', 'uid', 'sample_id', 'question_id', 'sentid'];

/** Whether the file's format has one entry per line. */
export function inLines({ uri }: vscode.TextDocument): boolean {
  return ['.jsonl', '.ndjson', '.csv', '.tsv', '.token'].includes(extname(uri.fsPath).toLowerCase());
}

/** Occurrences of a field name as a JSON key or as a cell of the header row. */
export function namesIn(document: vscode.TextDocument, name: string): vscode.Range[] {
  const json = !['.csv', '.tsv', '.token'].includes(extname(document.uri.fsPath).toLowerCase());
  const text = json ? document.getText() : document.lineAt(0).text;
  const written = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = json
    ? new RegExp(`(?<=")${written}(?="\\s*:)`, 'g')
    : new RegExp(`(?<=^|[\\t,;|]"?)${written}(?="?(?:[\\t,;|]|$))`, 'g');
  return [...text.matchAll(pattern)].map(
    ({ index }) => new vscode.Range(document.positionAt(index), document.positionAt(index + name.length)),
  );
}

/** Finds a key in the entry that is probably a misspelling of the missing key `right`. */
export function slipIn(
  document: vscode.TextDocument,
  range: vscode.Range,
  right: string,
): { wrong: string; right: string; range: vscode.Range } | undefined {
  for (const { 1: wrong, index } of document.getText(range).matchAll(/"([^"\\]+)"(?=\s*:)/g)) {
    if (!isNear(plainName(wrong), plainName(right))) continue;
    const from = document.offsetAt(range.start) + index + 1;
    return {
      wrong,
      right,
      range: new vscode.Range(document.positionAt(from), document.positionAt(from + wrong.length)),
    };
  }
  return undefined;
}

/** The range of the id in a JSON entry, and an unused id of the same type that can replace it. */
export function idIn(
  document: vscode.TextDocument,
  range: vscode.Range,
  taken: Set<string>,
): { range: vscode.Range; next: string } | undefined {
  const text = document.getText(range);
  const found = new RegExp(
    `"(?:${idNames.join('|')})"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d{1,100}(?!\\d))`,
  ).exec(text);
  if (found === null) return undefined;
  const [all, value] = found;
  const from = document.offsetAt(range.start) + found.index + all.length - value.length;
  const whole = document.getText();
  const isText = value.startsWith('"');
  const nth = (i: number): string =>
    isText ? JSON.stringify(`${JSON.parse(value) as string}-${i}`) : String(BigInt(value) + BigInt(i - 1));
  const isUsed = (id: string): boolean =>
    taken.has(id) || (isText ? whole.includes(id) : new RegExp(`(?<!\\d)${id}(?!\\d)`).test(whole));
  let i = 2;
  while (isUsed(nth(i))) i++;
  const next = nth(i);
  taken.add(next);
  return {
    range: new vscode.Range(document.positionAt(from), document.positionAt(from + value.length)),
    next,
  };
}

/** The range of a string in a JSON list, with an adjacent comma if any; undefined if `range` is no such string. */
export function listItem(document: vscode.TextDocument, range: vscode.Range): vscode.Range | undefined {
  const from = document.offsetAt(range.start);
  const to = document.offsetAt(range.end);
  const around = document.getText(
    new vscode.Range(document.positionAt(Math.max(0, from - 200)), document.positionAt(to + 200)),
  );
  const start = from - Math.max(0, from - 200);
  if (around[start] !== '"') return undefined;
  const before = /[,[]\s*$/.exec(around.slice(0, start));
  const after = /^\s*[,\]]/.exec(around.slice(start + to - from));
  if (before === null || after === null) return undefined;
  const [low, high] = before[0].startsWith(',')
    ? [from - before[0].length, to]
    : after[0].endsWith(',')
      ? [from, to + after[0].length]
      : [from, to];
  return new vscode.Range(document.positionAt(low), document.positionAt(high));
}

/** The range to delete to remove an entry: its lines, or its JSON object with an adjacent comma if any. */
export function rowAt(
  document: vscode.TextDocument,
  { place, entry }: Finding,
  range: vscode.Range,
): vscode.Range | undefined {
  if (inLines(document)) {
    const end = entry === undefined ? range.end.line : placeIn(document, entry).end.line;
    const first = entry === undefined ? range.start.line : entry.line - 1;
    return end + 1 < document.lineCount
      ? new vscode.Range(first, 0, end + 1, 0)
      : new vscode.Range(document.lineAt(Math.max(0, first - 1)).range.end, document.lineAt(end).range.end);
  }
  const whole = entry ?? place;
  if (whole === undefined) return undefined;
  const body = placeIn(document, whole);
  const text = document.getText(body);
  // The range may cover only part of an entry, and removing that part could break the file.
  if (!/^\{[^]*\}$/.test(text)) return undefined;
  const from = document.offsetAt(body.start);
  const to = document.offsetAt(body.end);
  const near = (low: number, high: number) =>
    document.getText(new vscode.Range(document.positionAt(Math.max(0, low)), document.positionAt(high)));
  const after = /^\s*,\s*/.exec(near(to, to + 200));
  if (after !== null) return new vscode.Range(body.start, document.positionAt(to + after[0].length));
  const before = /,\s*$/.exec(near(from - 200, from));
  return before === null ? body : new vscode.Range(document.positionAt(from - before[0].length), body.end);
}
