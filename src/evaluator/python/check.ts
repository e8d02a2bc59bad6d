import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { english } from '../../base/english';
import { say } from '../../base/say';
import { list, nullable, object, record, type Shaped, text } from '../../base/shape';
import type { Allow } from '../evaluator';
import { mayStart } from './consent';
import { findInterpreter, type InterpreterChoice } from './interpreter';
import { runScript } from './script';

const shape = object({
  python: text,
  executable: text,
  packages: record(nullable(text)),
  devices: nullable(list(text)),
  /** The versions of torch and torchvision, and a command that mends them, if they do not work together. */
  mismatch: nullable(list(text)),
});

export type PythonSetup = Shaped<typeof shape> & { command: string; how: string };

/** The time limit. Importing torch from a slow disk can take half a minute. */
const deadlineMs = 120_000;

/** Finds the interpreter, packages and devices. */
export async function checkPython(
  choice: InterpreterChoice,
  { home = homeFolder(), allow, signal }: { home?: string; allow?: Allow; signal?: AbortSignal } = {},
): Promise<PythonSetup> {
  const interpreter = findInterpreter(choice);
  await mayStart(interpreter, [], { home, fingerprints: new Fingerprints(storeFolder(home)), allow });
  const command = interpreter.argv.join(' ');
  const failed = say('python.checkFailed', command);
  const found = await runScript(interpreter, 'check.py', [], { deadlineMs, signal, failed });
  return { ...shape(found, ''), command, how: english(interpreter.how) };
}
