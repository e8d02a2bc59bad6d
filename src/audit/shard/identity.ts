import { createHash } from 'node:crypto';
import type { Manifest } from './manifest';

/** A shard's request, known before the shard is complete. */
export type Head = Omit<Manifest, 'probes' | 'store' | 'imageList' | 'ids'> & {
  probes: readonly Pick<
    Manifest['probes'][number],
    'probe' | 'options' | 'beside' | 'draws' | 'defaultDraws'
  >[];
};

/** The name of a shard's folder, with a hash of the request: two runs may share a parent folder. */
export function runName(head: Head): string {
  const { shard, ...rest } = identity(head);
  const hash = createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, 8);
  return `shard-${hash}-${String(shard.index).padStart(String(shard.count).length, '0')}-of-${shard.count}`;
}

/**
 * The fields that identify a shard, except its images. Leaves out paths, which may differ between machines. A shard
 * that runs again with other images replaces the former one, so the images do not affect its name.
 */
function identity({ shard, dataset, map, seed, limit, versions, evaluators, probes }: Head) {
  return {
    shard,
    dataset: { sha256: dataset.sha256, format: dataset.format },
    map: map ?? {},
    seed,
    limit: limit ?? null,
    versions,
    evaluators: evaluators.map(({ info }) => ({ ...info, path: undefined })),
    probes: Object.fromEntries(
      probes.map(({ probe, options, beside, draws }) => [probe, { ...options, beside, draws }]),
    ),
  };
}

export interface Difference {
  what: string;
  values: [string, string];
}

export function differences(a: Head, b: Head): Difference[] {
  const found: Difference[] = [];
  const compare = (what: string, x: unknown, y: unknown): void => {
    if (JSON.stringify(x) === JSON.stringify(y)) return;
    if (isObject(x) && isObject(y)) {
      for (const key of new Set([...Object.keys(x), ...Object.keys(y)]))
        compare(`${what}.${key}`, x[key], y[key]);
      return;
    }
    found.push({ what, values: [shown(x), shown(y)] });
  };
  const [first, second] = [identity(a), identity(b)];
  compare('shards', first.shard.count, second.shard.count);
  for (const key of ['dataset', 'map', 'seed', 'limit', 'versions', 'evaluators', 'probes'] as const)
    compare(key, first[key], second[key]);
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
