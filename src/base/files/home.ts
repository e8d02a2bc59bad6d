import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../errors';
import { say } from '../say';

/** The folder for what is kept between runs: models/, store/, runs/. CAPTIOUS_HOME overrides the default. */
export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CAPTIOUS_HOME) return resolve(env.CAPTIOUS_HOME);
  if (process.platform === 'win32')
    return join(absolute(env.LOCALAPPDATA) ?? join(userHome(), 'AppData', 'Local'), 'captious');
  if (process.platform === 'darwin') return join(userHome(), 'Library', 'Application Support', 'captious');
  return join(absolute(env.XDG_DATA_HOME) ?? join(userHome(), '.local', 'share'), 'captious');
}

/** The folder for data that can be recomputed, such as embeddings, scores and file hashes. */
export function storeFolder(home: string): string {
  return join(home, 'store');
}

/** The user's home folder. Throws if the user has none, as in some containers. */
export function userHome(): string {
  const found = findUserHome();
  if (found !== undefined) return found;
  throw usageError(say('base.noHomeFolder'), say('base.setWritableHome'), 'HOME');
}

export function findUserHome(): string | undefined {
  return absolute(tryTo(homedir)) ?? absolute(tryTo(() => userInfo().homedir));
}

/** The user's name, or undefined if the system does not know the user. */
export function userName(): string | undefined {
  return tryTo(() => userInfo().username);
}

/** Returns undefined for relative and empty paths, which the XDG specification says to ignore. */
export function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

export function tryTo(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
