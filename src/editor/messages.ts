import * as vscode from 'vscode';
import { wordsOf } from '../base/errors';
import { numberIn, spoken, type Words } from '../base/say';

/** Translates a text for the user. Logs and reports stay English. */
export function localized(words: Words): string {
  return spoken(words, known, localNumber);
}

/** Formats an English number in the editor's language if Captious is translated to it. */
export function localNumber(text: string): string {
  return numberIn(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language, text);
}

/** Translates one of Captious's texts that arrives as a plain string, such as a probe's question. */
export function known(own: string): string {
  return vscode.l10n.bundle?.[own] ?? own;
}

export function trouble(error: unknown): string {
  return localized(wordsOf(error));
}
