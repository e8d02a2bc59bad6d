/* Checks a benchmark's items, and writes a report as an audit does. No evaluator takes part. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { append } from '../../base/lists';
import { CaptiousError, throwIfCancelled } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Dataset } from '../../dataset/dataset';
import type { FieldMap } from '../../dataset/fields/fields';
import { createImageFinder } from '../../dataset/images/images';
import { openDataset } from '../../dataset/open';
import type { Evaluator } from '../../evaluator/evaluator';
import { benchmark, checkItems, refusal } from '../../probe/benchmark/benchmark';
import { type Item, itemsOf } from '../../probe/benchmark/items';
import { OutputFile } from '../../report/output';
import type { AuditEvent } from '../events';
import { Exclusions, noExamples } from '../exclusions';
import { prepareFolder } from '../output/folder';
import { type WrittenReport, writeReport } from '../output/writeReport';
import { runFolder } from '../run';
import { joinReports, type OpenedReports } from './reports';
import { chosenExamples } from './subset';

export interface BenchmarkRequest {
  dataset: string;
  /** The folder of the report. The default is the dataset's folder in the home folder. */
  out?: string;
  limit?: number;
  map?: FieldMap;
  /** The folders of the images. Without them, images are not searched. */
  images?: readonly string[];
  home?: string;
  seed: number;
  /** Reports of audited evaluators. */
  reports?: OpenedReports;
  /** Where to write the ids of the examples that keep the order of the evaluators. */
  subset?: string;
  signal: AbortSignal;
  onEvent?: (event: AuditEvent) => void;
}

/** Takes the evaluator's place in the report. */
const blind: Evaluator = {
  info: {
    ...{ id: 'blind', name: 'without evaluator', kind: 'scores', scores: [], notes: [], prefix: '' },
    sha256: createHash('sha256').update('benchmark 1').digest('hex'),
    ...{ precision: 'float64', provider: 'cpu', scale: { name: 'own', low: 0, high: 1 } },
  },
  close: async () => undefined,
};

export async function runBenchmark(request: BenchmarkRequest): Promise<WrittenReport> {
  const { signal, map, limit, seed, home = homeFolder(), onEvent = () => undefined } = request;
  const path = resolve(request.dataset);
  const out = request.out ?? runFolder(home, path);
  const fingerprints = new Fingerprints(storeFolder(home));
  const before = await fingerprints.sha256(path, signal);
  const dataset = await openDataset(path, { map, signal });
  onEvent({ type: 'started', probe: benchmark.id, evaluators: [blind.info.name], format: dataset.format });
  const exclusions = new Exclusions();
  const { items, examples, files } = await itemsIn(dataset, exclusions, { limit, signal, onEvent });
  const missing = await missingIn(dataset, files, request);
  const joined = request.reports && (await joinReports(request.reports, before, items));
  const { rows, ...findings } = await inTurns(
    checkItems(items, seed, missing, joined?.evaluators, told(examples, onEvent)),
    signal,
  );
  append(findings.warnings, joined?.warnings ?? []);
  await prepareFolder(out, (message) => onEvent({ type: 'notice', message }));
  const file = await OutputFile.create(join(out, 'benchmark.rows.jsonl'));
  try {
    const chosen = chosenExamples(request.subset);
    for (const row of rows) {
      chosen.add(row);
      await file.line(row);
    }
    if ((await fingerprints.sha256(path, signal)) !== before)
      throw new CaptiousError('interrupted', say('audit.datasetChangedDuringAudit'), {
        at: path,
        remedy: say('resume.runAuditAgain'),
      });
    const job = {
      probe: benchmark,
      ...{ dataset, out, onEvent, options: {}, images: undefined, bench: { cutTexts: () => 0 } },
      partly: { count: 0, first: [] },
      ...(limit === undefined ? {} : { limit }),
    };
    const written = await writeReport(
      job,
      blind.info.id,
      { evaluator: blind, rows: file, exclusions, examples },
      findings,
      before,
      seed,
    );
    await chosen.write();
    return written;
  } finally {
    await file.discard();
    await fingerprints.flush();
  }
}

/** Announces the finished share of the models without the image, which take nearly all the time. */
function told(examples: number, onEvent: (event: AuditEvent) => void): (done: number, of: number) => void {
  return (done, asked) =>
    onEvent({
      type: 'progress',
      probe: benchmark.id,
      progress: { fraction: done / asked, examples, asked, done, fromStore: 0 },
    });
}

/** Reads the items of a file. Other examples are counted as left out. */
async function itemsIn(
  dataset: Dataset,
  exclusions: Exclusions,
  {
    limit = Infinity,
    signal,
    onEvent,
  }: Required<Pick<BenchmarkRequest, 'signal' | 'onEvent'>> & { limit?: number },
): Promise<{ items: Item[]; examples: number; files: ReadonlySet<string> }> {
  const items: Item[] = [];
  const files = new Set<string>();
  let examples = 0;
  let read = 0;
  const reading = dataset.read({
    signal,
    onProblem(problem) {
      exclusions.book(problem);
      onEvent({ type: 'problem', probe: benchmark.id, problem });
    },
  });
  for await (const example of reading) {
    if (read++ === limit) break;
    const reason = refusal(example);
    if (reason !== undefined) exclusions.leaveOut(reason, example.place?.line);
    else {
      examples++;
      for (const { name, bytes } of example.images) if (bytes === undefined) files.add(name);
      append(items, itemsOf(example));
    }
  }
  if (read === 0) throw noExamples(dataset.path);
  return { items, examples, files };
}

/** The names without a file in the user's folders or next to the dataset. Undefined if the user named no folder. */
export async function missingIn(
  dataset: Dataset,
  files: ReadonlySet<string>,
  { images = [], signal }: Pick<BenchmarkRequest, 'images' | 'signal'>,
): Promise<Set<string> | undefined> {
  if (images.length === 0) return undefined;
  const finder = createImageFinder({ dataset, folders: images, signal });
  const missing = new Set<string>();
  for (const name of files) {
    throwIfCancelled(signal);
    if (!(await finder.find(name)).ok) missing.add(name);
  }
  return missing;
}
