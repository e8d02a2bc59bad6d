/* What one observation of a report is, for every text that counts observations: an image, or what the user named. */
import { say, type Words } from '../say';

/** The clusters of several reports by one name; undefined if each image is one observation in all of them. */
export function commonCluster(clusters: Iterable<string | undefined>): string | undefined {
  const names = new Set(clusters);
  if (names.size === 0 || (names.size === 1 && names.has(undefined))) return undefined;
  return [...names].map((name) => name ?? 'image').join(', ');
}

/** Such as "12 images", or "12 clusters (patient)" if the user named the column "patient". */
export function observationCount(count: number | string, cluster: string | undefined): Words {
  return cluster === undefined
    ? say('base.countOfImages', count)
    : say('base.countOfClusters', count, cluster);
}

/** The plural without a number. */
export function observations(cluster: string | undefined): Words {
  return cluster === undefined ? say('bench.images') : say('base.clustersOf', cluster);
}

/** The singular, such as in "standard errors clustered by image". */
export function observation(cluster: string | undefined): Words {
  return cluster === undefined ? say('invariance.image') : say('base.clusterOf', cluster);
}
