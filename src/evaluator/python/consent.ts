import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { Consent } from '../evaluator';
import { JudgeMemory } from '../judge/judgeMemory';
import type { Interpreter } from './interpreter';
import { type PythonSaid } from './reference';

/** The user's consent to run code. A different path, content, argument or interpreter needs a new consent. */
export async function consentToRun(
  { file, object, adapter, args }: PythonSaid,
  sha256: string | undefined,
  { argv }: Interpreter,
  home: string,
): Promise<Consent> {
  const memory = new JudgeMemory(home);
  const hash = createHash('sha256')
    .update(JSON.stringify([file ?? null, sha256 ?? null, object ?? null, adapter ?? null, args, argv]))
    .digest('hex');
  const name = `python ${file === undefined ? adapter! : basename(file)} ${hash}`;
  let given = await memory.consented(name);
  const command = argv.join(' ');
  return {
    endpoint: file ?? adapter!,
    runs: true,
    get given() {
      return given;
    },
    terms: () =>
      file === undefined
        ? `${command} will load ${JSON.stringify(args)} with ${adapter}, on this computer and with your rights.`
        : `${command} will run ${file}${Object.keys(args).length === 0 ? '' : ` with ${JSON.stringify(args)}`}, ` +
          'and the code that it imports, on this computer and with your rights.',
    give: async () => {
      given = true;
      await memory.consent(name);
    },
  };
}

export function needsConsentToRun({ endpoint }: Consent): CaptiousError {
  return new CaptiousError(
    'usage',
    say`The Python code of this evaluator was not run, because it needs your consent.`,
    {
      at: endpoint,
      remedy: say`Run again, and allow the code when Captious asks. On the command line without a terminal, use --yes. Captious asks again when the code, its arguments or the interpreter changes.`,
    },
  );
}
