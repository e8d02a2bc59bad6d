import type { DatasetPreview } from '../protocol/service';

/** The probe to suggest: if possible, a probe for exactly this form of dataset, otherwise a probe that can run. */
export function naturalProbe({ probes }: Pick<DatasetPreview, 'probes'>): DatasetPreview['probes'][number] {
  const ready = probes.filter((probe) => probe.ready);
  return ready.find(({ natural }) => natural) ?? ready.at(0) ?? probes[0];
}
