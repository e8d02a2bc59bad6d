import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { withoutEnd } from '../../base/text/ends';

/** The environment variable that names an interpreter. */
export const pythonVariable = 'CAPTIOUS_PYTHON';

export interface Interpreter {
  /** The command that runs a script, without the script's path. */
  argv: readonly string[];
  /** How the interpreter was found, in words. */
  how: Words;
  /** What named it. `user`: --python, a setting, the editor or CAPTIOUS_PYTHON. `folder`: ./.venv exists. */
  by: 'user' | 'file' | 'environment' | 'folder' | 'path';
}

export interface InterpreterChoice {
  /** The interpreter that the user chose for this run. It takes precedence over all others. */
  asked?: string;
  /** The evaluator file's interpreter. */
  file?: string;
  /** The editor's interpreter, for example from its setting or the active environment. */
  usual?: readonly string[];
}

interface Surroundings {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  cwd: string;
  exists: (path: string) => boolean;
  isFolder: (path: string) => boolean;
}

const here: () => Surroundings = () => ({
  env: process.env,
  platform: process.platform,
  cwd: process.cwd(),
  exists: existsSync,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
});

/**
 * Returns the interpreter chosen for the run, or else that of the evaluator file, the editor, CAPTIOUS_PYTHON, the
 * active environment or ./.venv, in this order. If there is no such interpreter, python3 (on Windows, py -3).
 */
export function findInterpreter(
  { asked, file, usual }: InterpreterChoice,
  surroundings: Surroundings = here(),
): Interpreter {
  const { env, platform, cwd, exists } = surroundings;
  const windows = platform === 'win32';
  if (asked !== undefined)
    return { argv: named(asked, surroundings), how: say('python.fromSetting'), by: 'user' };
  if (file !== undefined)
    return { argv: named(file, surroundings), how: say('python.fromEvaluatorFile'), by: 'file' };
  if (usual !== undefined && usual.length > 0)
    return { argv: usual, how: say('python.selectedInEditor'), by: 'user' };
  const variable = env[pythonVariable];
  if (variable !== undefined && variable !== '')
    return {
      argv: named(variable, surroundings),
      how: say('python.fromVariable', pythonVariable),
      by: 'user',
    };
  for (const name of ['VIRTUAL_ENV', 'CONDA_PREFIX'] as const) {
    const folder = env[name];
    if (folder === undefined || folder === '') continue;
    const found = inside(folder, surroundings);
    if (found !== undefined)
      return { argv: [found], how: say('python.fromVariable', name), by: 'environment' };
  }
  const local = join(cwd, '.venv');
  const found = exists(local) ? inside(local, surroundings) : undefined;
  if (found !== undefined) return { argv: [found], how: say('python.fromVariable', './.venv'), by: 'folder' };
  return { argv: windows ? ['py', '-3'] : ['python3'], how: say('python.onPath'), by: 'path' };
}

/** The command for `given`: a command, a path to Python, an environment's folder, or `conda:NAME`. */
export function named(given: string, surroundings: Surroundings = here()): string[] {
  const { env, cwd, platform, isFolder } = surroundings;
  if (given.startsWith('conda:')) {
    const name = given.slice('conda:'.length);
    const byPath = /[\\/]/.test(name);
    return [
      env.CONDA_EXE ?? (platform === 'win32' ? 'conda.exe' : 'conda'),
      'run',
      '--no-capture-output',
      byPath ? '-p' : '-n',
      byPath ? fromHere(name, cwd) : name,
      'python',
    ];
  }
  const path = fromHere(given, cwd);
  // A name is a command, unless it is the folder of an environment, for example `.venv`.
  const isName = !/[\\/]/.test(given) && given !== '.' && given !== '~';
  if (isName && !(isFolder(path) && inside(path, surroundings) !== undefined)) return [given];
  if (!isFolder(path)) return [path];
  const found = inside(path, surroundings);
  if (found !== undefined) return [found];
  throw usageError(say('python.folderWithoutInterpreter'), say('python.nameInterpreter'), path);
}

function fromHere(path: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return join(homedir(), path.slice(2));
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** The interpreter in the folder of an environment; undefined if it does not exist. */
export function inside(
  folder: string,
  { platform, exists }: Pick<Surroundings, 'platform' | 'exists'> = here(),
): string | undefined {
  const places = platform === 'win32' ? ['Scripts\\python.exe', 'python.exe'] : ['bin/python', 'bin/python3'];
  return places
    .map((place) => `${withoutEnd(folder, /[\\/]/)}${platform === 'win32' ? '\\' : '/'}${place}`)
    .find(exists);
}

/** An environment as VS Code's Python extension describes it. */
export interface Environment {
  executable?: string | undefined;
  type?: string | undefined;
  name?: string | undefined;
  folder?: string | undefined;
}

/**
 * The command that starts an environment's Python; undefined if it has no Python. On Windows, conda must
 * prepare its environments before Python starts.
 */
export function ofEnvironment(
  { executable, type, folder }: Environment,
  { env, platform }: Pick<Surroundings, 'env' | 'platform'> = here(),
): string[] | undefined {
  if (executable === undefined) return undefined;
  if (type !== 'Conda' || platform !== 'win32' || folder === undefined) return [executable];
  return [env.CONDA_EXE ?? 'conda.exe', 'run', '--no-capture-output', '-p', folder, 'python'];
}
