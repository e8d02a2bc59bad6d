import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { Script } from '../../protocol/python';
import type { Allow } from '../evaluator';
import { JudgeMemory } from '../judge/judgeMemory';
import { needsConsentToRun, storedConsent } from './consent';

const prefix = 'script ';

/** A TorchScript archive that an adapter has not loaded, because the user has not allowed its code. */
export class ScriptFound extends CaptiousError {
  constructor(readonly script: Script) {
    super('usage', say('python.weightsContainCode'), {
      at: script.path,
      remedy: say('python.allowCodeSaveTensors'),
    });
  }
}

/** Runs `act` with the hashes of the allowed archives. Asks for consent to each further archive that `act` finds. */
export async function withScripts<T>(
  home: string,
  allow: Allow | undefined,
  act: (scripts: readonly string[]) => Promise<T>,
): Promise<T> {
  const memory = new JudgeMemory(home);
  const scripts = (await memory.consents(prefix)).map((name) => name.slice(prefix.length));
  for (;;) {
    try {
      return await act(scripts);
    } catch (error) {
      if (!(error instanceof ScriptFound) || scripts.includes(error.script.sha256)) throw error;
      const { path, sha256 } = error.script;
      const consent = await storedConsent(memory, `${prefix}${sha256}`, path, () =>
        say('python.termsScript', path, sha256),
      );
      if (!consent.given) await allow?.(consent, []);
      if (!consent.given) throw needsConsentToRun(consent);
      scripts.push(sha256);
    }
  }
}
