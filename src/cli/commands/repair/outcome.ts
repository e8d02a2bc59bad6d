import { untilCancelled } from '../../../base/errors';
import type { Image } from '../../../repair/images';
import type { Repair } from '../../../repair/repair';
import { endsOf, figure, interval, valueOf } from '../../../report/figures';
import { lineUpReports } from '../../../report/lineUp';
import { type PairedDifference, pairedDifferences, verdictLevel } from '../../../report/paired';
import { LeftOutRows } from '../../../report/rowChecks';
import { readRows } from '../../../report/rows';
import { basisOf } from '../../../report/scale';
import { logLeftOut, print, table } from '../../terminal';
import type { WrittenReport } from '../../../audit/output/writtenReport';

/** Invariance metrics that are shown although they have no paired test: the sizes of score changes. */
const shiftSize = /\.absDelta$/;

export interface Comparison {
  probe: string;
  before: WrittenReport;
  after: WrittenReport;
  differences: PairedDifference[];
}

export async function compared(
  probe: string,
  reports: readonly WrittenReport[],
  signal: AbortSignal,
): Promise<Comparison> {
  const [before, after] = reports.filter(({ report }) => report.probe === probe);
  const both = [before, after].map((one) => ({ ...one, leftOut: new LeftOutRows() }));
  const [from, to] = both.map(({ path, report, leftOut }) =>
    untilCancelled(readRows(path, report, leftOut), signal),
  );
  const differences = await pairedDifferences(probe, from, to, {
    basis: basisOf([before.report, after.report]),
    signal,
  });
  for (const { path, leftOut } of both) logLeftOut(path, leftOut);
  return { probe, before, after, differences };
}

export function showRepair(made: Repair, out: string, comparisons: readonly Comparison[]): void {
  const { fittedOn, heldOut, leftOut, first, last, failed } = made;
  print(`Fitted on ${fittedOn.length} images; ${heldOut.length} held out.`);
  for (const [reason, count] of leftOut) print(`left out, ${count}: ${reason}`);
  if (failed > 0) print(`note: ${failed} captions or images could not be embedded and were left out.`);
  const losses = ['total', 'contrastive', 'semantic', 'visual'] as const;
  print('');
  print(
    table(
      ['loss', 'first epoch', 'last epoch'],
      losses.map((loss) => [loss, figure(first[loss]), figure(last[loss])]),
    ),
  );
  const { trials, chosen } = made;
  print('\nFive-fold cross-validation on these images (mean reciprocal ranks):\n');
  print(
    table(
      ['share of the correction', 'clean', 'altered', ''],
      trials.map((trial) => [
        String(trial.share),
        figure(trial.clean),
        figure(trial.stressed),
        trial === chosen ? 'kept' : '',
      ]),
    ),
  );
  if (chosen.share === 0)
    print(
      '\nNo share of the correction improves robustness within the allowed cost, so the new evaluator gives the same scores as the original.',
    );
  for (const { probe, before, after, differences } of comparisons) {
    print(`\n${probe}, on the held-out images:\n`);
    const paired = new Map(differences.map((one) => [one.metric, one]));
    const shown = (name: string): boolean =>
      paired.has(name) || (probe === 'invariance' && shiftSize.test(name));
    const lines = lineUpReports([before.report, after.report]).metrics.flatMap(({ name, values }) => {
      if (!shown(name) || values.some((metric) => metric === undefined || metric.slice !== undefined))
        return [];
      const difference = paired.get(name);
      return [
        [
          name,
          ...values.map((metric) => `${valueOf(metric!)} ${interval(metric!)}`),
          ...rowByRow(difference),
        ],
      ];
    });
    const inReports = new Set(lines.map(([name]) => name));
    for (const own of differences)
      if (!inReports.has(own.metric)) lines.push([own.metric, '', '', ...rowByRow(own)]);
    print(table(['metric', 'before', 'after', 'row by row', '95 % interval'], lines));
    print(`All metrics: captious compare ${before.path} ${after.path}`);
  }
  const verdict = verdictOf(comparisons);
  if (verdict !== undefined) print(`\n${verdict.words}`);
  print(`\nevaluator: ${out}`);
}

/** A useful head lowers recall@1 on unaltered captions and images by at most this. */
const mostLost = 0.02;

/**
 * Whether the head helps on held-out images: altered entries come first for significantly fewer queries, and clean
 * recall drops by at most `mostLost`. Undefined without metrics of RoCOCO.
 */
export function verdictOf(
  comparisons: readonly Pick<Comparison, 'probe' | 'differences'>[],
): { helps: boolean; words: string } | undefined {
  const differences = comparisons.find(({ probe }) => probe === 'rococo')?.differences ?? [];
  const of = (metric: string) => differences.find((one) => one.metric === metric);
  const found = ['i2t', 't2i'].flatMap((way) => {
    const [rsms, clean] = [of(`rococo.${way}.rsms`), of(`rococo.${way}.r1`)];
    return rsms === undefined || clean === undefined ? [] : [{ way, rsms, clean }];
  });
  if (found.length === 0) return undefined;
  // A significant improvement in one direction (i2t or t2i) is enough, so the level is divided by the number of
  // directions (Bonferroni).
  const better = found.filter(
    ({ rsms }) => rsms.verdict === 'second' && rsms.pValue < verdictLevel / found.length,
  );
  const worse = found.filter(({ rsms }) => rsms.verdict === 'first');
  const lost = found.filter(({ clean }) => clean.difference < -mostLost);
  const why = found.map(({ rsms, clean }) => `${changeWords(rsms)}; ${changeWords(clean)}`).join('; ');
  if (better.length > 0 && worse.length === 0 && lost.length === 0)
    return { helps: true, words: `The head helps on held-out images: ${why}.` };
  return {
    helps: false,
    words: `The head does not help on held-out images: ${why}. Do not use it. More images for fitting may help.`,
  };
}

function changeWords({ metric, difference, ci }: PairedDifference): string {
  const change = `${difference > 0 ? '+' : ''}${figure(difference, ci)}`;
  return `${metric} ${change}${ci === undefined ? '' : ` ${endsOf(ci)}`}`;
}

function rowByRow(difference: PairedDifference | undefined): [string, string] {
  if (difference === undefined) return ['', ''];
  const { ci } = difference;
  return [figure(difference.difference, ci), ci === undefined ? '' : endsOf(ci)];
}

export function repairAsJson(made: Repair, out: string, comparisons: readonly Comparison[]): unknown {
  const names = (images: readonly Image[]): string[] => images.map(({ name }) => name);
  return {
    evaluator: out,
    fittedOn: names(made.fittedOn),
    heldOut: names(made.heldOut),
    leftOut: Object.fromEntries(made.leftOut),
    ...(made.partly === undefined ? {} : { partly: made.partly }),
    losses: { first: made.first, last: made.last },
    trials: made.trials,
    share: made.chosen.share,
    helps: verdictOf(comparisons)?.helps ?? null,
    comparisons: comparisons.map(({ probe, before, after, differences }) => ({
      probe,
      before: before.path,
      after: after.path,
      differences,
    })),
  };
}
