import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { homeFolder, userHome } from '../base/files/home';
import { placed } from '../dataset/images/imagePlaces';

const section = 'captious';

/** The folder for models, embeddings and other data that is kept between runs. */
export function home(): string {
  const set = vscode.workspace.getConfiguration(section).get<string>('home', '').trim();
  return set === '' ? homeFolder() : fromHome(set);
}

/** The setting for the Python interpreter; undefined if the setting is empty. */
export function python(resource?: vscode.Uri): string | undefined {
  const set = vscode.workspace.getConfiguration(section, resource).get<string>('python', '').trim();
  return set === '' ? undefined : set;
}

export async function setPython(command: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(section);
  await configuration.update('python', command, vscode.ConfigurationTarget.Global);
}

export function evaluatorFolders(): string[] {
  return vscode.workspace.getConfiguration(section).get<string[]>('evaluatorFolders', []).map(fromHome);
}

/** Adds a model folder or an evaluator file to the user's settings. */
export async function addEvaluator(path: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(section);
  const known = configuration.inspect<string[]>('evaluatorFolders')?.globalValue ?? [];
  if (!known.includes(path))
    await configuration.update('evaluatorFolders', [...known, path], vscode.ConfigurationTarget.Global);
}

/** Folders to search for a dataset's images, as `DIR` or `FROM=DIR`. Relative paths start at its workspace folder. */
export function imageFolders(dataset: vscode.Uri): string[] {
  const root = vscode.workspace.getWorkspaceFolder(dataset)?.uri.fsPath;
  return vscode.workspace
    .getConfiguration(section, dataset)
    .get<string[]>('imageFolders', [])
    .map((given) =>
      placed(given, (folder) => {
        const path = fromHome(folder);
        return isAbsolute(path) || root === undefined ? path : join(root, path);
      }),
    );
}

export async function addImageFolder(dataset: vscode.Uri, folder: string): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(section, dataset);
  const known = configuration.get<string[]>('imageFolders', []);
  await configuration.update('imageFolders', [...known, folder], vscode.ConfigurationTarget.Workspace);
}

export function rescoreWhen(dataset: vscode.Uri): 'request' | 'save' | 'type' {
  return vscode.workspace.getConfiguration(section, dataset).get('rescore', 'request');
}

export function thresholds(dataset: vscode.Uri | undefined): string[] {
  return vscode.workspace.getConfiguration(section, dataset).get<string[]>('thresholds', []);
}

export function seed(dataset: vscode.Uri): number {
  return vscode.workspace.getConfiguration(section, dataset).get('seed', 42);
}

/** How many draws of the variants a run makes. Empty if the size of the dataset decides. */
export function draws(dataset: vscode.Uri): { draws?: number } {
  const count = vscode.workspace.getConfiguration(section, dataset).get<number | null>('seeds', null);
  return count === null ? {} : { draws: count };
}

/** Whether to resume a run automatically after its window was reloaded or closed. */
export function resumesRuns(): boolean {
  return vscode.workspace.getConfiguration(section).get('resumeRuns', true);
}

function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(userHome(), path.slice(2)) : path;
}
