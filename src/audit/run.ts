import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { askConsent } from './consent';
import { runGallery } from './gallery';
import type { AuditEvent } from './events';
import { defaultSeed, prepareFolder } from './folder';
import { Exclusions } from './exclusions';
import type { EvaluatorRun } from './pairs';
import { PairStage } from './pairStage';
import { ProgressMeter } from './progress';
import { evaluatorNames } from './reportName';
import { writeReport, type WrittenReport } from './writeReport';
import { CaptiousError } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { homeFolder, storeFolder } from '../base/files/home';
import type { Bench } from '../bench/bench';
import { createBench } from '../bench/createBench';
import type { Dataset } from '../dataset/dataset';
import type { FieldMap } from '../dataset/fields';
import { createImageFinder } from '../dataset/images/images';
import { openDataset } from '../dataset/open';
import type { EditorModels } from '../evaluator/judge/editorModels';
import type { Evaluator } from '../evaluator/evaluator';
import type { Secret } from '../evaluator/fileContext';
import { openEvaluator } from '../evaluator/open';
import { SeamMeter } from '../evaluator/native/seamMeter';
import { probeNamed, resolveOptions } from '../probe/list';
import type { Findings, OptionValue, Probe } from '../probe/probe';
import { OutputFile } from '../report/output';

export interface AuditRequest {
  dataset: string;
  probes: readonly string[];
  /** Installed ids or paths, or an evaluator that is open already; it is closed with the run. */
  evaluators: readonly (string | Evaluator)[];
  /** Folders to look for photos in, before the usual ones. */
  images?: readonly string[];
  /** Folder of the reports; absent: one under the home folder that belongs to this dataset. */
  out?: string;
  limit?: number;
  seed?: number;
  /** By probe id, then by option. */
  options?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  map?: FieldMap;
  home?: string;
  batchSize?: number;
  threads?: number;
  /** Where models run: `cpu` by default, `auto` tries what the platform offers. */
  provider?: string;
  /** Which of a model's graphs: `float32` by default. */
  precision?: string;
  signal: AbortSignal;
  onEvent?: (event: AuditEvent) => void;
  /** Where keys of endpoints come from, by name; the environment by default. */
  secret?: Secret;
  /** The language models of the editor, where the run was started from one. */
  editor?: EditorModels;
  /** Whether an endpoint may be asked on these terms; asked once per endpoint. Absent: none may that was not before. */
  consent?: (terms: string) => Promise<boolean>;
}

/** One dataset through every probe and evaluator asked for, into one report each. */
export async function runAudit(request: AuditRequest): Promise<WrittenReport[]> {
  const home = request.home ?? homeFolder();
  const onEvent = request.onEvent ?? (() => undefined);
  const path = resolve(request.dataset);
  const probes = [...new Set(request.probes)].map(probeNamed);
  const options = new Map(
    probes.map((probe) => [probe, resolveOptions(probe, request.options?.[probe.id] ?? {})]),
  );
  const fingerprints = new Fingerprints(storeFolder(home));
  const dataset = await openDataset(path, { map: request.map, signal: request.signal });
  const out = request.out ?? join(home, 'runs', runName(path));
  await prepareFolder(out);

  const evaluators: Evaluator[] = [];
  const meter = new ProgressMeter((await stat(path)).size, request.limit);
  const bench = createBench({
    store: storeFolder(home),
    batchSize: request.batchSize,
    onProgress: (progress) => meter.bench(progress),
    onWarning: (message) => onEvent({ type: 'notice', message }),
  });
  try {
    for (const ref of new Set(request.evaluators)) {
      const open =
        typeof ref === 'string'
          ? openEvaluator(ref, {
              home,
              threads: request.threads,
              provider: request.provider,
              precision: request.precision,
              secret: request.secret,
              editor: request.editor,
              signal: request.signal,
              allow: (consent, scores) => askConsent(request, consent, scores),
            })
          : ref;
      evaluators.push(await open);
    }
    for (const { info, consent } of evaluators) await askConsent(request, consent, info.scores);
    const written: WrittenReport[] = [];
    for (const probe of probes) {
      onEvent({
        type: 'started',
        probe: probe.id,
        evaluators: evaluators.map(({ info }) => info.id),
        format: dataset.format,
      });
      meter.start((progress) => onEvent({ type: 'progress', probe: probe.id, progress }));
      const job: Job = {
        request,
        probe,
        options: options.get(probe)!,
        dataset,
        evaluators,
        bench,
        out,
        meter,
        onEvent,
      };
      const before = await fingerprints.sha256(path);
      const drafts = await runProbe(job, before);
      try {
        if ((await fingerprints.sha256(path)) !== before) {
          throw new CaptiousError('interrupted', 'The dataset changed while it was being audited.', {
            at: path,
            remedy: 'Run the audit again; what is in the cache is not encoded again.',
          });
        }
        for (const { finish } of drafts) {
          const report = await finish();
          written.push(report);
          onEvent({ type: 'report', ...report });
        }
      } finally {
        // Of what was finished nothing is left to discard.
        await Promise.all(drafts.map(({ discard }) => discard()));
      }
    }
    return written;
  } finally {
    // The bench first: it waits for batches that are on their way, which closing an evaluator would lose.
    await bench.close();
    await Promise.allSettled([fingerprints.flush(), ...evaluators.map((evaluator) => evaluator.close())]);
  }
}

