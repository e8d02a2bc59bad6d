/* Rewords messages for datasets whose clusters the user named. Probes count clusters without knowing what they are. */
import type { Code, Words } from '../../base/say';

/** Each message that calls observations images, and its form for clusters. */
const forms: ReadonlyMap<string, Code> = new Map<Code, Code>([
  ['inference.tooFewClusters', 'inference.thereOnlyClustersInterval'],
  ['inference.oneCluster', 'inference.allValuesComeFrom'],
  ['probe.wilsonInterval', 'inference.wilsonOverClusters'],
  ['invariance.testNeedsImages', 'inference.noTestFewerThan'],
  ['invariance.skillingsMackImpossible', 'inference.noTestFewerThanN'],
  ['invariance.modelWithClusteredCi', 'inference.intervalClusteredStandardErrors'],
  ['invariance.modelWithUnitCi', 'inference.intervalByClusterAndText'],
  ['inference.clusteredIntervalOnly', 'inference.intervalClusteredStandardErrorsN'],
  ['inference.pairedTest', 'inference.pairedTestClustered'],
  ['inference.twoGroupTest', 'inference.twoGroupsTestClustered'],
  ['inference.pooledVarianceTest', 'inference.twoGroupsTestOneVariance'],
  ['visla.pairedRule', 'inference.pairedTestOnSame'],
  ['invariance.testedOnImageMeans', 'inference.testedOnMeanScores'],
  ['invariance.largerOfUnits', 'inference.largerOfClustersAndTexts'],
  ['explain.largerOfWords', 'inference.largerOfClustersAndWords'],
  ['invariance.skillingsMackTest', 'inference.skillingsMackOnClusters'],
  ['invariance.widestWordPair', 'inference.fromOnClustersBoth'],
  ['stats.proportionNeedsImages', 'inference.thereFewerThanTwo'],
  ['stats.agreementNeedsImages', 'inference.thereFewerThanThree'],
  ['invariance.tooFewImages', 'inference.thereTooFewClusters'],
  ['stats.groupNeedsImages', 'inference.groupValuesFewerThan'],
  ['stats.tooFewCommonImages', 'inference.groupsTooFewClusters'],
  ['stats.imagesGiveSameValue', 'inference.everyClusterGivesSame'],
  ['stats.jackknifeUndefined', 'inference.statisticNotDefinedIf'],
  ['stats.jackknifeConstant', 'inference.leavingOutAnyOne'],
  ['stats.imagesWithoutInfluence', 'inference.leavingOutAnyOneN'],
  ['stats.agreementPerfectOverImages', 'inference.agreementPerfectOverAll'],
  ['stats.comparedAgreementPerfect', 'inference.oneAgreementsPerfectOver'],
]);

/** The message about clusters instead of images. Messages that count no observations stay the same. */
export function inClusters(words: Words): Words {
  if (typeof words === 'string') return words;
  return { code: forms.get(words.code) ?? words.code, values: words.values.map(inClusters) };
}

/** The metrics with their notes about clusters, if the user named a column. */
export function metricsInClusters<M extends { note?: Words }>(
  metrics: readonly M[],
  cluster: string | undefined,
): M[] {
  return metrics.map((metric) =>
    cluster === undefined || metric.note === undefined
      ? metric
      : { ...metric, note: inClusters(metric.note) },
  );
}
