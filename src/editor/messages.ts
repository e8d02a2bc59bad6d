import * as vscode from 'vscode';
import { wordsOf } from '../base/errors';
import { numberIn, spoken, type Words } from '../base/say';

/**
 * Translates texts for the user: verdicts, notes, warnings, names of metrics, copied text. Logs and reports
 * stay in English.
 */
export function localized(words: Words): string {
  return spoken(words, known, localNumber);
}

/** Writes an English number in the language of the texts around it. */
export function localNumber(text: string): string {
  return numberIn(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language, text);
}

/** Translates a text of Captious that arrives as a plain string, such as the question of a probe. */
export function known(own: string): string {
  return vscode.l10n.bundle?.[own] ?? own;
}

export function trouble(error: unknown): string {
  return localized(wordsOf(error));
}
