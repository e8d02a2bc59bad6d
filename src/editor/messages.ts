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
 * Remedies that the editor words differently: it has settings and stored keys instead of options and environment
 * variables, and a running VS Code does not see variables that are set later.
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
      'Set the variable to the key, then run again.',
      say`Set the variable to the key, then start VS Code again.`,
    ] as const,
    [
      'Check the key in the environment variable {0}.',
      say`Check the key ${'MY_KEY'}. To replace it, run the command "Captious: Set Evaluator Key…".`,
    ] as const,
    [
      'Store the key in an environment variable, and put the variable\'s name into the evaluator file: "keyFrom": "MY_KEY".',
      say`Add a name for the key to the evaluator file: "keyFrom": "MY_KEY". VS Code then asks for the key and stores it.`,
    ] as const,
    [
      'Store the secret in an environment variable, and put the variable\'s name into this file: "keyFrom": "MY_KEY".',
      say`Remove the secret from the address, and add a name for the secret to this file: "keyFrom": "MY_KEY". VS Code then asks for the secret and stores it.`,
    ] as const,
    [
      "Do not write the key itself into this file. Store the key in an environment variable, and put the variable's name here.",
      say`Do not write the key itself into this file. Write a name such as MY_KEY. VS Code then asks for the key and stores it.`,
    ] as const,
    [
      'Check the address of the hub in HF_ENDPOINT or --endpoint.',
      say`Check the address of the hub in the environment variable HF_ENDPOINT. If you change it, start VS Code again.`,
    ] as const,
    [
      'If that host is correct, set it as the hub with HF_ENDPOINT or --endpoint.',
      say`If that host is correct, set it as the hub with the environment variable HF_ENDPOINT, then start VS Code again.`,
    ] as const,
    [
      'If the repository requires a sign-in, set the environment variable HF_TOKEN to a token.',
      say`If the repository requires a sign-in, set the environment variable HF_TOKEN to a token, then start VS Code again.`,
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
