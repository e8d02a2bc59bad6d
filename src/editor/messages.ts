import * as vscode from 'vscode';
import { wordsOf } from '../base/errors';
import { englishOf, sentences } from '../base/english';
import { type Code, numberIn, spoken, type Words } from '../base/say';

/** Translates a text for the user. Logs and reports stay English. */
export function localized(words: Words): string {
  return spoken(words, sentenceOf, localNumber);
}

/** Formats an English number in the editor's language if Captious is translated to it. */
export function localNumber(text: string): string {
  return numberIn(vscode.l10n.bundle === undefined ? 'en' : vscode.env.language, text);
}

/**
 * Remedies that the editor words differently: it has settings and stored keys instead of options and environment
 * variables, and a running VS Code does not see variables that are set later.
 */
export const inEditor: ReadonlyMap<string, Code> = new Map<Code, Code>([
  ['base.setWritableHome', 'editor.setHomeSetting'],
  ['python.nameOtherInterpreter', 'editor.setPythonSetting'],
  ['native.shrinkModelOrRaise', 'editor.useSmallerModel'],
  ['native.shrinkImagesOrRaise', 'editor.useSmallerImages'],
  ['native.shrinkDatasetOrRaise', 'editor.useSmallerDataset'],
  ['judge.setTheKey', 'editor.setKeyVariable'],
  ['judge.checkKey', 'editor.checkOrReplaceKey'],
  ['judge.storeKeyInEnvironment', 'editor.nameKeyInFile'],
  ['judge.moveSecretToEnvironment', 'editor.moveSecretFromAddress'],
  ['judge.writeKeyNameOnly', 'editor.writeKeyNameOnly'],
  ['fetch.checkHubAddress', 'editor.checkHubAddress'],
  ['fetch.setHubEndpoint', 'editor.setHubHost'],
  ['fetch.setToken', 'editor.setHubToken'],
]);

function sentenceOf(code: string): string {
  const own = inEditor.get(code) ?? code;
  return vscode.l10n.bundle?.[own] ?? englishOf(own);
}

/** Translates one of Captious's texts that arrives as a plain string, such as a probe's question. */
export function known(own: string): string {
  const isCode = Object.hasOwn(sentences(), own);
  return isCode ? own : (vscode.l10n.bundle?.[own] ?? own);
}

export function trouble(error: unknown): string {
  return localized(wordsOf(error));
}
