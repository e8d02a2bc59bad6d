import type { Allow, Evaluator } from '../evaluator/evaluator';
import { needsConsentToRun } from '../evaluator/python/consent';
import { needsConsent } from '../evaluator/remote/consent';
import { openEvaluator, type OpenOptions } from '../evaluator/open';
import { type Call, text } from './arguments';
import { agreed } from './terminal';

/** Asks in the terminal for missing consent, and throws without it. `pairs`: the most that will be scored. */
export function allowing(yes: boolean, signal: AbortSignal, pairs?: number): Allow {
  return async (consent) => {
    if (consent.given) return;
    if (!(await agreed(consent.terms(pairs), yes, signal)))
      throw consent.runs ? needsConsentToRun(consent) : needsConsent(consent);
    await consent.give();
  };
}

/** Opens an evaluator, and asks for missing consent. `yes` is the option --yes, which grants consent. */
export async function openAsking(
  ref: string,
  options: OpenOptions & { signal: AbortSignal },
  yes: boolean,
): Promise<Evaluator> {
  const allow = allowing(yes, options.signal);
  const evaluator = await openEvaluator(ref, { ...options, allow });
  const { consent, info } = evaluator;
  if (consent === undefined) return evaluator;
  try {
    await allow(consent, info.scores);
    return evaluator;
  } catch (error) {
    await evaluator.close();
    throw error;
  }
}

/** Opens an evaluator with the interpreter and the consent that the command's options give. */
export function openFor(
  { values, signal }: Pick<Call, 'values' | 'signal'>,
  ref: string,
  options: Omit<OpenOptions, 'signal' | 'python'>,
): Promise<Evaluator> {
  const python = { asked: text(values, 'python') };
  return openAsking(ref, { ...options, signal, python }, values.yes === true);
}
