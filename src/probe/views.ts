/*
 * The views load with the first use, because they build the schemas of all rows, and the editor starts earlier without
 * them.
 */
import type * as Benchmark from './benchmark/view';
import type * as Own from './generated/views';
import type * as Imported from './imported/view';
import type * as Plain from './plainView';
import type { ProbeView } from './view';

/* eslint-disable @typescript-eslint/no-require-imports */
let loaded: readonly ProbeView[] | undefined;

/** The views of all reports: of the probes, of what is measured without an evaluator, and of logs of other programs. */
export function reportViews(): readonly ProbeView[] {
  return (loaded ??= [
    ...(require('./generated/views') as typeof Own).views,
    (require('./benchmark/view') as typeof Benchmark).benchmarkView,
    (require('./imported/view') as typeof Imported).importedView,
  ]);
}

/** A probe's view, or a plain view for an unknown probe. */
export function viewFor(probe: string): ProbeView {
  const view = reportViews().find(({ id }) => id === probe);
  return view ?? (require('./plainView') as typeof Plain).plainView(probe);
}
