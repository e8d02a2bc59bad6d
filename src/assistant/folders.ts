/* The folders that assistants may read and write. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { actionable, CaptiousError, inputError } from '../base/errors';
import { say } from '../base/say';

const mostPath = 4096;

interface Root {
  /** As the user named it, but absolute. */
  named: string;
  /** Without links. */
  real: string;
}

/** Accepts only paths that stay inside the user's folders after all links are resolved. */
export class Folders {
  private constructor(readonly roots: readonly Root[]) {}

  static async open(named: readonly string[]): Promise<Folders> {
    const roots: Root[] = [];
    for (const folder of named) {
      const real = await realpath(folder).catch((error: unknown) => {
        throw actionable(error, folder);
      });
      if (!(await stat(real)).isDirectory())
        throw new CaptiousError('usage', say('assistant.expectedFolder'), { at: folder });
      roots.push({ named: resolve(folder), real });
    }
    return new Folders(roots);
  }

  /** The real path of an existing file or folder. */
  async existing(given: string, what: 'file' | 'folder'): Promise<string> {
    for (const path of this.candidates(given)) {
      const real = await realOf(path, given);
      if (real === undefined) continue;
      if (this.rootOf(real) === undefined) throw this.outside(given);
      const found = await stat(real);
      if (what === 'file' ? found.isFile() : found.isDirectory()) return real;
      throw new CaptiousError(
        'input',
        what === 'file' ? say('assistant.notRegularFile') : say('assistant.expectedFolder'),
        { at: given },
      );
    }
    throw inputError(say('base.pathMissing'), say('assistant.choosePathInside', this.names), given);
  }

  /** The real path of a folder that may not exist yet. A relative path starts in `root`. */
  async target(given: string, root: string): Promise<string> {
    const [path] = this.candidates(given, [root]);
    const rest: string[] = [];
    for (let at = path; ; at = dirname(at)) {
      const real = await realOf(at, given);
      if (real !== undefined) {
        if (this.rootOf(real) === undefined) throw this.outside(given);
        return join(real, ...rest);
      }
      // A link to nothing has no real path. Writing through it would create a file elsewhere.
      const isLink = await lstat(at).then(
        () => true,
        () => false,
      );
      if (isLink || dirname(at) === at) throw this.outside(given);
      rest.unshift(relative(dirname(at), at));
    }
  }

  /** The real root of a real path; undefined if the path is outside. */
  rootOf(real: string): string | undefined {
    return this.roots.find((root) => isWithin(root.real, real))?.real;
  }

  get names(): string {
    return this.roots.map(({ named }) => named).join(', ');
  }

  private outside(given: string): CaptiousError {
    return new CaptiousError('usage', say('assistant.notInOpenFolder'), {
      ...(given === '' ? {} : { at: given.slice(0, 200) }),
      remedy: say('assistant.choosePathWithoutDots', this.names),
    });
  }

  /** The paths that a text may name. Nothing outside the folders is touched, because a path may name a server. */
  private candidates(given: string, starts = this.roots.map(({ real }) => real)): string[] {
    const isStrange =
      given === '' || given.length > mostPath || given.includes('\0') || given.split(/[\\/]/).includes('..');
    const paths = isStrange
      ? []
      : isAbsolute(given)
        ? [resolve(given)]
        : starts.map((from) => resolve(from, given));
    const inside = paths.filter((path) =>
      this.roots.some(({ named, real }) => isWithin(named, path) || isWithin(real, path)),
    );
    if (inside.length === 0) throw this.outside(given);
    return inside;
  }
}

async function realOf(path: string, given: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw actionable(error, given);
  }
}

/** On Windows, `relative` ignores the case, as the file system does. */
function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
