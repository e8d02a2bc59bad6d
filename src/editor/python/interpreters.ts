import { stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readBounded } from '../../base/files/readFile';
import {
  knownArchitectures,
  namedArchitecture,
  needsArchitecture,
  weightEndings,
} from '../../evaluator/checkpoint/checkpoint';
import { type Environment, named, ofEnvironment } from '../../evaluator/python/interpreter';
import type { Reader } from '../../process/readerClient';
import type { EvaluatorEntry } from '../../protocol/service';
import { pick } from '../notify';
import * as settings from '../settings';

/** The part of the Python extension's API that Captious uses. */
interface PythonApi {
  environments: {
    readonly known: readonly { id: string; path: string }[];
    getActiveEnvironmentPath(resource?: vscode.Uri): { id: string; path: string };
    resolveEnvironment(path: unknown): Promise<
      | {
          executable: { uri?: vscode.Uri };
          environment?: { type?: string; name?: string; folderUri: vscode.Uri };
          version?: { major?: number; minor?: number };
        }
      | undefined
    >;
  };
}

interface Choice {
  label: string;
  argv: string[];
}

const remembered = 'captious.python';
/** The list shows at most this many environments of the Python extension. */
const mostListed = 12;
const largestSource = 256 << 10;
const mostCheckpoints = 100;
/** Folders that contain packages and environments instead of the user's own files. */
const notTheirs = '**/{node_modules,.git,.venv,venv,env,site-packages,__pycache__}/**';

/** The command of the interpreter from the setting, the Python extension or `.venv`; undefined if none is found. */
export async function usualPython(resource?: vscode.Uri): Promise<string[] | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  const set = settings.python(resource);
  if (set !== undefined) return named(set);
  return (await activeOfExtension(resource))?.argv ?? localOf(resource)?.argv;
}

/** The interpreter from `usualPython`; if that is undefined, the interpreter that the user chose last. */
export async function knownPython(
  memory: vscode.Memento,
  resource?: vscode.Uri,
): Promise<string[] | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  return (await usualPython(resource)) ?? memory.get<string[]>(remembered);
}

/** The interpreter from `usualPython`, else the last choice, else asks. Undefined if the user cancels. */
export async function choosePython(
  resource: vscode.Uri,
  memory: vscode.Memento,
): Promise<string[] | undefined> {
  const usual = await usualPython(resource);
  if (usual !== undefined) return usual;
  const choices = await interpreters(resource);
  const last = memory.get<string[]>(remembered, []);
  const again = choices.find(({ argv }) => argv.join('\0') === last.join('\0'));
  const chosen = again?.argv ?? (await ask(choices));
  if (chosen !== undefined) await memory.update(remembered, chosen);
  return chosen;
}

/** Lets the user choose an interpreter, and saves the choice in the user's settings. */
export async function selectPython(): Promise<void> {
  const chosen = await ask(await interpreters(undefined));
  // A setting cannot contain arguments, so a `conda run` command is saved as `conda:` and its environment.
  const conda = chosen?.indexOf('run') === 1 ? `conda:${chosen.at(-2)!}` : chosen?.[0];
  if (conda !== undefined) await settings.setPython(conda);
}

