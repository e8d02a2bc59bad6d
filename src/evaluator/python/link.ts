import { type ChildProcess, spawn } from 'node:child_process';
import type { Link } from '../../base/childProcess';
import { evaluatorError } from '../../base/errors';
import { say } from '../../base/say';
import { FrameReader, framed } from './frames';

/** Milliseconds to read standard error after the worker's end: its children may keep the pipe open. */
const lastWordsMs = 500;
const isWindows = process.platform === 'win32';

/** A Python process that exchanges frames over standard input and output. */
export function pythonLink(argv: readonly string[], env: NodeJS.ProcessEnv): Link {
  const child = spawn(argv[0], argv.slice(1), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
    windowsHide: true,
    // Except on Windows, the worker has its own process group. Its child processes can then be killed with it,
    // and Ctrl+C does not reach it.
    detached: !isWindows,
  });
  const { stdin, stdout, stderr } = child;
  // Nothing to do, because the child's exit event reports that the process ended.
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
      // A worker that a wrapper such as conda started may not get the signal, but it notices the end of its
      // input.
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
    // The process group has already ended.
  }
}

/** The environment variable with the port and the token of the Python process that holds live evaluators. */
const variable = 'CAPTIOUS_LIVE';

/** The script that connects to a live evaluator, with its arguments. */
export function bridgeTo(name: string): [script: string, name: string] {
  if ((process.env[variable] ?? '') !== '') return ['bridge.py', name];
  throw evaluatorError(say('python.liveObjectGone'), say('python.auditFromPythonAgain'), `live:${name}`);
}
