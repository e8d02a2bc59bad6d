import { type CheckResult, mergeChecks, type Tally } from '../../../sessions/mergeChecks';
import type { CheckSession } from '../../../sessions/check';
import { arePicked } from '../../../sessions/picked';
import type { Kappa } from '../../../sessions/votes';
import type { Audited } from '../../../report/invarianceRows';
import { text, type Values } from '../../arguments';
import { log, print, printJson, table } from '../../terminal';
import { againWithout, type Again } from './checkAgain';

export async function mergeInvariance(
  sessions: readonly { session: CheckSession; at: string }[],
  audited: Audited,
  path: string,
  values: Values,
  signal: AbortSignal,
): Promise<void> {
  const result = mergeChecks(sessions);
  if (arePicked(sessions.map(({ session }) => session)))
    log('the shares are no estimate for all variants: people picked the judged ones in the report');
  const again = await againWithout(audited, result, { path, out: text(values, 'out'), signal });
  if (values.json) printJson({ ...result, again });
  else show(result, again);
}

function show(
  { annotators, items, judged, byAll, total, families, kappa }: CheckResult,
  again: Again[],
): void {
  print(judgedWords({ annotators, items, judged, byAll }));
  if (judged === 0) return;
  print(
    `The majority accepts both versions in ${shareOf(total.both, total)} and only one in ${shareOf(total.one, total)}. It rates both as fully correct in ${shareOf(total.full, total)}.`,
  );
  print(
    `The majority sees no difference in ${shareOf(total.equal, total)}, prefers the original in ${shareOf(total.original, total)} and the variant in ${shareOf(total.changed, total)}.`,
  );
  print(
    `Fleiss' κ of acceptability ${kappaWords(kappa.acceptability)}, of preference ${kappaWords(kappa.preference)}.\n`,
  );
  const cells = (name: string, one: Tally): string[] =>
    [name, one.items, one.both, one.one, one.neither, one.full, one.equal, one.original, one.changed].map(
      String,
    );
  print(
    table(
      ['family', 'items', 'both', 'one', 'neither', 'fully', 'equal', 'original', 'variant'],
      families.map((one) => cells(one.family, one)),
    ),
  );
  for (const { words, file } of again) {
    print(`\n${words}`);
    if (file !== undefined) print(`report: ${file}`);
  }
}

function shareOf(count: number, { items }: Tally): string {
  return `${count} of ${items} (${((100 * count) / items).toFixed(1)} %)`;
}

export function judgedWords({
  annotators,
  items,
  judged,
  byAll,
}: Pick<CheckResult, 'annotators' | 'items' | 'judged' | 'byAll'>): string {
  const who = annotators.length === 1 ? 'the one annotator' : `all ${annotators.length}`;
  return `${annotators.join(', ')}: ${judged} of ${items} items judged, ${byAll} of them by ${who}.`;
}

export function kappaWords({ value, n, note }: Kappa): string {
  return value === null ? `not defined (${note ?? ''})` : `${value.toFixed(4)} over ${n}`;
}
