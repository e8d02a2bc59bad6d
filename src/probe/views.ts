import { views } from './generated/views';
import { plainView } from './plainView';
import type { ProbeView } from './view';

/** The view of a probe, or a plain view if this version does not know the probe. */
export function viewFor(probe: string): ProbeView {
  return views.find(({ id }) => id === probe) ?? plainView(probe);
}