interface Job {
  request: AuditRequest;
  probe: Probe;
  options: Record<string, OptionValue>;
  dataset: Dataset;
  evaluators: readonly Evaluator[];
  bench: Bench;
  out: string;
  meter: ProgressMeter;
  onEvent: (event: AuditEvent) => void;
}

interface Draft {
  finish: () => Promise<WrittenReport>;
  discard: () => Promise<void>;
}

/** Runs one probe; answers what writes each report, so that nothing appears before the dataset is known to be the same. */
async function runProbe(job: Job, datasetSha256: string): Promise<Draft[]> {
  const { probe, dataset, request, meter, onEvent } = job;
  const seed = request.seed ?? defaultSeed;
  const context = {
    dataset: basename(dataset.path, extname(dataset.path)),
    seed,
    options: job.options,
    beside: probe.prepare?.({ datasetPath: dataset.path, options: job.options }),
  };
  const seamMeter = new SeamMeter();
  let stage: PairStage | undefined;
  const evaluatorRuns: Omit<EvaluatorRun, 'summary'>[] = [];
  const names = evaluatorNames(job.evaluators);
  try {
    for (const [i, evaluator] of job.evaluators.entries()) {
      const rows = await OutputFile.create(join(job.out, `${probe.id}.${names[i]}.rows.jsonl`));
      evaluatorRuns.push({ evaluator, rows, exclusions: new Exclusions(), examples: 0 });
    }
    const shared = {
      dataset,
      limit: request.limit ?? Infinity,
      bench: job.bench,
      finder: createImageFinder({ datasetPath: dataset.path, folders: request.images ?? [] }),
      signal: request.signal,
      onProblem: (problem: Parameters<Exclusions['book']>[0]) => {
        for (const evaluatorRun of evaluatorRuns) evaluatorRun.exclusions.book(problem);
        onEvent({ type: 'problem', probe: probe.id, problem });
      },
    };
    const findings = new Map<Evaluator, Findings>();
    if (probe.mode === 'pairs') {
      const seated = evaluatorRuns.map((evaluatorRun) =>
        Object.assign(evaluatorRun, {
          summary: probe.summary({
            ...context,
            scores: evaluatorRun.evaluator.info.scores,
            scale: evaluatorRun.evaluator.info.scale,
          }),
        }),
      );
      stage = new PairStage({
        ...shared,
        probe,
        context,
        evaluatorRuns: seated,
        seams: seamMeter,
        datasetSha256,
        out: job.out,
        images: request.images ?? [],
        map: request.map,
        meter,
        onPartialMetrics: (partialMetrics) =>
          onEvent({ type: 'partialMetrics', probe: probe.id, partialMetrics }),
        onNotice: (message) => onEvent({ type: 'notice', message }),
      });
      for (const [evaluator, value] of await stage.run()) findings.set(evaluator, value);
    } else {
      const found = await runGallery({
        ...shared,
        probe,
        context,
        evaluatorRuns,
        onExample: (example) => meter.read(example),
      });
      for (const [evaluator, value] of found) findings.set(evaluator, value);
    }
    meter.finish();
    return evaluatorRuns.map((evaluatorRun, i) => ({
      finish: () =>
        writeReport(
          { ...job, limit: request.limit },
          names[i],
          evaluatorRun,
          findings.get(evaluatorRun.evaluator)!,
          datasetSha256,
          seed,
        ),
      discard: async () => {
        await evaluatorRun.rows.discard();
        await stage?.end();
      },
    }));
  } catch (error) {
    const left = await stage?.stop(error);
    await Promise.all(evaluatorRuns.map(({ rows }) => (left ? rows.leave() : rows.discard())));
    throw error;
  } finally {
    await seamMeter.close();
  }
}

function runName(path: string): string {
  const stem = basename(path).replace(/[^\w.-]+/g, '_');
  return `${stem}-${createHash('sha256').update(path).digest('hex').slice(0, 8)}`;
}
