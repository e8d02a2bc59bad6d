import type { Consent } from '../evaluator/evaluator';
import type { WantKind } from '../protocol/item';
import { needsConsent } from '../evaluator/remote/consent';
import { needsConsentToRun } from '../evaluator/python/consent';
import { wantKey } from '../evaluator/wantKey';
import { probeNamed } from '../probe/list';
import { needsSpread } from './spread/spread';
import { mismatchedWants } from './spread/wants';
import type { AuditRequest } from './request';
import { distinctWants, type VariantsRequest } from './scoring/distinctWants';

interface Request extends Omit<VariantsRequest, 'probe' | 'kinds' | 'out' | 'options'> {
  probes: readonly string[];
  spread?: boolean;
  options?: Readonly<Record<string, VariantsRequest['options']>>;
  consent?: AuditRequest['consent'];
}

/** Asks the user for consent to run code, or to send a stated number of pairs to a new endpoint. */
export async function askConsent(
  request: Request,
  consent: Consent | undefined,
  kinds: readonly WantKind[],
): Promise<void> {
  if (consent === undefined || consent.given) return;
  if (consent.runs) {
    if (!(await request.consent?.(consent.terms(), true, consent.endpoint))) throw needsConsentToRun(consent);
    await consent.give();
    return;
  }
  const keys = new Set<string>();
  let following = 0;
  const onExample = (_: unknown, more = 0): void => void (following += more);
  for (const probe of new Set(request.probes)) {
    if (probeNamed(probe).mode !== 'pairs') continue;
    const options = request.options?.[probe];
    for await (const { key } of distinctWants({ ...request, probe, kinds, options }, {}, onExample))
      keys.add(key);
  }
  if (request.probes.some((probe) => needsSpread(probeNamed(probe), request)))
    for (const want of await mismatchedWants(request, kinds)) keys.add(wantKey(want));
  const given = await request.consent?.(consent.terms(keys.size + following), false, consent.endpoint);
  if (!given) throw needsConsent(consent);
  await consent.give();
}
