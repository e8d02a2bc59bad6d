import { views } from '../probe/generated/views';
import { plainView } from '../probe/plainView';
import type { ProbeView } from '../probe/view';

/** How the reports of a probe are shown; those of a probe that this version lacks are shown as they are. */
export function viewFor(probe: string): ProbeView {
  return views.find(({ id }) => id === probe) ?? plainView(probe);
}
