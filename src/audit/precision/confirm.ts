/* Scores the rows of a draft again in float32 whose results matter most, or are the least certain. */
import { say, type Words } from '../../base/say';
import type { Report } from '../../report/report';
import { exampleKey, LineReader, type Rescoring, type ScoredLine } from './lines';

/** The counts of a confirmation, and the lines of its file. */
export interface Confirmation {
  counts: Omit<NonNullable<Report['confirmed']>, 'file'>;
  lines: object[];
}

const mostWorst = 100;

/** `largest`: the largest measured change. Without it, only ties are close to a tie. */
export async function confirmDraft(run: Rescoring, largest = 0): Promise<Confirmation> {
  let worst: ScoredLine[] = [];
  const chosen = new Map<string, ScoredLine>();
  const reader = new LineReader(run.probe);
  const keepWorst = (): void => {
    worst = worst.sort((a, b) => b.harm - a.harm).slice(0, mostWorst);
  };
  for await (const row of run.rows())
    for (const line of reader.linesOf(row)) {
      if (line.verdict === 'none') continue;
      if (line.verdict === 'wrong') worst.push(line);
      if (worst.length >= 2 * mostWorst) keepWorst();
      if (line.verdict === 'tie' || Math.abs(line.delta) <= largest) chosen.set(line.key, line);
    }
  keepWorst();
  const close = chosen.size;
  for (const line of worst) chosen.set(line.key, line);
  const wanted = new Set([...chosen.values()].map(({ row }) => exampleKey(row)));
  const lines: object[] = [];
  let kept = 0;
  const exactReader = new LineReader(run.probe);
  if (wanted.size > 0)
    await run.score(wanted, (row) => {
      for (const exact of exactReader.linesOf(row)) {
        const draft = chosen.get(exact.key);
        if (draft === undefined) continue;
        chosen.delete(exact.key);
        if (draft.verdict === exact.verdict) kept++;
        lines.push(entryOf(draft, exact));
      }
    });
  const changed = lines.length - kept;
  return { counts: { worst: worst.length, close, kept, changed, lost: chosen.size }, lines };
}

/** A line of the file. `row` and `line` count from 0, as in the rows. */
function entryOf({ row, sub, delta, verdict }: ScoredLine, exact: ScoredLine): object {
  return {
    example: row.example,
    row: row.row,
    ...(row.place === undefined ? {} : { place: row.place }),
    ...(row.image === undefined ? {} : { image: row.image }),
    ...(row.seed === undefined ? {} : { seed: row.seed }),
    line: sub,
    draft: { delta, verdict },
    exact: { delta: exact.delta, verdict: exact.verdict },
    kept: verdict === exact.verdict,
  };
}

/** The counts in one sentence. */
export function confirmedWords({ worst, close, kept, changed, lost }: Confirmation['counts']): Words {
  const all = kept + changed + lost;
  return all === 0
    ? say('draft.nothingToConfirm')
    : say('draft.confirmed', all, worst, close, kept, changed, lost);
}
