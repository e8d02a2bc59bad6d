import { views } from './generated/views';
import { plainView } from './plainView';
import type { ProbeView } from './view';

/** A probe's view, or a plain view for an unknown probe. */
export function viewFor(probe: string): ProbeView {
  return views.find(({ id }) => id === probe) ?? plainView(probe);
}
