import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { CaptiousError, messageOf, usageError } from '../../base/errors';
import { installFolder } from '../../base/install';
import { say, type Words } from '../../base/say';
import type { Interpreter } from './interpreter';
import { programOf } from './startup';

const marker = 'captious ';
const mostOutput = 64 << 20;

/** Runs a script of python/captious. Returns the JSON that the script prints after `marker`. */
export async function runScript(
  { argv }: Interpreter,
  name: string,
  args: readonly string[],
  { deadlineMs, signal, failed }: { deadlineMs: number; signal?: AbortSignal; failed: Words },
): Promise<unknown> {
  const script = join(installFolder(), 'python', 'captious', name);
  const command = argv.join(' ');
  const written = await new Promise<string>((resolve, reject) => {
    execFile(
      programOf(argv[0]) ?? argv[0],
      [...argv.slice(1), script, ...args],
      {
        timeout: deadlineMs,
        maxBuffer: mostOutput,
        windowsHide: true,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(
            signal?.reason instanceof CaptiousError
              ? signal.reason
              : usageError(
                  typeof error.code === 'string' ? say('python.notStarted', command) : failed,
                  say('python.nameOtherInterpreter'),
                  stderr.trim().split('\n').at(-1) || messageOf(error).split('\n')[0],
                  error,
                ),
          );
      },
    );
  });
  // Imported packages may print other lines.
  const line = written.split(/\r?\n/).findLast((one) => one.startsWith(marker));
  if (line === undefined) throw new Error(`${command} did not answer.`);
  return JSON.parse(line.slice(marker.length));
}
