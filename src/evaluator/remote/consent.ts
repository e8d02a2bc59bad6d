import type { Consent, Evaluator } from '../evaluator';
import { needsConsent } from '../judge/judge';
import { JudgeMemory } from '../judge/judgeMemory';

/** What leaves this machine leaves it with the person's leave, asked once per endpoint. */
export async function withConsent(evaluator: Evaluator, endpoint: string, home: string): Promise<Evaluator> {
  const memory = new JudgeMemory(home);
  let given = await memory.consented(endpoint);
  const { embedTexts, embedImages } = evaluator;
  const consent: Consent = {
    endpoint,
    get given() {
      return given;
    },
    terms: (pairs) =>
      `${endpoint} would be sent the texts and pictures of up to ${pairs} pairs, to encode them there.`,
    give: async () => {
      given = true;
      await memory.consent(endpoint);
    },
  };
  const ask = (): void => {
    if (!given) throw needsConsent(consent);
  };
  return Object.assign(evaluator, {
    consent,
    ...(embedTexts === undefined
      ? {}
      : {
          embedTexts: async (...call: Parameters<typeof embedTexts>) => {
            ask();
            return embedTexts(...call);
          },
        }),
    ...(embedImages === undefined
      ? {}
      : {
          embedImages: async (...call: Parameters<typeof embedImages>) => {
            ask();
            return embedImages(...call);
          },
        }),
  });
}
