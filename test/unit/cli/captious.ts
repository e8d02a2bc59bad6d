import { spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command line with this home folder. */
export async function captious(home: string, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    env: { ...process.env, CAPTIOUS_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, out, err };
}
