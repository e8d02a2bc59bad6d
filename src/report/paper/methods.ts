/* Writes the methods paragraph: evaluators, datasets, options, and statistical methods. */
import { intervalSeed } from '../../probe/inference/interval';
import { reporting } from '../../probe/list';
import { leastDiscordant, leastImages } from '../../stats/decisions/smallSample';
import { shownOption } from '../figures';
import type { Report } from '../report';
import { type Entry, inOrder } from './entry';
import { unpublishable } from './footnotes';
import { benchmarkMethods } from './layouts/benchmark';
import { exploitMethods } from './layouts/exploit';
import { cite, usesWilson } from './references';

export function methods(all: readonly Entry[], hasTests: boolean): string {
  const checked = all.filter(({ report }) => report.probe === 'benchmark');
  const audited = all.filter((entry) => !checked.includes(entry));
  // A paper may have reports with and without clusters, so that `clusterWords` says which.
  const isNamed = all.some(({ report }) => report.dataset.cluster !== undefined);
  const [unit, units] = isNamed ? ['cluster', 'clusters'] : ['image', 'images'];
  return [
    ...(audited.length === 0 ? [] : auditWords(audited)),
    ...benchmarkMethods(checked, datasetWords(checked)),
    `Intervals are 95 %: shares have Wilson's interval${cite('wilson1927')} with standard errors clustered by ${unit} (CR2) and Student's t, other metrics BCa bootstrap intervals${cite('efron1987')} over ${units} with 10,000 resamples (seed ${intervalSeed}); values of fewer than ${leastImages} ${units} have none.`,
    ...unpublishable(all),
    ...clusterWords(all),
    all.some(({ report }) => report.probe === 'prsm')
      ? `In PRSM, the captions of one of the ${units} are one observation, and so are ${units} that share a caption. The overlap beyond chance has the interval of the clustered t-test.`
      : '',
    ...exploitMethods(all),
    usesWilson(all) ? `In the interval of a rate of exactly 0 or 1, ${units} are the trials.` : '',
    audited.length === 0 ? '' : 'Equal scores do not count as right.',
    hasTests
      ? `Evaluators are compared on shared rows by paired t-tests with bias-reduced standard errors clustered by ${unit} (CR2, Bell and McCaffrey's degrees of freedom${cite('bell2002')}), two-sided, at 0.05 after Holm's correction${cite('holm1979')} over each table; if differences of scores are skewed (fewer ${units} than 36 times the squared skewness), p is the larger one of Student's and Hall's test${cite('hall1992')}; with fewer than ${leastImages} ${units}, or fewer than ${leastDiscordant} rows with different outcomes, there is no test.`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function datasetWords(entries: readonly Entry[]): string {
  return inOrder(entries, ({ dataset }) => dataset)
    .map((dataset) => {
      const own = entries.filter((entry) => entry.dataset === dataset);
      const examples = [...new Set(own.map(({ report }) => report.dataset.examples))];
      const skipped = [...new Set(own.map(({ report }) => report.dataset.skipped))];
      return `${dataset} (${examples.join(' or ')} examples, ${skipped.join(' or ')} left out; SHA-256 ${own[0].report.dataset.sha256})`;
    })
    .join(', ');
}

/** The evaluators, the datasets and the settings of audits. */
function auditWords(entries: readonly Entry[]): string[] {
  const one = <T>(of: (entry: Entry) => T): T[] => [...new Set(entries.map(of))];
  const listed = (values: readonly unknown[]) => values.join(', ');
  const versions = one(({ report }) => report.versions.captious ?? 'unknown');
  const others = one(({ report }) =>
    Object.entries(report.versions)
      .filter(([name]) => name !== 'captious')
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  );
  const probes = inOrder(entries, ({ report }) => report.probe).map(
    (probe) => `${reporting(probe).title}${cite(probe)}`,
  );
  const evaluators = inOrder(entries, ({ evaluator }) => evaluator).map((name) => {
    const { evaluator } = entries.find((entry) => entry.evaluator === name)!.report;
    const prefix = evaluator.prefix === '' ? '' : `, prefix "${evaluator.prefix.trim()}"`;
    return `${name} (${evaluator.kind}, ${evaluator.precision} on ${evaluator.provider}${prefix}; SHA-256 ${evaluator.sha256})`;
  });
  const limits = one(({ report }) => report.limit ?? 'none').filter((limit) => limit !== 'none');
  const options = inOrder(entries, ({ report }) => report.probe).flatMap((probe) => {
    const own = entries.filter(({ report }) => report.probe === probe);
    const texts = [...new Set(own.map(({ report }) => settings(report.options)))].filter(
      (text) => text !== '',
    );
    return texts.map((text) => `${reporting(probe).title}: ${text}`);
  });
  return [
    `We audited ${listed(evaluators)} with Captious ${listed(versions)}${cite()} (${listed(probes)}) on ${datasetWords(entries)}.`,
    limits.length > 0 ? `Only the first ${listed(limits)} examples of a file were read.` : '',
    `Perturbations are seeded with ${listed(one(({ report }) => seedsIn(report)))}.`,
    options.length === 0 ? '' : `Options: ${options.join('; ')}.`,
    experimentWords(entries),
    others.some((text) => text !== '') ? `Versions: ${others.join('; ')}.` : '',
  ];
}

/** The experiment files of the reports. A file that changed between two reports is named with both hashes. */
function experimentWords(entries: readonly Entry[]): string {
  const files = entries.flatMap(({ report: { experiment } }) =>
    experiment === undefined
      ? []
      : [
          `${experiment.file}${experiment.run === undefined ? '' : ` (run ${experiment.run})`} with SHA-256 ${experiment.sha256}`,
        ],
  );
  return files.length === 0 ? '' : `Experiment file: ${[...new Set(files)].join('; ')}.`;
}

/** What one observation is, for the datasets whose clusters the user named. */
function clusterWords(entries: readonly Entry[]): string[] {
  if (entries.every(({ report }) => report.dataset.cluster === undefined)) return [];
  return inOrder(entries, ({ dataset }) => dataset).map((dataset) => {
    const own = entries.filter((entry) => entry.dataset === dataset);
    const names = [...new Set(own.map(({ report }) => report.dataset.cluster))].map((name) =>
      name === undefined ? 'the images' : `the values of the column "${name}"`,
    );
    return `The clusters of ${dataset} are ${names.join(' or ')}.`;
  });
}

/** Paths in options are reduced to file names, because exports must not contain paths. */
function settings(options: Entry['report']['options']): string {
  return Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} = ${shownOption(value)}`)
    .join(', ');
}

/** The seeds of a report's draws, in words. */
function seedsIn({ seed, draws = 1, defaultDraws }: Report): string {
  const by = defaultDraws === undefined ? '' : ', the default for fewer than 1,000 captions';
  return draws === 1 ? String(seed) : `${seed} to ${seed + draws - 1} (${draws} draws of the variants${by})`;
}
