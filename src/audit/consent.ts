import type { Evaluator } from '../evaluator/evaluator';
import { needsConsent } from '../evaluator/judge/judge';
import { probeNamed } from '../probe/list';
import { distinctWants, type VariantsRequest } from './variants';

interface Request extends Omit<VariantsRequest, 'probe' | 'kinds' | 'out' | 'options'> {
  probes: readonly string[];
  options?: Readonly<Record<string, VariantsRequest['options']>>;
  consent?: (terms: string) => Promise<boolean>;
}

/** Asks for leave to use endpoints that have not been used before, saying what the audit would come to. */
export async function askConsent(request: Request, evaluators: readonly Evaluator[]): Promise<void> {
  for (const { info, consent } of evaluators) {
    if (consent === undefined || consent.given) continue;
    const keys = new Set<string>();
    for (const probe of new Set(request.probes)) {
      if (probeNamed(probe).mode !== 'pairs') continue;
      const options = request.options?.[probe];
      for await (const { key } of distinctWants({ ...request, probe, kinds: info.scores, options }))
        keys.add(key);
    }
    const given = await request.consent?.(consent.terms(keys.size));
    if (!given) throw needsConsent(consent);
    await consent.give();
  }
}
