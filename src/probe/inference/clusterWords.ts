/* Rewords the notes of metrics for datasets whose clusters the user named. Probes count clusters without knowing what they are. */
import { type Said, say, spoken } from '../../base/say';
import { Templates } from '../../base/text/templates';

/** Each text that calls observations images, and its form for clusters. The numbers stand for any values. */
const forms: readonly (readonly [Said, Said])[] = [
  [
    say`there are only ${0} images, and an interval needs ${1}`,
    say`there are only ${0} clusters, and an interval needs ${1}`,
  ],
  [say`all values come from one image or query`, say`all values come from one cluster`],
  [
    say`Wilson's interval over images, because all values are the same.`,
    say`Wilson's interval over clusters, because all values are the same.`,
  ],
  [say`No test: fewer than ${0} images.`, say`No test: fewer than ${0} clusters.`],
  [
    say`No interval: there are fewer than ${0} images.`,
    say`No interval: there are fewer than ${0} clusters.`,
  ],
  [
    say`No test: fewer than ${0} images, or no differences.`,
    say`No test: fewer than ${0} clusters, or no differences.`,
  ],
  [
    say`${0}; interval with standard errors clustered by image.`,
    say`${0}; interval with clustered standard errors.`,
  ],
  [
    say`Interval with standard errors clustered by image. The p value has a test of its own.`,
    say`Interval with clustered standard errors. The p value has a test of its own.`,
  ],
  [
    say`Paired t-test, with standard errors clustered by image.`,
    say`Paired t-test, with clustered standard errors.`,
  ],
  [
    say`t-test of two groups, with standard errors clustered by image.`,
    say`t-test of two groups, with clustered standard errors.`,
  ],
  [
    say`t-test of two groups with one variance, over images.`,
    say`t-test of two groups with one variance, over clusters.`,
  ],
  [
    say`Paired test of ${0} and ${1} on the same triplets, clustered by image: the 95 % interval of the difference is ${2}. ${3}`,
    say`Paired test of ${0} and ${1} on the same triplets, with clustered standard errors: the 95 % interval of the difference is ${2}. ${3}`,
  ],
  [say`Tested on the mean scores of ${0} images.`, say`Tested on the mean scores of ${0} clusters.`],
  [
    say`Skillings–Mack on ${0} images, χ²(${1}) = ${2}.`,
    say`Skillings–Mack on ${0} clusters, χ²(${1}) = ${2}.`,
  ],
  [
    say`From ${0} to ${1}, on the ${2} images that have both words. ${3} No interval: the largest of several medians is a biased estimate.`,
    say`From ${0} to ${1}, on the ${2} clusters that have both words. ${3} No interval: the largest of several medians is a biased estimate.`,
  ],
  [say`there are fewer than two images`, say`there are fewer than two clusters`],
  [say`there are fewer than three images`, say`there are fewer than three clusters`],
  [say`there are too few images`, say`there are too few clusters`],
  [say`a group has values of fewer than two images`, say`a group has values of fewer than two clusters`],
  [say`the groups have too few images in common`, say`the groups have too few clusters in common`],
  [say`every image gives the same value`, say`every cluster gives the same value`],
  [
    say`the statistic is not defined if one of the images or queries is left out`,
    say`the statistic is not defined if one of the clusters is left out`,
  ],
  [
    say`leaving out any one image or query changes nothing, so the BCa interval is not defined`,
    say`leaving out any one cluster changes nothing, so the BCa interval is not defined`,
  ],
  [say`leaving out any one image changes nothing`, say`leaving out any one cluster changes nothing`],
  [
    say`the agreement is perfect over all images, or over all but one`,
    say`the agreement is perfect over all clusters, or over all but one`,
  ],
  [
    say`one of the agreements is perfect over all images, or over all but one`,
    say`one of the agreements is perfect over all clusters, or over all but one`,
  ],
];

/** Texts around a reason. */
const around: readonly Said[] = [
  say`No interval: ${0}.`,
  say`No test: ${0}.`,
  say`Not defined: ${0}.`,
  say`Kruskal–Wallis: ${0}.`,
];

const formOf = new Map(forms.map(([images, clusters]) => [images.words, clusters.words]));
let templates: Templates | undefined;

/** An English text of a probe about clusters instead of images. Texts that count no observations stay the same. */
export function inClusters(text: string): string {
  templates ??= new Templates([...formOf.keys(), ...around.map(({ words }) => words)]);
  return spoken(templates.wordsOf(text), (words) => formOf.get(words) ?? words);
}

/** The metrics with their notes about clusters, if the user named a column. */
export function metricsInClusters<M extends { note?: string }>(
  metrics: readonly M[],
  cluster: string | undefined,
): M[] {
  return metrics.map((metric) =>
    cluster === undefined || metric.note === undefined
      ? metric
      : { ...metric, note: inClusters(metric.note) },
  );
}
