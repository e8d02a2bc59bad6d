import { mergeLgipChecks } from '../../../sessions/lgip/merge';
import { PrsmCheck } from '../../../sessions/prsm/wordings';
import type { CheckSession } from '../../../sessions/check';
import { usageError } from '../../../base/errors';
import { text, type Values } from '../../arguments';
import { log, logLeftOut, print, printJson } from '../../terminal';
import { printJudged, rowsOfProbe } from './mergeLgip';

/** Merges the judgments of wordings. PRSM's metrics need new rankings, so the rejected texts are printed instead. */
export async function mergePrsm(
  sessions: readonly { session: CheckSession; at: string }[],
  path: string,
  values: Values,
): Promise<void> {
  if (text(values, 'out') !== undefined)
    throw usageError(
      '--out does not apply to reports of the probe prsm.',
      'Remove the rejected texts from the dataset, and audit it again.',
    );
  const result = mergeLgipChecks(sessions);
  const check = new PrsmCheck(result.verdicts);
  const from = await rowsOfProbe(path, 'prsm');
  for await (const row of from.rows) check.add(row);
  logLeftOut(path, from.leftOut);
  const { valid, leftOut } = check.finish();
  const { rejected } = check;
  if (values.json) {
    printJson({ ...result, valid, leftOut, rejected });
    return;
  }
  const rule =
    'A wording is valid if the majority finds that it has the same meaning as the caption and does not describe the image worse.';
  if (!printJudged(result, valid, rule)) return;
  if (leftOut.length > 0) log(`without an estimate, with fewer than two labels: ${leftOut.join(', ')}`);
  if (rejected.length === 0) return;
  print(`\nRejected wordings. Remove or correct them in the dataset, and audit it again:`);
  for (const one of rejected) print(`  ${one}`);
}
