import { benchmarkView } from './benchmark/view';
import { views } from './generated/views';
import { importedView } from './imported/view';
import { plainView } from './plainView';
import type { ProbeView } from './view';

/** The views of all reports: of the probes, of what is measured without an evaluator, and of logs of other programs. */
export const reportViews: readonly ProbeView[] = [...views, benchmarkView, importedView];

/** A probe's view, or a plain view for an unknown probe. */
export function viewFor(probe: string): ProbeView {
  return reportViews.find(({ id }) => id === probe) ?? plainView(probe);
}
