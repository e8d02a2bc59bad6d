/* Rewords the notes of metrics for datasets whose clusters the user named. Probes count clusters without knowing what they are. */
import { type Said, say, spoken } from '../../base/say';
import { englishOf } from '../../base/english';
import { Templates } from '../../base/text/templates';

/** Each text that calls observations images, and its form for clusters. The numbers stand for any values. */
const forms: readonly (readonly [Said, Said])[] = [
  [say('inference.tooFewClusters', 0, 1), say('inference.thereOnlyClustersInterval', 0, 1)],
  [say('inference.oneCluster'), say('inference.allValuesComeFrom')],
  [say('probe.wilsonInterval'), say('inference.wilsonOverClusters')],
  [say('invariance.testNeedsImages', 0), say('inference.noTestFewerThan', 0)],
  [say('invariance.ciNeedsImages', 0), say('inference.noIntervalThereFewer', 0)],
  [say('invariance.skillingsMackImpossible', 0), say('inference.noTestFewerThanN', 0)],
  [say('invariance.modelWithClusteredCi', 0), say('inference.intervalClusteredStandardErrors', 0)],
  [say('inference.clusteredIntervalOnly'), say('inference.intervalClusteredStandardErrorsN')],
  [say('inference.pairedTest'), say('inference.pairedTestClustered')],
  [say('inference.twoGroupTest'), say('inference.twoGroupsTestClustered')],
  [say('inference.pooledVarianceTest'), say('inference.twoGroupsTestOneVariance')],
  [say('visla.pairedRule', 0, 1, 2, 3), say('inference.pairedTestOnSame', 0, 1, 2, 3)],
  [say('invariance.testedOnImageMeans', 0), say('inference.testedOnMeanScores', 0)],
  [say('invariance.largerOfUnits', 0, 1, 2, 3), say('inference.largerOfClustersAndTexts', 0, 1, 2, 3)],
  [say('invariance.skillingsMackTest', 0, 1, 2), say('inference.skillingsMackOnClusters', 0, 1, 2)],
  [say('invariance.widestWordPair', 0, 1, 2, 3), say('inference.fromOnClustersBoth', 0, 1, 2, 3)],
  [say('stats.proportionNeedsImages'), say('inference.thereFewerThanTwo')],
  [say('stats.agreementNeedsImages'), say('inference.thereFewerThanThree')],
  [say('invariance.tooFewImages'), say('inference.thereTooFewClusters')],
  [say('stats.groupNeedsImages'), say('inference.groupValuesFewerThan')],
  [say('stats.tooFewCommonImages'), say('inference.groupsTooFewClusters')],
  [say('stats.imagesGiveSameValue'), say('inference.everyClusterGivesSame')],
  [say('stats.jackknifeUndefined'), say('inference.statisticNotDefinedIf')],
  [say('stats.jackknifeConstant'), say('inference.leavingOutAnyOne')],
  [say('stats.imagesWithoutInfluence'), say('inference.leavingOutAnyOneN')],
  [say('stats.agreementPerfectOverImages'), say('inference.agreementPerfectOverAll')],
  [say('stats.comparedAgreementPerfect'), say('inference.oneAgreementsPerfectOver')],
];

/** Texts around a reason. */
const around: readonly Said[] = [
  say('probe.noInterval', 0),
  say('inference.noTest', 0),
  say('human.correlationUndefined', 0),
  say('invariance.kruskalWallisImpossible', 0),
];

const sentenceOf = ({ code }: Said) => englishOf(code);
const formOf = new Map(forms.map((pair) => pair.map(sentenceOf) as [string, string]));
let templates: Templates | undefined;

/** An English text of a probe about clusters instead of images. Texts that count no observations stay the same. */
export function inClusters(text: string): string {
  templates ??= new Templates([...formOf.keys(), ...around.map(sentenceOf)]);
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
