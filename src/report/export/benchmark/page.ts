/* One page about the reports of one or several files of a benchmark, which its authors can link. */
import { inARow, say, type Words } from '../../../base/say';
import type { Chart } from '../../../chart/chart';
import { benchmarkCharts } from '../../../probe/benchmark/charts';
import { faultMetrics } from '../../../probe/benchmark/faultNames';
import { wholeMetric } from '../../../probe/view';
import { viewFor } from '../../../probe/views';
import { countOf, interval, metricName, shownPath, valueOf, withoutPaths } from '../../figures';
import type { Report } from '../../report';
import { metricWords } from '../../titles';
import { page } from '../page';
import type { Speech } from '../speech';
import { type Block, type Section, sectionsHtml, sectionsMarkdown } from './sections';
import { blindTable, type Checked, examplesOf, faultTable, nameOf, overview, table } from './tables';

export async function benchmarkHtml(all: readonly Checked[], speech: Speech): Promise<string> {
  const { question } = viewFor('benchmark');
  return page(
    titleOf(all),
    [`<p class="quiet">${speech.say(question)}</p>`, ...sectionsHtml(await sectionsOf(all), speech)],
    { language: speech.language },
  );
}

export async function benchmarkMarkdown(all: readonly Checked[]): Promise<string> {
  return `# ${titleOf(all)}\n\n${sectionsMarkdown(await sectionsOf(all))}`;
}

function titleOf(all: readonly Checked[]): string {
  return `Benchmark · ${all.map(({ report }) => shownPath(report.dataset.path)).join(', ')}`;
}

async function sectionsOf(all: readonly Checked[]): Promise<Section[]> {
  const reports = all.map(({ report }) => report);
  const examples = await examplesOf(all);
  const sections: Section[] = [
    { title: say('benchmark.overview'), blocks: [table(overview(reports))] },
    { title: say('export.verdicts'), blocks: reports.flatMap((report) => verdictsOf(report, reports)) },
    {
      title: say('benchmark.blindTable'),
      blocks: [{ is: 'text', words: say('benchmark.blindTableNote') }, table(blindTable(reports))],
    },
    { title: say('benchmark.faultTable'), blocks: [table(faultTable(reports)), ...examples] },
    { title: say('export.charts'), blocks: chartsOf(reports) },
    { title: say('export.metrics'), blocks: reports.map(metricsOf) },
    {
      title: say('benchmark.meaning'),
      blocks: [{ is: 'list', items: meanings.map((words) => ({ words })) }],
    },
    { title: say('benchmark.reproduce'), blocks: reproduce(reports) },
    ...remarks(reports),
  ];
  return sections.filter(({ blocks }) => blocks.length > 0);
}

const meanings = [
  say('base.labelledPart', say('benchmark.orderBlindCeiling'), say('benchmark.orderBlindMeaning')),
  say('base.labelledPart', say('benchmark.imageBlindCeiling'), say('benchmark.imageBlindMeaning')),
  say('base.labelledPart', say('benchmark.bestColumn'), say('benchmark.bestMeaning')),
  say('base.labelledPart', say('benchmark.leftColumn'), say('benchmark.leftMeaning')),
  say('benchmark.notAboutEvaluators'),
];

function verdictsOf(report: Report, all: readonly Report[]): Block[] {
  if (report.claims.length === 0) return [];
  const items = report.claims.map(({ text, rule }) => ({ words: text, beside: rule }));
  const name: Block[] = all.length === 1 ? [] : [{ is: 'text', words: nameOf(report) }];
  return [...name, { is: 'list', items }];
}

function chartsOf(reports: readonly Report[]): Block[] {
  const charts = reports.flatMap((report): Chart<Words>[] =>
    benchmarkCharts(report.metrics).map((chart) => {
      const title = reports.length === 1 ? chart.title : inARow([nameOf(report), chart.title], ': ');
      return { type: 'panel', title, chart: { ...chart, title } };
    }),
  );
  return charts.length === 0 ? [] : [{ is: 'charts', charts }];
}

/** All metrics of a report. Slices come last. */
function metricsOf({ probe, dataset, metrics }: Report): Block {
  const titleOf = metricWords(probe, metrics);
  const sorted = [...metrics].sort((a, b) => Number(a.slice !== undefined) - Number(b.slice !== undefined));
  return {
    is: 'folded',
    title: shownPath(dataset.path),
    blocks: [
      table({
        title: '',
        columns: [
          { title: say('export.metricColumn') },
          { title: 'id' },
          ...[say('export.valueColumn'), say('export.ci'), 'n'].map((title) => ({ title, number: true })),
        ],
        rows: sorted.map((metric) => [
          titleOf(metric),
          metricName(metric),
          valueOf(metric),
          interval(metric),
          countOf(metric, dataset.cluster),
        ]),
      }),
    ],
  };
}

function reproduce(reports: readonly Report[]): Block[] {
  const commands = new Map<string, string[]>();
  for (const { dataset, metrics, seed, limit } of reports) {
    const searched = wholeMetric(metrics, faultMetrics.missingImage) === undefined ? '' : ' --images DIR';
    const options = `--seed ${seed}${limit === undefined ? '' : ` --limit ${limit}`}${searched}`;
    commands.set(options, [...(commands.get(options) ?? []), quoted(shownPath(dataset.path))]);
  }
  const versions = [...new Set(reports.map((report) => report.versions.captious ?? '–'))];
  return [
    {
      is: 'code',
      lines: [...commands].map(([options, files]) => `captious benchmark ${files.join(' ')} ${options}`),
    },
    { is: 'text', words: say('benchmark.version', versions.join(', ')) },
    table({
      title: '',
      columns: [{ title: say('benchmark.file') }, { title: say('benchmark.format') }, { title: 'SHA-256' }],
      rows: reports.map(({ dataset }) => [shownPath(dataset.path), dataset.format, dataset.sha256]),
    }),
  ];
}

function quoted(file: string): string {
  return /^[\w.+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}

function remarks(reports: readonly Report[]): Section[] {
  const items = (of: (report: Report) => Words[]): Block[] => {
    const found = reports.flatMap((report) =>
      of(report).map((words) => ({
        words: reports.length === 1 ? words : say('base.labelledPart', nameOf(report), words),
      })),
    );
    return found.length === 0 ? [] : [{ is: 'list', items: found }];
  };
  const leftOut = items(({ dataset }) =>
    dataset.leftOut.map(({ reason, count }) => say('base.labelledPart', String(count), withoutPaths(reason))),
  );
  const notes = items(({ warnings }) => warnings.map(withoutPaths));
  return [
    { title: say('export.leftOut'), blocks: leftOut },
    { title: say('export.notes'), blocks: notes },
  ];
}
