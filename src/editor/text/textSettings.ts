/* Reads settings that are also needed in a browser, where `settings.ts` cannot run. */
import * as vscode from 'vscode';
import { type LensLevel, lensLevelOf } from './lensLevel';

export function lensLevel(): LensLevel {
  return lensLevelOf(vscode.workspace.getConfiguration('captious').get('codeLens'));
}

export function hintsWanted(): boolean {
  return vscode.workspace.getConfiguration('captious').get('inlayHints', true);
}
