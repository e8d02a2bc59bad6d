import type { Words } from '../../base/say';
import { append } from '../../base/lists';
import { english } from '../../base/english';
import { markdownCode, markdownText } from '../../base/text/markdown';
import {
  chanceOf,
  countOf,
  interval,
  markedName,
  measuredOf,
  metricName,
  shownOption,
  seedsWords,
  shownPath,
  usedOf,
  valueOf,
  withoutPaths,
} from '../figures';
import { metricTitles } from '../titles';
import { viewFor } from '../../probe/views';
import type { Metric } from '../../probe/metric';
import type { Report } from '../report';

/** A report as Markdown: dataset, verdicts, metrics, left-out examples, notes and provenance. */
export function markdown(report: Report): string {
  const { dataset, evaluator } = report;
  const chance = report.metrics.some((metric) => metric.chance !== undefined);
  const titleOf = metricTitles(report.probe, report.metrics);
  /** A metric's title with its id, because gates and scripts use ids. */
  const named = (metric: Metric) =>
    titleOf(metric) === metricName(metric) ? titleOf(metric) : `${titleOf(metric)}, ${metric.id}`;
  const lines = [
    `# ${markdownText(viewFor(report.probe).title)} · ${markdownText(english(markedName(evaluator)))}`,
    '',
    `${markdownCode(shownPath(dataset.path))}: ${english(usedOf(dataset))} ${english(measuredOf(dataset, report.metrics))}`.trimEnd(),
    '',
    ...report.claims.map(
      (claim) => `- ${markdownText(english(claim.text))} *${markdownText(english(claim.rule))}*`,
    ),
    '',
    `| metric | value | 95 % interval |${chance ? ' chance |' : ''} n | ties |`,
    `| --- | ---: | --- |${chance ? ' ---: |' : ''} ---: | ---: |`,
    ...report.metrics.map(
      (metric) =>
        `| ${markdownText(named(metric))} | ${valueOf(metric)} | ${interval(metric)} |${chance ? ` ${chanceOf(metric)} |` : ''} ${english(countOf(metric, dataset.cluster))} | ${metric.ties ?? ''} |`,
    ),
  ];
  const notes = report.metrics.filter((metric) => metric.note !== undefined);
  if (notes.length > 0)
    append(lines, [
      '',
      ...notes.map(
        (metric) => `- ${markdownText(`${titleOf(metric)}: ${english(withoutPaths(metric.note!))}`)}`,
      ),
    ]);
  if (dataset.leftOut.length > 0) {
    append(lines, [
      '',
      '## Left out',
      '',
      ...dataset.leftOut.map(
        ({ reason, count }) => `- ${count}: ${markdownText(english(withoutPaths(reason)))}`,
      ),
    ]);
  }
  if (report.warnings.length > 0) {
    append(lines, [
      '',
      '## Notes',
      '',
      ...report.warnings.map((warning) => `- ${markdownText(english(withoutPaths(warning)))}`),
    ]);
  }
  append(lines, [
    '',
    '## Provenance',
    '',
    ...provenance(report).map(([key, value]) => `- ${key}: ${markdownText(english(value))}`),
    '',
  ]);
  return lines.join('\n');
}

/** How the report was made: labels with values. */
export function provenance({
  dataset,
  evaluator,
  options,
  seed,
  draws,
  defaultDraws,
  limit,
  versions,
}: Report): [string, Words][] {
  const settings = Object.entries(options).map(([key, value]) => `${key} = ${shownOption(value)}`);
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    ['dataset', `${dataset.format}, SHA-256 ${dataset.sha256}`],
    [
      'evaluator',
      `${shownPath(evaluator.id)} (${evaluator.kind}, ${evaluator.precision} on ${evaluator.provider}), SHA-256 ${evaluator.sha256}`,
    ],
    ...evaluator.notes.map((note): [string, Words] => ['evaluator', withoutPaths(note)]),
    ['seed', String(seed)],
    ...(draws === undefined
      ? []
      : [['draws', seedsWords({ seed, draws, defaultDraws })] satisfies [string, Words]]),
    ['options', settings.length === 0 ? 'none' : settings.join(', ')],
    ...(limit === undefined ? [] : [['limit', `the first ${limit} examples`] satisfies [string, Words]]),
    ['versions', software.join(', ')],
  ];
}
