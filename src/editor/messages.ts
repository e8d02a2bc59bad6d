import * as vscode from 'vscode';
import { wordsOf } from '../base/errors';
import { spoken, type Words } from '../base/say';

/**
 * In the language of the editor, for people; logs and reports stay in one language, for whoever reads them elsewhere:
 * claims, notes, warnings and the names of metrics, wherever they are shown, and what is copied out of a view.
 */
export function localized(words: Words): string {
  return spoken(words, known);
}

/** Of a text of our own that came as a plain one, such as the question of a probe. */
export function known(own: string): string {
  return vscode.l10n.bundle?.[own] ?? own;
}

export function trouble(error: unknown): string {
  return localized(wordsOf(error));
}
