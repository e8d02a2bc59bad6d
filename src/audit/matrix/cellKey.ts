/* A hash of everything that determines a report, so that a report that would be the same is not made again. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fingerprints } from '../../base/files/fingerprints';
import { versions } from '../../base/files/versions';
import { installFolder } from '../../base/install';
import type { Evaluator } from '../../evaluator/evaluator';
import { defaultSeed } from '../output/folder';
import type { Job } from '../probeRun';
import { contextOf } from '../shard/manifest';
import { Voters } from '../evaluators/voters';

/** Calculates the key of one evaluator's report of a job. */
export type KeyOf = (evaluator: Evaluator) => Promise<string>;

export async function cellKeys(job: Job, datasetSha256: string): Promise<KeyOf> {
  const { request, probe, options, dataset } = job;
  const { seed = defaultSeed, limit = null, map = {}, spread = true } = request;
  const { beside = null } = await contextOf(dataset.path, seed, options, probe, () =>
    dataset.read({ signal: request.signal }),
  );
  const voters = new Voters(request, job.evaluators, options);
  const choosing = probe.mode === 'pairs' ? [] : (await voters.get()).map(({ info }) => info);
  await voters.close();
  const build = await buildHash();
  return async (evaluator) => {
    const checkpoint = job.checkpointOf?.(evaluator);
    const parts = [
      { probe: probe.id, options: Object.entries(options).sort(), beside },
      { path: dataset.path, sha256: datasetSha256, format: dataset.format, map: Object.entries(map).sort() },
      { seed, limit, spread, images: (await job.imagesOf(evaluator)) ?? null },
      [evaluator.info, ...choosing],
      { ...versions(), build },
      ...(checkpoint === undefined ? [] : [{ checkpoint }]),
    ];
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  };
}

/** Several builds may have one version. The editor's package has no command line, so its version must do. */
async function buildHash(): Promise<string | null> {
  const code = join(installFolder(), 'dist/cli.js');
  return existsSync(code) ? new Fingerprints(undefined).sha256(code) : null;
}
