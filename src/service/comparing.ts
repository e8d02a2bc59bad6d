/* Compares reports for the panel and for assistants. */
import type { CallContext } from '../base/calls';
import type { RowAnswer, RowAsk } from '../protocol/rows';
import { lineUpReports, pairUpReports } from '../report/lineUp';
import { readReport } from '../report/report';
import { hasP } from '../report/paired';
import { rightOnly } from '../report/discordant';
import { LeftOutRows } from '../report/rowChecks';

export async function comparison(paths: readonly string[], signal: AbortSignal): Promise<object> {
  const reports = await Promise.all(paths.map(readReport));
  const { probe, names, datasets, differences, metrics } = lineUpReports(reports);
  return {
    probe,
    evaluators: names,
    datasets,
    metrics: metrics.map(({ name, values }) => ({
      name,
      values: values.map((metric) => metric && { value: metric.value, ci: metric.ci, n: metric.n }),
    })),
    pairs: await pairUpReports(
      reports,
      paths,
      reports.map(() => new LeftOutRows()),
      { signal },
    ),
    notTheSame: differences,
  };
}

export async function pairs(
  { report, others }: RowAsk<'pairs'>,
  { signal }: CallContext,
): Promise<RowAnswer<'pairs'>> {
  const paths = [report, ...others];
  const reports = await Promise.all(paths.map(readReport));
  const leftOut = reports.map(() => new LeftOutRows());
  const found = await pairUpReports(reports, paths, leftOut, { signal });
  return {
    pairs: found.map(({ first, second, metric, n, images, difference, ci, adjusted, ...pair }) => {
      const only = rightOnly(pair);
      return {
        ...{ first, second, metric, n, images, difference },
        ...(ci && { ci }),
        adjusted: hasP(pair) && Number.isFinite(adjusted) ? adjusted : null,
        ...(only && { onlyFirst: only[0], onlySecond: only[1] }),
        ...(pair.tooFew && { tooFew: pair.tooFew }),
        ...(pair.groundless && { groundless: pair.groundless }),
        ...(pair.partlyRead && { partlyRead: pair.partlyRead }),
        ...(pair.verdict === 'undecided' ? {} : { better: pair.verdict }),
      };
    }),
    differences: lineUpReports(reports).differences,
  };
}
