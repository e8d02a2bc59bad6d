import { resolve } from 'node:path';
import { createImageFinder } from '../../dataset/images/images';
import { openDataset } from '../../dataset/open';
import { wantKey } from '../../evaluator/wantKey';
import type { Probe } from '../../probe/probe';
import type { Want, WantKind } from '../../protocol/item';
import { defaultSeed } from '../output/folder';
import { drawMismatched } from './draw';
import { kindOfPairs, leastPairs, needsSpread } from './spread';
import type { DatasetRequest } from '../scoring/datasetRequest';

/** The mismatched pairs of an evaluator that is not open, such as a judge or another program. */
export async function mismatchedWants(
  { dataset: file, map, images = [], limit = Infinity, seed = defaultSeed, signal }: DatasetRequest,
  kinds: readonly WantKind[],
): Promise<Want[]> {
  const path = resolve(file);
  const dataset = await openDataset(path, { map, signal });
  const finder = createImageFinder({ dataset, folders: images, signal });
  const request = { dataset, limit, seed, finder, signal };
  const pairs = await drawMismatched(request, kindOfPairs({ scores: kinds }), leastPairs);
  return pairs.map(({ want }) => want);
}

interface KeyedWant {
  key: string;
  want: Want;
}

/** The pairs of a probe, then the mismatched pairs if the probe has metrics in units of the score. */
export async function* withMismatched(
  wants: AsyncIterable<KeyedWant>,
  probe: Pick<Probe, 'unit'>,
  request: DatasetRequest & { kinds: readonly WantKind[] },
): AsyncGenerator<KeyedWant> {
  const keys = new Set<string>();
  for await (const keyed of wants) {
    keys.add(keyed.key);
    yield keyed;
  }
  if (keys.size === 0 || !needsSpread(probe, {})) return;
  for (const want of await mismatchedWants(request, request.kinds)) {
    const key = wantKey(want);
    if (!keys.has(key)) yield { key, want };
  }
}
