/** Marks the table lines that people judged. */
import type { CallContext } from '../../base/calls';
import type { Line } from '../../protocol/rows';
import { readReport } from '../../report/report';
import { picksOf, rejectedIn } from '../../sessions/picked';
import type { Shelf } from '../rows/shelf';
import { haveJudgments, judgmentsOf, pickedProbe } from './files';
import { itemsOf } from './items';

/** The lines, of which those that somebody judged say what most people judged. */
export async function withJudgments(
  path: string,
  lines: readonly Line[],
  shelf: Pick<Shelf, 'rowOf'>,
  context: Partial<CallContext> = {},
): Promise<Line[]> {
  if (!(await haveJudgments(path))) return [...lines];
  const report = await readReport(path);
  const probe = pickedProbe(report);
  if (probe === undefined) return [...lines];
  // The request for the judgments names a damaged file, which must not empty the list.
  const files = await judgmentsOf(path, report).catch(() => []);
  const rejected = rejectedIn(files, probe);
  const judged = new Set(files.flatMap((file) => [...picksOf(file, probe).keys()]));
  const items = files.flatMap(({ session }) => session.items).filter(({ id }) => judged.has(id));
  return Promise.all(
    lines.map(async (line) => {
      // Few lines have the image and the text of a judged variant, so few rows are read.
      const { index, image, after } = line;
      if (!items.some(({ changed }) => changed.image === image && changed.text === after)) return line;
      const { row, first } = await shelf.rowOf(path, index, context);
      const item = itemsOf(probe, row).at(index - first);
      if (item === undefined || !judged.has(item.id)) return line;
      return { ...line, judged: rejected.has(item.id) ? 'rejected' : 'valid' } as const;
    }),
  );
}
