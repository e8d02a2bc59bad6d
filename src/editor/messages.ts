import * as vscode from 'vscode';
import { wordsOf } from '../base/errors';
import { numberIn, say, spoken, type Words } from '../base/say';

/** Translates a text for the user. Logs and reports stay English. */
export function localized(words: Words): string {
  return spoken(words, known, localNumber);
}

/** Formats an English number in the editor's language if Captious is translated to it. */
export function localNumber(text: string): string {
  return numberIn(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language, text);
}

/**
 * Remedies that the editor words differently: it has settings instead of options and variables, and a running VS Code
 * does not see variables that are set later.
 */
export const inEditor: ReadonlyMap<string, string> = new Map(
  [
    [
      'Set the environment variable CAPTIOUS_HOME to a folder that you can write to.',
      say`Set the setting captious.home to a folder that you can write to.`,
    ] as const,
    [
      'Specify another interpreter with --python, or in the setting captious.python.',
      say`Specify another interpreter in the setting captious.python.`,
    ] as const,
    [
      'Use a smaller model, or raise the limit (in GB) with the environment variable {0}.',
      say`Use a smaller model, or raise the limit (in GB): set the environment variable ${'CAPTIOUS_MODEL_MEMORY'}, then start VS Code again.`,
    ] as const,
    [
      'Use smaller images, or raise the limit (in GB) with the environment variable {0}.',
      say`Use smaller images, or raise the limit (in GB): set the environment variable ${'CAPTIOUS_MODEL_MEMORY'}, then start VS Code again.`,
    ] as const,
    [
      'Use a smaller dataset, or raise the limit (in GB) with the environment variable {0}.',
      say`Use a smaller dataset, or raise the limit (in GB): set the environment variable ${'CAPTIOUS_MODEL_MEMORY'}, then start VS Code again.`,
    ] as const,
    [
      'Set a token with the environment variable HF_TOKEN.',
      say`Set a token with the environment variable HF_TOKEN, then start VS Code again.`,
    ] as const,
    [
      'Set the variable to the key, then run again.',
      say`Set the variable to the key, then start VS Code again.`,
    ] as const,
  ].map(([words, own]) => [words, own.words]),
);

/** Translates one of Captious's texts that arrives as a plain string, such as a probe's question. */
export function known(own: string): string {
  const words = inEditor.get(own) ?? own;
  return vscode.l10n.bundle?.[words] ?? words;
}

export function trouble(error: unknown): string {
  return localized(wordsOf(error));
}
