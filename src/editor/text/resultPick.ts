import * as vscode from 'vscode';
import { say } from '../../base/say';
import { type Known, severityOf } from './evaluatorMarks';
import { allResults } from './lensText';
import { byProbe, type Marks } from './marks';
import { localized } from '../messages';
import { codeLens, inert, pick, showStatus } from '../notify';

interface Row extends vscode.QuickPickItem {
  /** The arguments of the command that opens the result. */
  open: unknown[];
}

/** Lets the user choose a result of a line, and opens it. If the line has no results, lists the file's verdicts. */
export async function pickResult(marks: Marks, uri: unknown, line: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const document =
    typeof uri === 'string'
      ? await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true))
      : editor?.document;
  if (document === undefined) return;
  const at = typeof uri === 'string' ? line : editor?.selection.active.line;
  const ofLine = typeof at === 'number' ? await rowsOfLine(marks, document, at) : [];
  const rows = ofLine.length > 0 ? ofLine : rowsOfFile(marks, document);
  if (rows.length === 0) {
    showStatus(vscode.l10n.t('This file has no results.'), 5000);
    return;
  }
  const title =
    ofLine.length > 0
      ? vscode.l10n.t('Results of line {0}', Number(at) + 1)
      : vscode.l10n.t('Results of the file');
  const placeHolder = vscode.l10n.t('Select a result to open it in the panel');
  const chosen = await pick(rows, { title, placeHolder, matchOnDescription: true });
  if (chosen !== undefined) await vscode.commands.executeCommand('captious.openPanel', ...chosen.open);
}

async function rowsOfLine(marks: Marks, document: vscode.TextDocument, line: number): Promise<Row[]> {
  const placed = await marks.between(document, line, line);
  // If the line has two results of one probe, the captions tell them apart.
  const isShared = [...byProbe(placed).values()].some((own) => own.length > 1);
  return allResults(placed, { probes: true }).map(({ placed: { mark, known }, name, evaluator, ...own }) => ({
    label: `${signs[severityOf(own.mark)]} ${localized(name ?? known.title)}`,
    description: localized(own.mark.words),
    ...(isShared ? { detail: mark.texts.at(0) } : {}),
    open: [known.id, mark.line, undefined, evaluator, known.probe],
  }));
}

/** The sign of a result by its severity: right, unstable or wrong. */
const signs = ['✓', '±', '✗'];

function rowsOfFile(marks: Marks, document: vscode.TextDocument): Row[] {
  return marks.latest(document).flatMap(({ id, probe, title, words, verdicts = [] }) => {
    const all = verdicts.length > 1 ? verdicts : [{ evaluator: undefined, words }];
    return all.map((own) => ({
      label: title,
      detail: own.words,
      open: [id, undefined, undefined, own.evaluator, probe],
    }));
  });
}

/** The most verdicts that are shown above a file. */
const mostVerdicts = 2;

/** Lenses with the newest results' verdicts, at most `mostVerdicts`. If there are more, a further lens lists all. */
export function fileResults(
  document: vscode.TextDocument,
  top: vscode.Range,
  all: readonly Known[],
): vscode.CodeLens[] {
  // Results without a verdict must not take the places of verdicts.
  const verdictsFirst = [...all].sort((a, b) => Number(a.isMute ?? false) - Number(b.isMute ?? false));
  const lenses = verdictsFirst.slice(0, mostVerdicts).map(({ id, probe, words, evaluators = [] }) => {
    const open = [id, undefined, undefined, undefined, probe];
    const tooltip = evaluators.length === 0 ? {} : { tooltip: inert(evaluators.join(' ⇄ ')) };
    return codeLens(top, { title: words, ...tooltip, command: 'captious.openPanel', arguments: open });
  });
  const further = all.length - mostVerdicts;
  if (further <= 0) return lenses;
  const show = { command: 'captious.showResults', arguments: [document.uri.toString()] };
  return [...lenses, codeLens(top, { ...show, title: localized(say('editor.further', further)) })];
}
