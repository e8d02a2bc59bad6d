import { pValueText } from '../../../base/pValue';
import { inTurns } from '../../../base/turns/steps';
import { basename, dirname, extname, join } from 'node:path';
import type { CheckResult, Verdict } from '../../../sessions/mergeChecks';
import { rowsWithout, type Stability, stabilityOf } from '../../../sessions/without';
import { figuresOver } from '../../../probe/invariance/figuresOver';
import { prepareFolder } from '../../../audit/output/folder';
import { claimsOf } from '../../../probe/claim';
import { claimsOfFewer } from '../../../probe/inference/withheld';
import { metricsInClusters } from '../../../probe/inference/clusterWords';
import { refusedClaims, refusedIn } from '../../../probe/refused/claims';
import { probeNamed } from '../../../probe/list';
import type { InvarianceRow } from '../../../probe/invariance/row';
import { intoFile, whileNaming, writeWhole } from '../../../report/output';
import type { Report } from '../../../report/report';

/** The metrics after the check, without the variants whose majority judgment is worse than `kept`. */
export interface Again {
  kept: 'accepted' | 'fullyCorrect';
  leftOut: number;
  stability: Stability;
  words: string;
  /** The path of the new report. Undefined if no report was requested. */
  file?: string;
}

const ways: readonly { kept: Again['kept']; what: string; keeps: (verdict: Verdict) => boolean }[] = [
  {
    kept: 'accepted',
    what: 'with a version that the majority does not accept',
    keeps: ({ accepted }) => accepted === 'both',
  },
  {
    kept: 'fullyCorrect',
    what: 'with a version that the majority does not find fully correct',
    keeps: ({ full }) => full,
  },
];

export async function againWithout(
  { report, rows }: { report: Report; rows: InvarianceRow[] },
  { verdicts, annotators }: CheckResult,
  { path, out, signal }: { path: string; out: string | undefined; signal: AbortSignal },
): Promise<Again[]> {
  const made: Again[] = [];
  if (out !== undefined) await prepareFolder(out);
  for (const { kept, what, keeps } of ways) {
    const gone = new Set(verdicts.filter((verdict) => !keeps(verdict)).map(({ id }) => id));
    const left = rowsWithout(rows, gone);
    const { metrics, evaluator, dataset, options, seed } = report;
    const after =
      gone.size === 0
        ? metrics
        : [
            ...metricsInClusters(
              await inTurns(
                figuresOver(left, {
                  dataset: basename(dataset.path, extname(dataset.path)),
                  seed,
                  options,
                  scores: evaluator.scores,
                  scale: evaluator.scale,
                }),
                signal,
              ),
              dataset.cluster,
            ),
            ...refusedIn(metrics),
          ];
    const stability = stabilityOf(metrics, after);
    const words = wordsOf(gone.size, what, stability);
    const again: Again = { kept, leftOut: gone.size, stability, words };
    if (out !== undefined)
      again.file = await write(join(out, `${stemOf(basename(path))}.${kept}`), left, {
        ...report,
        metrics: after,
        claims: claimsOfFewer(report.claims, [
          ...claimsOf(probeNamed('invariance'), after, dataset.cluster),
          ...refusedClaims(after),
        ]),
        warnings: [
          ...report.warnings,
          `Left out after a check by ${annotators.join(', ')}: ${gone.size} variants ${what}.`,
        ],
      });
    made.push(again);
  }
  return made;
}

export function stemOf(report: string): string {
  return report.replace(/\.report\.json$/, '');
}

function wordsOf(gone: number, what: string, { medians, unit, largest, turned, crossed }: Stability): string {
  if (gone === 0) return `There are no variants ${what}: all metrics stay the same.`;
  const start = `Without the ${gone} variants ${what}`;
  if (largest === null) return `${start}, no median remains to compare.`;
  const { id, before, after } = largest;
  const ways =
    turned.length === 0
      ? `all ${medians.length} keep their direction`
      : `${turned.length} of ${medians.length} change direction: ${turned.join(', ')}`;
  const tests =
    crossed.length === 0
      ? 'no test crosses 0.05'
      : `these tests cross 0.05: ${crossed.map((turn) => `${turn.id} (${pValueText(turn.before)} → ${pValueText(turn.after)})`).join(', ')}`;
  const places = unit === 'percent' ? 2 : 4;
  const most = `${Math.abs(after - before).toFixed(places)} ${unit === 'percent' ? 'percentage points' : 'in units of the score'}`;
  return `${start}, medians change by at most ${most} (${id}: ${before.toFixed(places)} → ${after.toFixed(places)}); ${ways}; ${tests}.`;
}

async function write(stem: string, rows: readonly InvarianceRow[], report: Report): Promise<string> {
  const name = `${stem}.rows.jsonl`;
  const path = `${stem}.report.json`;
  await intoFile(name, async (file) => {
    for (const row of rows) await file.line(row);
    const rowsSha256 = await file.seal();
    const after = { ...report, rows: basename(name), rowCount: rows.length, rowsSha256 };
    await whileNaming(dirname(path), async () => {
      await file.finish();
      await writeWhole(path, `${JSON.stringify(after, null, 1)}\n`);
    });
  });
  return path;
}
