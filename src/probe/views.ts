import { views } from './generated/views';
import { plainView } from './plainView';
import type { ProbeView } from './view';

/** How the reports of a probe are shown; those of a probe that this version lacks are shown as they are. */
export function viewFor(probe: string): ProbeView {
  return views.find(({ id }) => id === probe) ?? plainView(probe);
}
