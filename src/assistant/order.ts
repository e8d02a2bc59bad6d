/* Which probes and evaluators an assistant's audit uses. */
import { CaptiousError, inputError, usageError } from '../base/errors';
import { say } from '../base/say';
import type { DatasetPreview } from '../protocol/service';
import { naturalProbe } from '../service/naturalProbe';

/** The probes that an assistant requests, or the one that fits the file best. */
export function probesFor(
  preview: DatasetPreview | null,
  wanted: readonly string[] | undefined,
  at: string,
): string[] {
  if (preview === null) throw inputError(say('assistant.notDataset'), say('assistant.chooseDataset'), at);
  if (preview.probes.length === 0)
    throw new CaptiousError('input', say('assistant.noProbe', preview.readsAs), { at });
  return among(
    preview.probes.map(({ id }) => id),
    wanted ?? [naturalProbe(preview).id],
  );
}

/** Throws if an id is not known. An assistant can use only evaluators that the user installed, named or selected. */
export function among(known: readonly string[], wanted: readonly string[]): string[] {
  const unknown = wanted.find((id) => !known.includes(id));
  if (unknown === undefined && wanted.length > 0) return [...wanted];
  throw usageError(
    say('assistant.probeUnavailable', unknown ?? ''),
    say('assistant.availableProbes', known.join(', ')),
  );
}
