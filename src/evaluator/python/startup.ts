import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Fingerprints } from '../../base/files/fingerprints';
import { readBoundedSync } from '../../base/files/readFile';
import { inside, type Interpreter } from './interpreter';
import { isInside } from '../../base/files/isFile';

const isWindows = process.platform === 'win32';

/** The command, its file, and the hash of each file whose code runs when the interpreter starts. */
export interface Startup {
  argv: readonly string[];
  files: (readonly [path: string, sha256: string])[];
}

/**
 * What an interpreter runs before any script: its binary, its configuration, and in its site folders the `.pth` files
 * and customize modules. Reading does not start the interpreter.
 */
export async function startupOf({ argv }: Interpreter, fingerprints: Fingerprints): Promise<Startup> {
  const files = new Set<string>();
  for (const program of programsOf(argv)) {
    files.add(program);
    for (const file of startupFiles(program)) files.add(file);
  }
  for (const folder of (process.env.PYTHONPATH ?? '').split(delimiter))
    for (const file of customize(resolve(folder), false)) files.add(file);
  const hashes = [...files].sort().map(async (path) => [path, await fingerprints.sha256(path)] as const);
  return { argv, files: await Promise.all(hashes) };
}

/** Whether an interpreter is inside the working folder or one of `folders`, also by way of a link. */
export function isWithin({ argv, by }: Interpreter, folders: readonly string[]): boolean {
  const home = realOf(homedir());
  return programsOf(argv).some((program) =>
    [process.cwd(), ...folders].some((folder) => {
      // Folders that contain the home folder are not the folder of a dataset, except for ./.venv in them.
      if (by !== 'folder' && isInside(realOf(folder), home)) return false;
      return isInside(resolve(folder), program) || isInside(realOf(folder), realOf(program));
    }),
  );
}

/**
 * The file of a command: as given, or found on the PATH. Undefined if it does not exist. Windows would also search the
 * working folder, and an empty part of the PATH means the working folder on other systems.
 */
export function programOf(command: string): string | undefined {
  if (/[\\/]/.test(command)) return existsSync(command) ? resolve(command) : undefined;
  // Like Windows itself, this starts no script without naming its ending.
  const endings = isWindows ? ['', '.com', '.exe'] : [''];
  return (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => endings.map((ending) => resolve(folder, `${command}${ending}`)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The interpreter, and for `conda run` also conda itself. */
function programsOf(argv: readonly string[]): string[] {
  const [command, run, , option, environment] = argv;
  const program = programOf(command);
  if (program === undefined) return [];
  if (run !== 'run') return [program];
  const root = dirname(dirname(realOf(program)));
  const places =
    option === '-p'
      ? [environment]
      : environment === 'base'
        ? [root]
        : [root, join(homedir(), '.conda')].map((base) => join(base, 'envs', environment));
  const found = places.map((place) => inside(place)).find((path) => path !== undefined);
  return found === undefined ? [program] : [program, found];
}

function startupFiles(program: string): string[] {
  const real = realOf(program);
  // Without its link, the interpreter of a virtual environment would use the folders of the original installation.
  const roots = new Set([rootOf(program), rootOf(real)]);
  let version = /python(3\.\d+)/.exec(real)?.[1];
  const configs = [dirname(program), rootOf(program)]
    .map((folder) => join(folder, 'pyvenv.cfg'))
    .filter((path) => existsSync(path));
  for (const config of configs) {
    const said = readBoundedSync(config, 1 << 20).toString('utf8');
    const home = /^home\s*=(.*)$/m.exec(said)?.[1].trim();
    if (home !== undefined && isAbsolute(home)) roots.add(isWindows ? home : dirname(home));
    version = /^version(?:_info)?\s*=\s*(3\.\d+)/m.exec(said)?.[1] ?? version;
  }
  const sites = [...[...roots].flatMap((root) => siteFolders(root, version)), ...userSites(version)];
  return [
    ...configs,
    ...[program, real].flatMap((path) => listed(dirname(path), /\._pth$/)),
    ...[...roots].flatMap((root) => listed(join(root, 'etc', 'conda', 'activate.d'), /./)),
    ...sites.flatMap((folder) => customize(folder, true)),
  ];
}

function siteFolders(root: string, version: string | undefined): string[] {
  if (isWindows) return [root, join(root, 'Lib'), join(root, 'Lib', 'site-packages')];
  return ['lib', 'lib64', join('local', 'lib')].flatMap((lib) =>
    pythons(join(root, lib), version).flatMap((folder) => [
      folder,
      join(folder, 'site-packages'),
      join(folder, 'dist-packages'),
    ]),
  );
}

function userSites(version: string | undefined): string[] {
  const home = homedir();
  if (isWindows)
    return pythons(join(process.env.APPDATA ?? home, 'Python'), undefined).map((folder) =>
      join(folder, 'site-packages'),
    );
  return [
    ...pythons(join(home, '.local', 'lib'), version).map((folder) => join(folder, 'site-packages')),
    ...pythons(join(home, 'Library', 'Python'), undefined).map((folder) =>
      join(folder, 'lib', 'python', 'site-packages'),
    ),
  ];
}

/** The folders of Python versions. `python3` is a folder that Debian uses for every version. */
function pythons(folder: string, version: string | undefined): string[] {
  return names(folder)
    .filter((name) =>
      version === undefined ? /^(python)?3/i.test(name) : name === 'python3' || name === `python${version}`,
    )
    .map((name) => join(folder, name));
}

/** The modules `sitecustomize` and `usercustomize` of a folder, and in site folders also its `.pth` files. */
function customize(folder: string, isSite: boolean): string[] {
  const packages = ['sitecustomize', 'usercustomize'].map((name) => join(folder, name, '__init__.py'));
  return [
    ...listed(folder, isSite ? /^(site|user)customize\.|\.pth$/ : /^(site|user)customize\./),
    ...packages.filter((path) => existsSync(path)),
  ];
}

function listed(folder: string, form: RegExp): string[] {
  return names(folder)
    .filter((name) => form.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that does not exist or cannot be read runs nothing.
    return [];
  }
}

/** The folder of an environment, from the path of its interpreter. */
function rootOf(program: string): string {
  const folder = dirname(program);
  return isWindows && !/[\\/]Scripts$/i.test(folder) ? folder : dirname(folder);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