async function ask(choices: readonly Choice[]): Promise<string[] | undefined> {
  const browse = vscode.l10n.t('Choose File…');
  const chosen = await pick(
    [
      ...choices.map(({ label, argv }) => ({ label, description: argv.join(' '), argv })),
      { label: browse, description: '', argv: [] },
    ],
    { title: vscode.l10n.t('Python for the evaluator'), ignoreFocusOut: true },
  );
  if (chosen === undefined) return undefined;
  if (chosen.argv.length > 0) return chosen.argv;
  const [file] =
    (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Python for the evaluator') })) ?? [];
  return file === undefined ? undefined : [file.fsPath];
}

async function interpreters(resource: vscode.Uri | undefined): Promise<Choice[]> {
  const found = [
    await activeOfExtension(resource),
    localOf(resource),
    ...(await knownOfExtension()),
    {
      label: vscode.l10n.t('Python on the PATH'),
      argv: process.platform === 'win32' ? ['py', '-3'] : ['python3'],
    },
  ].filter((choice) => choice !== undefined);
  return found.filter(
    ({ argv }, i) => found.findIndex((other) => other.argv.join('\0') === argv.join('\0')) === i,
  );
}

function localOf(resource: vscode.Uri | undefined): Choice | undefined {
  const folder =
    (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? vscode.workspace.workspaceFolders?.at(0);
  if (folder?.uri.scheme !== 'file') return undefined;
  const path = join(folder.uri.fsPath, '.venv');
  return existsSync(path) ? { label: '.venv', argv: named(path) } : undefined;
}

async function apiOfExtension(): Promise<PythonApi['environments'] | undefined> {
  const extension = vscode.extensions.getExtension<Partial<PythonApi>>('ms-python.python');
  if (extension === undefined) return undefined;
  try {
    return (await extension.activate()).environments;
  } catch {
    // The Python extension failed to start, so it offers no environments.
    return undefined;
  }
}

async function activeOfExtension(resource: vscode.Uri | undefined): Promise<Choice | undefined> {
  const api = await apiOfExtension();
  return api && resolved(api, api.getActiveEnvironmentPath(resource));
}

async function knownOfExtension(): Promise<Choice[]> {
  const api = await apiOfExtension();
  const known = await Promise.all((api?.known ?? []).slice(0, mostListed).map((one) => resolved(api!, one)));
  return known.filter((choice) => choice !== undefined);
}

async function resolved(api: PythonApi['environments'], path: unknown): Promise<Choice | undefined> {
  const found = await api.resolveEnvironment(path);
  if (found === undefined) return undefined;
  const { executable, environment, version } = found;
  const said: Environment = {
    executable: executable.uri?.fsPath,
    ...(environment === undefined
      ? {}
      : { type: environment.type, name: environment.name, folder: environment.folderUri.fsPath }),
  };
  const argv = ofEnvironment(said);
  if (argv === undefined) return undefined;
  const number = version?.major === undefined ? '' : ` ${version.major}.${version.minor ?? 0}`;
  return { label: `${environment?.name ?? 'Python'}${number}`, argv };
}

/** References to the workspace's Python files that define an evaluator. */
export async function pythonEvaluators(): Promise<string[]> {
  if (!vscode.workspace.isTrusted) return [];
  const files = await vscode.workspace.findFiles('**/*.py', notTheirs, 200);
  const looked = await Promise.all(
    files.map(async ({ scheme, fsPath }) => {
      if (scheme !== 'file' || (await stat(fsPath)).size > largestSource) return [];
      const source = (await readBounded(fsPath, largestSource)).toString('utf8');
      const is = /^(class|def) Evaluator\b/m.test(source) && /\bdef (embed_texts|score)\b/.test(source);
      return is ? [`python:${fsPath}:Evaluator`] : [];
    }),
  );
  return looked.flat().sort();
}

/** The workspace's PyTorch checkpoints, as evaluators. */
export async function checkpointEntries(reader: Reader): Promise<EvaluatorEntry[]> {
  if (!vscode.workspace.isTrusted) return [];
  const found = await vscode.workspace.findFiles(
    `**/*.{${weightEndings.join(',')}}`,
    notTheirs,
    mostCheckpoints,
  );
  const files = found.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  return files.length === 0 ? [] : reader.ask('checkpoints', { files: files.sort() });
}

/** Asks for the architecture of a checkpoint if Captious cannot recognise it. Undefined if the user cancels. */
export async function withArchitecture(entry: EvaluatorEntry): Promise<EvaluatorEntry | undefined> {
  if (!needsArchitecture(entry.id)) return entry;
  const chosen = await pick(
    knownArchitectures().map((label) => ({ label })),
    {
      title: vscode.l10n.t('Architecture of {0}', entry.name),
      placeHolder: vscode.l10n.t('Select the open_clip model that the weights belong to'),
      ignoreFocusOut: true,
    },
  );
  return chosen && { ...entry, id: namedArchitecture(entry.id, chosen.label) };
}
