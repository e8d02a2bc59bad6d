import { extname } from 'node:path';
import * as vscode from 'vscode';
import { isNear } from '../../dataset/fields/near';
import { plainName } from '../../dataset/fields/fields';
import { type Checks, type Finding, placeIn, rangeOf } from './checks';
import { inert } from '../notify';

const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.{json,jsonc,jsonl,ndjson,csv,tsv,token}' },
];
/** Problems that make an entry useless. Their fix removes the entry. */
const removable = new Set([
  'broken-row',
  'missing-field',
  'wrong-type',
  'empty-caption',
  'missing-image',
  'unreadable-image',
  'duplicate-id',
  'duplicate-caption',
  'equal-negative',
  'equal-altered',
]);
const idNames = ['id', 'example_id', 'uid', 'sample_id', 'question_id', 'sentid'];

/** Quick fixes for the problems that `Checks` reports. */
export class Fixes implements vscode.CodeActionProvider {
  static register(checks: Checks): vscode.Disposable {
    return vscode.languages.registerCodeActionsProvider(selector, new Fixes(checks), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    });
  }

  private constructor(private readonly checks: Checks) {}

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics
      .filter(({ source }) => source === 'Captious')
      .flatMap((problem) => {
        const [finding, ...more] = this.checks.findingsOf(document.uri, problem);
        if (finding === undefined) return [];
        return more.length === 0
          ? fixesOf(document, problem, finding)
          : fixesOfAll(document, problem, [finding, ...more]);
      });
  }
}

function chooseImages(uri: vscode.Uri): vscode.CodeAction {
  const title = vscode.l10n.t('Select the folder with the images…');
  const action = new vscode.CodeAction(inert(title), vscode.CodeActionKind.QuickFix);
  action.command = { title, command: 'captious.choosePhotos', arguments: [uri] };
  return action;
}

/** Fixes for all findings of a kind. */
function fixesOfAll(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  findings: readonly Finding[],
): vscode.CodeAction[] {
  const [{ code }] = findings;
  const fixes = code === 'missing-image' ? [chooseImages(document.uri)] : [];
  // Only for entries on single lines, because removing an entry elsewhere could leave a stray comma.
  if (removable.has(code) && inLines(document)) {
    const lines = new Set(findings.map(({ entry, place }) => (entry ?? place)?.line));
    const rows = findings.flatMap((finding) => rowAt(document, finding, rangeOf(document, finding)) ?? []);
    const remove = new vscode.CodeAction(
      inert(vscode.l10n.t('Remove all {0} entries', lines.size)),
      vscode.CodeActionKind.QuickFix,
    );
    remove.edit = new vscode.WorkspaceEdit();
    for (const range of merged(rows)) remove.edit.delete(document.uri, range);
    fixes.push(remove);
  }
  for (const action of fixes) action.diagnostics = [problem];
  return fixes;
}

/** Joins overlapping and adjacent ranges, because edits must not overlap. */
function merged(ranges: readonly vscode.Range[]): vscode.Range[] {
  const out: vscode.Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start.compareTo(b.start))) {
    const last = out.at(-1);
    if (last?.intersection(range) === undefined) out.push(range);
    else out[out.length - 1] = last.union(range);
  }
  return out;
}

function fixesOf(
  document: vscode.TextDocument,
  problem: vscode.Diagnostic,
  finding: Finding,
): vscode.CodeAction[] {
  const { code, text, instead } = finding;
  const fixes: vscode.CodeAction[] = [];
  const offer = (title: string, change?: (edit: vscode.WorkspaceEdit) => void): vscode.CodeAction => {
    const action = new vscode.CodeAction(inert(title), vscode.CodeActionKind.QuickFix);
    action.diagnostics = [problem];
    if (change !== undefined) {
      action.edit = new vscode.WorkspaceEdit();
      change(action.edit);
    }
    fixes.push(action);
    return action;
  };
  const { uri } = document;
  if (code === 'field-name' && text !== undefined && instead !== undefined) {
    offer(vscode.l10n.t('Rename "{0}" to "{1}" everywhere', text, instead), (edit) => {
      for (const range of namesIn(document, text)) edit.replace(uri, range, instead);
    }).isPreferred = true;
  }
  if (code === 'missing-field' && instead !== undefined) {
    const renamed = slipIn(document, problem.range, instead);
    if (renamed !== undefined)
      offer(vscode.l10n.t('Rename "{0}" to "{1}"', renamed.wrong, renamed.right), (edit) =>
        edit.replace(uri, renamed.range, renamed.right),
      ).isPreferred = true;
  }
  if (code === 'cut-caption' && text !== undefined && instead !== undefined && instead !== '') {
    const written = document.getText(problem.range);
    const inJson = written.startsWith('"') && written === JSON.stringify(text);
    if (inJson || written === text)
      offer(vscode.l10n.t('Truncate to the token limit of the evaluator'), (edit) =>
        edit.replace(uri, problem.range, inJson ? JSON.stringify(instead) : instead),
      );
  }
  if (code === 'duplicate-id') {
    const own = idIn(document, problem.range);
    if (own !== undefined)
      offer(vscode.l10n.t('Change the id to {0}', own.next), (edit) =>
        edit.replace(uri, own.range, own.next),
      ).isPreferred = true;
  }
  if (code === 'missing-image') {
    const action = chooseImages(uri);
    action.diagnostics = [problem];
    fixes.push(action);
  }
  if (removable.has(code)) {
    const item = code === 'duplicate-caption' ? listItem(document, problem.range) : undefined;
    const row = item === undefined ? rowAt(document, finding, problem.range) : undefined;
    if (item !== undefined) offer(vscode.l10n.t('Remove this caption'), (edit) => edit.delete(uri, item));
    else if (row !== undefined) offer(vscode.l10n.t('Remove this entry'), (edit) => edit.delete(uri, row));
  }
  return fixes;
}

const inLines = (document: vscode.TextDocument) =>
  ['.jsonl', '.ndjson', '.csv', '.tsv', '.token'].includes(extname(document.uri.fsPath).toLowerCase());

/** Occurrences of a field name as a JSON key or as a cell of the header row. */
function namesIn(document: vscode.TextDocument, name: string): vscode.Range[] {
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

/** A key of the entry that is probably a misspelling of the missing key. */
function slipIn(
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

/** A JSON entry's id, and a new id for the file. */
function idIn(
  document: vscode.TextDocument,
  range: vscode.Range,
): { range: vscode.Range; next: string } | undefined {
  const text = document.getText(range);
  const found = new RegExp(`"(?:${idNames.join('|')})"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d+)`).exec(text);
  if (found === null) return undefined;
  const [all, value] = found;
  const from = document.offsetAt(range.start) + found.index + all.length - value.length;
  const whole = document.getText();
  const plain = value.startsWith('"') ? (JSON.parse(value) as string) : value;
  let next = '';
  for (let i = 2; next === '' || whole.includes(next); i++) next = JSON.stringify(`${plain}-${i}`);
  return {
    range: new vscode.Range(document.positionAt(from), document.positionAt(from + value.length)),
    next,
  };
}

/** The range of a list's string, with one adjacent comma. */
function listItem(document: vscode.TextDocument, range: vscode.Range): vscode.Range | undefined {
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

/** The entry's range: its line if entries are single lines, otherwise the text between its commas. */
function rowAt(
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
  // The range may cover only part of an entry, whose removal could break the file.
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
