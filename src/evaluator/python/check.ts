import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { CaptiousError, messageOf } from '../../base/errors';
import { installFolder } from '../../base/install';
import { say } from '../../base/say';
import { list, nullable, object, record, type Shaped, text } from '../../base/shape';
import { findInterpreter, type InterpreterChoice } from './interpreter';

const shape = object({
  python: text,
  executable: text,
  packages: record(nullable(text)),
  devices: nullable(list(text)),
});

export type PythonSetup = Shaped<typeof shape> & { command: string; how: string };

/** Importing torch may take half a minute from a slow disk. */
const deadlineMs = 120_000;
const marker = 'captious ';

/** Finds the interpreter, packages and devices. */
export async function checkPython(choice: InterpreterChoice, signal?: AbortSignal): Promise<PythonSetup> {
  const { argv, how } = findInterpreter(choice);
  const script = join(installFolder(), 'python', 'captious', 'check.py');
  const command = argv.join(' ');
  const written = await new Promise<string>((resolve, reject) => {
    execFile(
      argv[0],
      [...argv.slice(1), script],
      {
        timeout: deadlineMs,
        maxBuffer: 1 << 20,
        windowsHide: true,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(
            new CaptiousError('usage', say`Python cannot be started: ${command}.`, {
              at: stderr.trim().split('\n').at(-1) || messageOf(error).split('\n')[0],
              remedy: say`Name another interpreter with --python, or in the setting captious.python.`,
              cause: error,
            }),
          );
      },
    );
  });
  // Packages may print during import.
  const line = written.split(/\r?\n/).find((one) => one.startsWith(marker));
  if (line === undefined) throw new Error(`${command} did not answer.`);
  return { ...shape(JSON.parse(line.slice(marker.length)), ''), command, how };
}
