/* A run of many probes and evaluators in which each report, a cell, succeeds or fails alone. */
import { actionable, CaptiousError, throwIfCancelled } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { datasetHash } from '../../dataset/parts/hash';
import { type Evaluator, uncoveredBy } from '../../evaluator/evaluator';
import { askConsent } from '../consent';
import type { Job } from '../probeRun';
import type { Failing } from './failing';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { versions } from '../../base/files/versions';
import { installFolder } from '../../base/install';
import { defaultSeed } from '../output/folder';
import { contextOf } from '../shard/manifest';
import { Voters } from '../evaluators/voters';
import type { Matrix, AuditCell } from './cell';
import type { WrittenReport } from '../output/writtenReport';

/** The error of one cell. Throws if the user cancelled the run, and for defects. */
export function ofCell(thrown: unknown, signal: AbortSignal): CaptiousError {
  throwIfCancelled(signal);
  const error = actionable(thrown);
  if (error instanceof CaptiousError) return error;
  throw error;
}

/** The cells of one probe. */
export class ProbeCells implements Failing {
  private readonly keys = new Map<Evaluator, string>();

  constructor(
    private readonly matrix: Matrix,
    private readonly job: Job,
    private readonly refs: ReadonlyMap<Evaluator, string>,
  ) {}

  /** The job without the cells that are done or cannot run. Asks for the missing consents of the others. */
  async find(path: string, fingerprints: Fingerprints): Promise<Job> {
    const { request } = this.job;
    const evaluators: Evaluator[] = [];
    let keyOf: KeyOf | undefined;
    for (const evaluator of this.job.evaluators) {
      try {
        keyOf ??= await cellKeys(this.job, await datasetHash(path, fingerprints, request.signal));
        const key = await keyOf(evaluator);
        if (await this.matrix.isDone(this.cellOf(evaluator), key)) continue;
        await askConsent(request, evaluator.consent, evaluator.info.scores);
        this.keys.set(evaluator, key);
        evaluators.push(evaluator);
      } catch (thrown) {
        this.failed(evaluator, this.errorOf(thrown));
      }
    }
    return { ...this.job, evaluators, onReport: (evaluator, written) => this.done(evaluator, written) };
  }

  errorOf(thrown: unknown): CaptiousError {
    return ofCell(thrown, this.job.request.signal);
  }

  failed(evaluator: Evaluator, error: CaptiousError): void {
    this.matrix.failed(this.cellOf(evaluator), error);
  }

  private done(evaluator: Evaluator, written: WrittenReport): Promise<void> {
    const finished = { key: this.keys.get(evaluator)!, written, uncovered: uncoveredBy(evaluator) };
    return this.matrix.done(this.cellOf(evaluator), finished);
  }

  private cellOf(evaluator: Evaluator): AuditCell {
    return { probe: this.job.probe.id, ref: this.refs.get(evaluator)! };
  }
}

/** Calculates the key of one evaluator's report of a job. */
type KeyOf = (evaluator: Evaluator) => Promise<string>;

async function cellKeys(job: Job, datasetSha256: string): Promise<KeyOf> {
  const { request, probe, options, dataset } = job;
  const { seed = defaultSeed, draws = null, limit = null, map = {}, spread = true } = request;
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
      { seed, draws, limit, spread, images: (await job.imagesOf(evaluator)) ?? null },
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
