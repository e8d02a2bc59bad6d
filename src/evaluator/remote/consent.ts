import type { CaptiousError } from '../../base/errors';
import { usageError } from '../../base/errors';
import { say } from '../../base/say';
import type { Consent } from '../evaluator';
import { JudgeMemory } from '../judge/judgeMemory';

/** The user's consent to send data to an endpoint. Captious asks for it once per endpoint. */
export async function consentTo(endpoint: string, home: string): Promise<Consent> {
  const memory = new JudgeMemory(home);
  let given = await memory.consented(endpoint);
  return {
    endpoint,
    get given() {
      return given;
    },
    terms: (pairs) =>
      pairs === undefined
        ? say('remote.termsAll', endpoint)
        : say('remote.termsPairs', pairs.toLocaleString('en'), endpoint),
    give: async () => {
      given = true;
      await memory.consent(endpoint);
    },
  };
}

export function needsConsent({ endpoint }: { endpoint: string }): CaptiousError {
  return usageError(say('remote.consentMissing'), say('remote.allowRequests'), endpoint);
}
