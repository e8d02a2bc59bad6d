import * as vscode from 'vscode';
import { wordsOf } from '../base/errors';
import { spoken, type Words } from '../base/say';

/** In the language of the editor, for people; logs and reports stay in one language, for whoever reads them elsewhere. */
export function told(words: Words): string {
  return spoken(words, (own) => vscode.l10n.bundle?.[own] ?? own);
}

export function trouble(error: unknown): string {
  return told(wordsOf(error));
}
