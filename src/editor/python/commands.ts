import * as vscode from 'vscode';
import { usageError } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { documentOf } from '../activeFile';
import type { RunOrder } from '../runs/runs';
import * as settings from '../settings';
import { needTrust } from '../trust';
import { choosePython, selectPython } from './interpreters';
import type { Add } from '../commandIds';

/** The number of samples in a trial. */
const tried = 3;

export function addPython(
  add: Add,
  { extensionUri, workspaceState }: vscode.ExtensionContext,
  begin: (order: RunOrder) => unknown,
): void {
  add('captious.newPythonEvaluator', () => newPythonEvaluator(extensionUri));
  add('captious.selectPython', () => selectPython());
  add('captious.tryPythonEvaluator', async (uri) => {
    needTrust();
    const order = await tryPythonEvaluator(extensionUri, workspaceState, uri);
    return order && begin(order);
  });
}

/** Opens a new file with a working evaluator. Comments in the file explain what to change. */
async function newPythonEvaluator(extension: vscode.Uri): Promise<void> {
  const template = vscode.Uri.joinPath(extension, 'python', 'captious', 'template.py').fsPath;
  const content = (await readBounded(template)).toString('utf8');
  const document = await vscode.workspace.openTextDocument({ language: 'python', content });
  await vscode.window.showTextDocument(document);
}

/** Prepares an audit of a few samples with a Python file's evaluator. Returns undefined if the user cancels. */
async function tryPythonEvaluator(
  extension: vscode.Uri,
  memory: vscode.Memento,
  target: unknown,
): Promise<RunOrder | undefined> {
  const document = await documentOf(target);
  if (document === undefined || document.languageId !== 'python')
    throw usageError(
      vscode.l10n.t('Open the Python file of an evaluator first.'),
      vscode.l10n.t('Create an evaluator with "Captious: New Python Evaluator…".'),
    );
  if (document.isUntitled || document.isDirty) if (!(await document.save())) return undefined;
  const isScored = /\bdef (embed_images|score)\b/.test(document.getText());
  const samples = (name: string): string => vscode.Uri.joinPath(extension, 'samples', name).fsPath;
  const python = await choosePython(document.uri, memory);
  if (python === undefined) return undefined;
  return {
    dataset: samples(isScored ? 'captions.jsonl' : 'triplets.tsv'),
    probes: [isScored ? 'lgip' : 'visla'],
    evaluators: [`python:${document.uri.fsPath}:Evaluator`],
    images: [samples('images')],
    seed: settings.seed(document.uri),
    limit: tried,
    python,
  };
}
