/* Checks a benchmark's items, and writes a report as an audit does. No evaluator takes part. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { append } from '../../base/lists';
import { inputError, interruptedError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Dataset } from '../../dataset/dataset';
import type { FieldMap } from '../../dataset/fields/fields';
import { openDataset } from '../../dataset/open';
import type { Evaluator } from '../../evaluator/evaluator';
import { benchmark, checkItems, refusal } from '../../probe/benchmark/benchmark';
import { type Item, itemsOf } from '../../probe/benchmark/items';
import { alikeEarlier } from '../../probe/benchmark/images/alike';
import type { Known } from '../../probe/benchmark/known';
import { OutputFile, writeWhole } from '../../report/output';
import type { AuditEvent } from '../events';
import { Exclusions, noExamples } from '../exclusions';
import { prepareFolder } from '../output/folder';
import { writeReport } from '../output/writeReport';
import { runFolder } from '../run';
import { ImageReader, ImageSearch, type ReadImages } from './imageSearch';
import { leaksIn } from './leaksIn';
import { joinReports, type OpenedReports } from './reports';
import { textModelOf } from './textFile';
import { openTools, type Tools, type ToolsRequest } from './tools';
import { typicalityOf } from './typicality';
import type { BenchmarkRow } from '../../probe/benchmark/row';
import type { WrittenReport } from '../output/writtenReport';

export interface BenchmarkRequest extends ToolsRequest {
  dataset: string;
  /** The folder of the report. The default is the dataset's folder in the home folder. */
  out?: string;
  limit?: number;
  map?: FieldMap;
  /** The folders of the images. Without them, Captious searches images next to the dataset. */
  images?: readonly string[];
  /** Files with which the benchmark must have no caption and no image in common. */
  against?: readonly string[];
  /** A text file for a language model. */
  text?: string;
  seed: number;
  /** Reports of audited evaluators. */
  reports?: OpenedReports;
  /** Where to write the ids of the examples that keep the order of the evaluators. */
  subset?: string;
  /** What several checks share. By default, each opens its own. */
  tools?: Tools;
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
  if (request.tools !== undefined) return check(request, request.tools);
  const tools = await openTools(request);
  try {
    return await check(request, tools);
  } finally {
    await tools.close();
  }
}

async function check(request: BenchmarkRequest, tools: Tools): Promise<WrittenReport> {
  const { signal, map, limit, seed, home = homeFolder(), onEvent = () => undefined } = request;
  const path = resolve(request.dataset);
  const out = request.out ?? runFolder(home, path);
  const fingerprints = new Fingerprints(storeFolder(home));
  const before = await fingerprints.sha256(path, signal);
  const dataset = await openDataset(path, { map, signal });
  onEvent({ type: 'started', probe: benchmark.id, evaluators: [blind.info.name], format: dataset.format });
  const exclusions = new Exclusions();
  const search = new ImageSearch(dataset, request.images ?? [], signal);
  const reader = new ImageReader(search, tools.looks);
  const { items, examples } = await itemsIn(dataset, exclusions, reader, { limit, signal, onEvent });
  const told = (done: number, asked: number): void =>
    onEvent({
      ...{ type: 'progress', probe: benchmark.id },
      progress: { fraction: done / asked, examples, asked, done, fromStore: 0 },
    });
  const images = await reader.finish(told);
  const joined = request.reports && (await joinReports(request.reports, before, items));
  const known = {
    ...(await knownAbout(items, images, request, tools)),
    ...{ evaluators: joined?.evaluators, told },
  };
  const { rows, ...findings } = await inTurns(checkItems(items, seed, known), signal);
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
      throw interruptedError(say('audit.datasetChangedDuringAudit'), say('resume.runAuditAgain'), path);
    const job = {
      probe: benchmark,
      options: optionsOf(request, tools),
      ...{ dataset, out, onEvent, images: undefined, bench: { cutTexts: () => 0 } },
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

/** What reports say about how they were made. */
function optionsOf({ against = [], text }: BenchmarkRequest, { encoder }: Tools): Record<string, string> {
  return {
    ...(against.length === 0 ? {} : { against: against.join(', ') }),
    ...(text === undefined ? {} : { text }),
    ...(encoder === undefined ? {} : { encoder: encoder.evaluator.info.id }),
  };
}

/** What is known about the items from their images, other files and an encoder. */
async function knownAbout(
  items: readonly Item[],
  images: ReadImages,
  { against = [], images: folders = [], text, seed, signal }: BenchmarkRequest,
  { looks, encoder }: Tools,
): Promise<Known> {
  const { missing, corrupt, names } = images;
  return {
    ...{ missing, corrupt, names },
    alike: corrupt && (await inTurns(alikeEarlier(images.looks), signal)),
    leaks: await leaksIn(items, images, { others: against, folders, looks, signal }),
    blind: {
      lmText: text === undefined ? undefined : (await textModelOf(text, items, signal)).scoreOf(),
      typicality: encoder && (await typicalityOf(items, seed, { ...encoder, signal })),
    },
  };
}

/** Reads the items of a file, and its embedded images. Other examples are counted as left out. */
async function itemsIn(
  dataset: Dataset,
  exclusions: Exclusions,
  reader: ImageReader,
  {
    limit = Infinity,
    signal,
    onEvent,
  }: Required<Pick<BenchmarkRequest, 'signal' | 'onEvent'>> & { limit?: number },
): Promise<{ items: Item[]; examples: number }> {
  const items: Item[] = [];
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
    let own: Item[] = [];
    const reason = refusal(example, () => (own = itemsOf(example)));
    if (reason !== undefined) exclusions.leaveOut(reason, example.place?.line);
    else {
      examples++;
      for (const image of example.images) await reader.add(image);
      append(items, own);
    }
  }
  if (read === 0) throw noExamples(dataset.path);
  return { items, examples };
}

interface Chosen {
  add(row: BenchmarkRow): void;
  write(): Promise<void>;
}

/** Collects the ids of the examples that keep the order of the evaluators, and writes one on each line. */
function chosenExamples(file: string | undefined): Chosen {
  const ids = new Set<string>();
  return {
    add({ example, evaluators }) {
      if (evaluators?.subset === true) ids.add(example);
    },
    async write() {
      if (file === undefined) return;
      if (ids.size === 0) throw inputError(say('benchmark.noSubset'), say('benchmark.moreEvaluators'), file);
      await writeWhole(file, [...ids].map((id) => `${id}\n`).join(''));
    },
  };
}
