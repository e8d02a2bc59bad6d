import { chooseFrom } from '../../../base/text/nearest';
import { usageError } from '../../../base/errors';
import { say } from '../../../base/say';
import { type Entry, inOrder } from '../entry';
import type { Layout } from '../layout';
import { autoLayout } from './auto';
import { benchmarkLayout } from './benchmark';
import { choiceLayouts } from './choice';
import { exploitLayouts } from './exploit';
import { invarianceLayouts } from './invariance';
import { lgipLayouts } from './lgip';
import { prsmLayouts } from './prsm';
import { rococoLayouts } from './rococo';
import { vislaLayouts } from './visla';

export const tableLayouts: readonly Layout[] = [
  ...lgipLayouts,
  ...exploitLayouts,
  ...vislaLayouts,
  ...rococoLayouts,
  ...prsmLayouts,
  ...invarianceLayouts,
  ...choiceLayouts,
  benchmarkLayout,
];

/** The layout with this id. The id "auto" means one layout per probe of the reports. */
export function layoutsNamed(name: string, entries: readonly Entry[]): Layout[] {
  const probes = inOrder(entries, ({ report }) => report.probe);
  if (name === 'auto')
    return probes.map((probe) => (probe === benchmarkLayout.probe ? benchmarkLayout : autoLayout(probe)));
  const found = tableLayouts.find(({ id }) => id === name);
  if (found === undefined)
    throw usageError(
      say('paper.layoutUnknown', name),
      chooseFrom(name, ['auto', ...tableLayouts.map(({ id }) => id)]),
    );
  if (!probes.includes(found.probe))
    throw usageError(
      say('paper.layoutOfOtherProbe', name, found.probe),
      say('paper.listProbesOfReports', probes.join(', ')),
    );
  return [found];
}
