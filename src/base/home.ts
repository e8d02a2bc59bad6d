import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where Captious keeps what outlives a run: models/, store/ and runs/. CAPTIOUS_HOME overrides it. */
export function homeFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CAPTIOUS_HOME) return env.CAPTIOUS_HOME;
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'captious');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'captious');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'captious');
}

/** Everything that was computed and may be computed again: embeddings, scores, hashes of files. */
export function storeFolder(home: string): string {
  return join(home, 'store');
}
