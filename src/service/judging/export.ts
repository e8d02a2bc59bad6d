import { readReport } from '../../report/report';
import type { JudgedParts } from '../../report/export/judgments';
import type { Row } from '../../probe/metric';
import type { CheckItem } from '../../sessions/check';
import { type PickedProbe, picksOf } from '../../sessions/picked';
import { judgmentsOf, pickedProbe } from './files';
import { itemsOf } from './items';
import { judgedIn } from './judged';

/** The judgments beside a report, for its exports. Undefined without judgments. */
export async function judgedParts(path: string, signal?: AbortSignal): Promise<JudgedParts | undefined> {
  const judged = await judgedIn(path, signal);
  if (judged === null) return undefined;
  const report = await readReport(path);
  const probe = pickedProbe(report)!;
  const byId = await votesById(path, report, probe);
  return {
    judgments: {
      ...judged,
      variants: [...byId.values()].map(({ item: { original, changed }, votes }) => ({
        ...{ image: original.image, original: original.text, changed: changed.text },
        votes,
      })),
    },
    votesOn: (row: Row, variant: number) => {
      const item = itemsOf(probe, row).at(variant);
      return (item && byId.get(item.id)?.votes) ?? [];
    },
  };
}

type Votes = JudgedParts['judgments']['variants'][number]['votes'];

async function votesById(
  path: string,
  report: Parameters<typeof judgmentsOf>[1],
  probe: PickedProbe,
): Promise<Map<string, { item: CheckItem; votes: Votes }>> {
  const found = new Map<string, { item: CheckItem; votes: Votes }>();
  for (const file of await judgmentsOf(path, report)) {
    const picks = picksOf(file, probe);
    for (const item of file.session.items) {
      const picked = picks.get(item.id);
      if (picked === undefined) continue;
      const known = found.get(item.id) ?? { item, votes: [] };
      found.set(item.id, known);
      known.votes.push({ judge: file.session.annotator, picked });
    }
  }
  return found;
}
