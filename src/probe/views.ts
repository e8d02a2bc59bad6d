import { views } from './generated/views';
import { plainView } from './plainView';
import type { ProbeView } from './view';

/** The view of a probe; a plain view for a probe that this version does not know. */
export function viewFor(probe: string): ProbeView {
  return views.find(({ id }) => id === probe) ?? plainView(probe);
}
