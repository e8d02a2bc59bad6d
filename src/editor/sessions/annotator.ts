import * as vscode from 'vscode';
import { userName } from '../../base/files/home';
import { ask } from '../notify';

const annotatorKey = 'captious.workshop.annotator';

/** Asks for the annotator's name, and keeps it. Returns undefined if the user cancels. */
export async function askAnnotator(memory: vscode.Memento, title: string): Promise<string | undefined> {
  const given = await ask({
    title,
    prompt: vscode.l10n.t(
      'Enter your name. It identifies your decisions when files of several annotators are merged.',
    ),
    value: memory.get<string>(annotatorKey) ?? userName(),
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
    ignoreFocusOut: true,
  });
  if (given === undefined) return undefined;
  await memory.update(annotatorKey, given.trim());
  return given.trim();
}

/** The name of the person who judges a report's variants. Only the first judgment asks for it. */
export async function judgeName(memory: vscode.Memento, asks: boolean): Promise<string | undefined> {
  const known = memory.get<string>(annotatorKey);
  if (known !== undefined || !asks) return known;
  return askAnnotator(memory, vscode.l10n.t('Judge variants: your name'));
}
