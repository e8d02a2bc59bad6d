import { resolve } from 'node:path';
import type * as commandLine from '../../../src/cli/main';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const bundle = resolve('dist/cli.js');
/** The built command line. Loaded once, because a process for each command takes longer than most commands. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- the bundle is CommonJS, and not part of the source
const { run } = require(bundle) as typeof commandLine;

let last: Promise<unknown> = Promise.resolve();

/** Runs a command with this home folder, after those before it, because they share the streams of this process. */
export function captious(home: string, ...args: string[]): Promise<Ended> {
  const ended = last.then(() => captured(home, args));
  last = ended.catch(() => undefined);
  return ended;
}

async function captured(home: string, args: readonly string[]): Promise<Ended> {
  const { stdin, stdout, stderr, env } = process;
  const before = { home: env.CAPTIOUS_HOME, terminal: stdin.isTTY, argv: process.argv };
  const restore = [stdout, stderr].map((stream) => {
    const { write, isTTY } = stream;
    return () => Object.assign(stream, { write, isTTY });
  });
  const written = [stdout, stderr].map((stream) => {
    const pieces: Uint8Array[] = [];
    const write = (piece: string | Uint8Array): boolean => pieces.push(Buffer.from(piece)) > 0;
    Object.assign(stream, { write, isTTY: false });
    return pieces;
  });
  env.CAPTIOUS_HOME = home;
  process.argv = [process.execPath, bundle, ...args];
  stdin.isTTY = false;
  try {
    const code = await run(args, new AbortController().signal);
    const [out, err] = written.map((pieces) => Buffer.concat(pieces).toString());
    return { code, out, err };
  } finally {
    env.CAPTIOUS_HOME = before.home;
    process.argv = before.argv;
    stdin.isTTY = before.terminal;
    for (const undo of restore) undo();
  }
}
