import { basename } from 'node:path';
import { sha256Of } from '../../base/files/sha256';
import type { CaptiousError } from '../../base/errors';
import { usageError } from '../../base/errors';
import type { Fingerprints } from '../../base/files/fingerprints';
import { say, type Words } from '../../base/say';
import type { Allow, Consent } from '../evaluator';
import { JudgeMemory } from '../judge/judgeMemory';
import type { Interpreter } from './interpreter';
import { type PythonSaid } from './reference';
import { isWithin, startupOf } from './startup';

/** A consent to run code, remembered by a name that holds everything that it is bound to. */
export async function storedConsent(
  memory: JudgeMemory,
  name: string,
  endpoint: string,
  terms: () => Words,
): Promise<Consent> {
  let given = await memory.consented(name);
  return {
    endpoint,
    runs: true,
    get given() {
      return given;
    },
    terms,
    give: async () => {
      given = true;
      await memory.consent(name);
    },
  };
}

export interface ConsentOptions {
  home: string;
  fingerprints: Fingerprints;
  allow?: Allow | undefined;
}

/** Asks for consent to run code that a file or the editor named. The consent includes the interpreter. */
export async function mayRun(
  { file, object, adapter, args }: PythonSaid,
  sha256: string | undefined,
  interpreter: Interpreter,
  { home, fingerprints, allow }: ConsentOptions,
): Promise<void> {
  const startup = await startupOf(interpreter, fingerprints);
  const bound = [file ?? null, sha256 ?? null, object ?? null, adapter ?? null, args, startup];
  const name = `python ${file === undefined ? adapter! : basename(file)} ${sha256Of(bound)}`;
  const command = interpreter.argv.join(' ');
  await needed(
    await storedConsent(new JudgeMemory(home), name, file ?? adapter!, () =>
      file === undefined
        ? say('python.termsAdapter', command, JSON.stringify(args), adapter!)
        : Object.keys(args).length === 0
          ? say('python.termsFile', command, file)
          : say('python.termsFileWith', command, file, JSON.stringify(args)),
    ),
    allow,
  );
}

/**
 * Asks for consent to start an interpreter that is inside the working folder or one of `folders`, unless the user
 * named it. Whoever made such a folder also chose what its interpreter runs.
 */
export async function mayStart(
  interpreter: Interpreter,
  folders: readonly string[],
  { home, fingerprints, allow }: ConsentOptions,
): Promise<void> {
  if (interpreter.by === 'user' || !isWithin(interpreter, folders)) return;
  const startup = await startupOf(interpreter, fingerprints);
  const [command] = interpreter.argv;
  await needed(
    await storedConsent(
      new JudgeMemory(home),
      `interpreter ${basename(command)} ${sha256Of(startup)}`,
      command,
      () => say('python.termsInterpreter', interpreter.argv.join(' '), interpreter.how),
    ),
    allow,
  );
}

async function needed(consent: Consent, allow: Allow | undefined): Promise<void> {
  if (!consent.given) await allow?.(consent, []);
  if (!consent.given) throw needsConsentToRun(consent);
}

export function needsConsentToRun({ endpoint }: Consent): CaptiousError {
  return usageError(say('python.consentNeeded'), say('python.allowCode'), endpoint);
}
