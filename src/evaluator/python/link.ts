import { type ChildProcess, spawn } from 'node:child_process';
import type { Link } from '../../base/childProcess';
import { FrameReader, framed } from './frames';

/** Processes left by a worker may hold its standard error open; after this long it is ignored. */
const lastWordsMs = 500;
const isWindows = process.platform === 'win32';

/** A Python process that exchanges frames over standard input and output. */
export function pythonLink(argv: readonly string[], env: NodeJS.ProcessEnv): Link {
  const child = spawn(argv[0], argv.slice(1), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
    windowsHide: true,
    // Its own group: processes that the user's code starts end with it, and Ctrl+C does not reach it.
    detached: !isWindows,
  });
  const { stdin, stdout, stderr } = child;
  // The end of the process is reported on close.
  stdin.on('error', () => undefined);
  child.once('exit', () => {
    killGroup(child);
    setTimeout(() => stderr.destroy(), lastWordsMs).unref();
  });
  return {
    process: child,
    send: (message) => {
      if (!stdin.writable) return;
      stdin.cork();
      for (const piece of framed(message)) stdin.write(piece);
      stdin.uncork();
    },
    listen: (receive, broken) => {
      const reader = new FrameReader(receive);
      stdout.on('data', (piece: Buffer) => {
        try {
          reader.add(piece);
        } catch (error) {
          stdout.destroy();
          broken(error as Error);
        }
      });
    },
    kill: () => {
      // Behind a wrapper such as conda, the worker only sees the end of the pipe.
      stdin.destroy();
      killGroup(child);
      child.kill('SIGKILL');
    },
    leave: () => stdin.end(),
    hold: (change) => {
      child[change]();
      for (const pipe of [stdin, stdout, stderr])
        (pipe as Partial<Record<'ref' | 'unref', () => void>>)[change]?.();
    },
  };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}
