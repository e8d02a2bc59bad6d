import { listed } from '../../base/text/tally';
import { basename, extname, join, resolve } from 'node:path';
import { inputError, untilCancelled, usageError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Bench } from '../../bench/bench';
import { createImageFinder } from '../../dataset/images/images';
import { partlyField, type PartlyFound } from '../../dataset/images/partlyFound';
import { openDataset } from '../../dataset/open';
import type { Evaluator } from '../../evaluator/evaluator';
import { languageOfFile } from '../../perturb/text/fileLanguage';
import { resolveOptions } from '../../probe/list';
import type { Findings, GalleryProbe } from '../../probe/probe';
import { readOptions } from '../../probe/rococo/options';
import {
  type AlteredEntry,
  canBePublished,
  publishedEntry,
  publishedSet,
  type PublishedSet,
} from '../../probe/rococo/published';
import { rococo } from '../../probe/rococo/rococo';
import { OutputFile, writePieces, writeWhole } from '../../report/output';
import { endingOf, type TableForm, tableWriters } from '../../report/table/forms';
import { captionTable, imageTable } from './alteredTables';
import { Exclusions, noExamples } from '../exclusions';
import { runGallery } from '../gallery';
import { ImageFiles } from '../imageFiles';
import { defaultSeed, prepareFolder } from '../output/folder';
import type { DatasetRequest } from '../scoring/datasetRequest';

export interface AlteredSetRequest extends DatasetRequest {
  evaluators: readonly Evaluator[];
  bench: Bench;
  /** The values of RoCOCO's options, by option name. */
  options?: Readonly<Record<string, string>>;
  out: string;
  /** The form of the files: tables with the images inside, instead of JSON with images as files. */
  form?: TableForm | undefined;
}

export interface WrittenSet {
  /** `published`: a JSON file has the published form, not a column for the altered captions. */
  captions: { path: string; policy: string; images: number; unaltered: number; published?: boolean }[];
  /** The file that lists the altered images; absent without altered images. */
  images?: { path: string; written: number };
  leftOut: { reason: Words; count: number }[];
  problems: Words[];
  /** The images that were found by less than the whole path of their names. */
  partly?: PartlyFound;
}

/** Writes RoCOCO's altered captions in the published form, and the altered images as files. */
export async function writeAlteredSet(request: AlteredSetRequest): Promise<WrittenSet> {
  const { out, signal, evaluators, form } = request;
  const path = resolve(request.dataset);
  const options = readOptions(resolveOptions(rococo, request.options ?? {}));
  if (options.sources?.includes('file'))
    throw usageError(say('audit.alteredCaptionsFromFile'), say('audit.setCaptionPolicy'));
  const dataset = await openDataset(path, { map: request.map, signal });
  const language = await languageOfFile(dataset.read({ signal }));
  const exclusions = new Exclusions();
  let examples = 0;
  let made: PublishedSet | undefined;
  // Runs as a gallery probe, because gallery probes receive examples with their images. Nothing is ranked.
  const probe: GalleryProbe = {
    ...rococo,
    async run(context) {
      made = await publishedSet(context, options);
      return new Map<Evaluator, Findings>();
    },
  };
  const finder = createImageFinder({ dataset, folders: request.images ?? [], signal });
  await runGallery({
    probe,
    dataset,
    limit: request.limit ?? Infinity,
    context: {
      dataset: basename(path, extname(path)),
      seed: request.seed ?? defaultSeed,
      options: {},
      ...(language === undefined ? {} : { language }),
    },
    evaluatorRuns: evaluators.map((evaluator, i) => ({
      evaluator,
      // All evaluators leave out the same examples, so these are counted only for the first evaluator.
      exclusions: i === 0 ? exclusions : new Exclusions(),
      examples: 0,
    })),
    voters: () => Promise.resolve(evaluators),
    bench: request.bench,
    finder,
    signal,
    onProblem: (problem) => exclusions.book(problem),
    onExample: () => void examples++,
  });
  const leftOut = exclusions.leftOut().map(({ reason, count }) => ({ reason, count }));
  const { captions = [], images = [] } = made ?? {};
  if (examples === 0) throw noExamples(path);
  if (captions.every(({ entries }) => entries.length === 0))
    throw inputError(
      say(
        'audit.noCaptionsToAlter',
        leftOut.length === 0
          ? 'none'
          : listed(leftOut.map(({ reason, count }) => ({ words: reason, count }))),
      ),
      say('audit.chooseCaptionedImages'),
      path,
    );
  await prepareFolder(out);
  const stem = basename(path, extname(path));
  const written: WrittenSet = { captions: [], leftOut, problems: [], ...partlyField(finder.partly) };
  for (const { source, entries, unaltered } of captions) {
    const file = join(out, `${stem}.${source}.${form === undefined ? 'json' : endingOf(form)}`);
    const published = canBePublished(entries);
    const listed = published ? entries.map(publishedEntry) : entries.map(columnsOf);
    if (form === undefined) await writeWhole(file, `${JSON.stringify(listed)}\n`);
    else await writePieces(file, untilCancelled(tableWriters[form](captionTable(entries)), signal));
    written.captions.push({
      ...{ path: file, policy: source, images: entries.length, unaltered },
      ...(form === undefined ? { published } : {}),
    });
  }
  if (images.length > 0)
    written.images = await (form === undefined
      ? writeImages(images, request, stem, written.problems)
      : writeImageTable(images, form, request, stem, written.problems));
  return written;
}

function columnsOf({ image, caption, altered }: AlteredEntry): Omit<AlteredEntry, 'source'> {
  return { image, caption, altered };
}

async function writeImages(
  images: PublishedSet['images'],
  { out, signal }: AlteredSetRequest,
  stem: string,
  problems: Words[],
): Promise<{ path: string; written: number }> {
  const path = join(out, `${stem}.images.jsonl`);
  const list = await OutputFile.create(path);
  const files = new ImageFiles(out);
  try {
    for (const { item, ...what } of images) await list.line({ ...what, file: await files.add(item, signal) });
    await files.flush(signal);
    await list.finish();
  } catch (error) {
    await list.discard();
    throw error;
  } finally {
    await files.close();
  }
  for (const problem of files.problems) problems.push(problem);
  return { path, written: files.written };
}

async function writeImageTable(
  images: PublishedSet['images'],
  form: TableForm,
  { out, signal }: AlteredSetRequest,
  stem: string,
  problems: Words[],
): Promise<{ path: string; written: number }> {
  const path = join(out, `${stem}.images.${endingOf(form)}`);
  const files = new ImageFiles(out);
  let written = 0;
  try {
    const table = imageTable(images, (items) => files.drawn(items, signal), {
      written: () => written++,
      problem: (problem) => problems.push(problem),
    });
    await writePieces(path, untilCancelled(tableWriters[form](table), signal));
  } finally {
    await files.close();
  }
  return { path, written };
}
