import type { Words } from '../base/say';
import { english } from '../base/english';
import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../base/errors';
import { chunksOf } from '../base/files/readFile';
import type { Dataset, Problem, ProblemCode } from './dataset';
import type { CaptionRole, Example, ExampleForm, Place } from './example';
import type { FieldMap } from './fields/fields';
import { NoCaptionsError } from './formats/coco';
import { KeySet } from './ids';
import { createImageFinder } from './images/images';
import { joinPartly, type PartlyFound } from './images/partlyFound';
import { openDataset } from './open';
import { datasetHash, datasetSize } from './parts/hash';
import { sampleOf } from './parts/sample';
import { shapeOf } from './readsAs';
import type { NoImage } from './images/foundImage';

/** The most problems, missing images and shapes to list, for each kind of problem or image. */
const shown = 5;
const mostShapes = 1000;
const mostTypes = 200;

export interface InspectOptions {
  /** Folders to search for images, besides the usual ones. */
  images?: readonly string[];
  map?: FieldMap;
  signal?: AbortSignal;
  /** Whether to read every row, however many there are. */
  all?: boolean;
  /** Called for each example. */
  onExample?: (example: Example) => void;
}

/** The number of problems with one code and severity, and the first of them. */
export interface ProblemGroup {
  code: ProblemCode;
  severity: Problem['severity'];
  count: number;
  first: { message: string; row?: number; place?: Place }[];
}

/** The number of images that were not found for one reason, and the first of them. */
export interface ImageTrouble {
  count: number;
  first: { name: string; message: string; places: readonly string[]; row: number; place?: Place }[];
}

/** A summary of a dataset file and its problems, as JSON. */
export interface Inspection {
  path: string;
  size: number;
  sha256: string;
  format: string;
  title: Words;
  form: ExampleForm;
  reads: Dataset['reads'];
  /** The columns whose values define slices. `ignored` names the columns that Captious does not use. */
  tags: readonly string[];
  ignored: readonly string[];
  /** The most frequent shapes of examples. A shape is the number of images and the right image of each caption. */
  shapes: readonly { images: number; rightOf: readonly number[]; count: number }[];
  /** The number of examples per type, if the benchmark averages over types. */
  types?: { tag: string; counts: Readonly<Record<string, number>> };
  /** The number of examples with fewer than two votes for the caption (VALSE). */
  refusedByVotes: number;
  /** The number of captions with ratings. */
  rated: number;
  /** The number of examples with references. */
  referenced: number;
  /** The names of the files, if there are several. */
  parts?: readonly string[];
  /** A second file in the same folder with part of the data. */
  beside?: { path: string; sha256: string };
  /** Present only for text files. */
  encoding?: string;
  columns: readonly string[];
  /** If the dataset is too long to be read for this summary, all counts are of this many of its rows. */
  sample?: { rows: number; of: number };
  examples: number;
  captions: number;
  roles: Partial<Record<CaptionRole, number>>;
  images: {
    /** The number of distinct image names, plus the number of embedded images. */
    distinct: number;
    /** The number of images embedded in the file. */
    inside: number;
    found: number;
    /** Of the found images, those found by less than the whole path of their names. */
    partly: PartlyFound;
    missing: ImageTrouble;
    ambiguous: ImageTrouble;
    refused: ImageTrouble;
  };
  problems: ProblemGroup[];
  /** The number of entries in each list of a COCO file without captions. `note` says why the file is unusable. */
  lists?: Record<string, number>;
  note?: string;
}

export async function inspectDataset(path: string, options: InspectOptions = {}): Promise<Inspection> {
  const { images = [], map, signal } = options;
  const dataset = await openDataset(path, { map, signal });
  const tally = new Tally(dataset, images);
  const sample = options.all === true ? undefined : sampleOf(dataset);
  const reading = { onProblem: (problem: Problem) => tally.problem(problem), signal };
  try {
    for await (const example of sample === undefined ? dataset.read(reading) : sample.read(reading)) {
      options.onExample?.(example);
      await tally.add(example);
    }
  } catch (error) {
    if (!(error instanceof NoCaptionsError)) throw error;
    tally.lists = { ...error.counts };
    tally.note = error.describe();
  }
  const { beside, parts } = dataset;
  return {
    ...tally.finish(await datasetSize(path), await datasetHash(path, { sha256: sha256Of }, signal)),
    ...(parts === undefined ? {} : { parts }),
    ...(sample === undefined ? {} : { sample: { rows: sample.rows, of: sample.of } }),
    ...(beside === undefined ? {} : { beside: { path: beside, sha256: await sha256Of(beside, signal) } }),
  };
}

class Tally {
  lists: Record<string, number> | undefined;
  note: string | undefined;
  private examples = 0;
  private refusedByVotes = 0;
  private rated = 0;
  private referenced = 0;
  private readonly tags = new Set<string>();
  private readonly shapes = new Map<string, { images: number; rightOf: number[]; count: number }>();
  private readonly types = new Map<string, number>();
  private typeTag: string | undefined;
  private captions = 0;
  private inside = 0;
  private found = 0;
  private readonly roles: Partial<Record<CaptionRole, number>> = {};
  private readonly names = new KeySet();
  private readonly groups = new Map<string, ProblemGroup>();
  private readonly trouble: Record<NoImage['reason'], ImageTrouble> = {
    missing: { count: 0, first: [] },
    ambiguous: { count: 0, first: [] },
    refused: { count: 0, first: [] },
  };
  private readonly finder;

  constructor(
    private readonly dataset: Dataset,
    folders: readonly string[],
  ) {
    this.finder = createImageFinder({ dataset, folders });
  }

  problem({ code, severity, message, row, place }: Problem): void {
    const key = `${severity} ${code}`;
    let group = this.groups.get(key);
    if (group === undefined) {
      group = { code, severity, count: 0, first: [] };
      this.groups.set(key, group);
    }
    if (group.count++ < shown)
      group.first.push({
        message: english(message),
        ...(row === undefined ? {} : { row }),
        ...(place === undefined ? {} : { place }),
      });
  }

  async add(example: Example): Promise<void> {
    const { images, captions, row, place } = example;
    this.examples++;
    this.describe(example);
    this.captions += captions.length;
    for (const { role } of captions) this.roles[role] = (this.roles[role] ?? 0) + 1;
    for (const { name, bytes } of images) {
      if (bytes !== undefined) this.inside++;
      else if (this.names.add(name)) {
        const found = await this.finder.find(name);
        if (found.ok) this.found++;
        else {
          const trouble = this.trouble[found.reason];
          if (trouble.count++ < shown)
            trouble.first.push({
              name,
              message: english(found.message),
              places: found.places.slice(0, shown),
              row,
              ...(place === undefined ? {} : { place }),
            });
        }
      }
    }
  }

  private describe({ images, captions, attributes, by, votes, references }: Example): void {
    for (const tag of Object.keys(attributes)) this.tags.add(tag.split('.')[0]).add(tag);
    if (votes !== undefined && votes < 2) this.refusedByVotes++;
    this.rated += captions.filter(({ ratings }) => ratings !== undefined).length;
    if (references !== undefined && references.length > 0) this.referenced++;
    const own = shapeOf({ images, captions });
    const key = `${own.images}:${own.rightOf.join()}`;
    const shape = this.shapes.get(key);
    if (shape !== undefined) shape.count++;
    else if (this.shapes.size < mostShapes) this.shapes.set(key, { ...own, count: 1 });
    if (by === undefined) return;
    this.typeTag = by.tag;
    const type = String(attributes[by.tag]);
    if (this.types.has(type) || this.types.size < mostTypes)
      this.types.set(type, (this.types.get(type) ?? 0) + 1);
  }

  finish(size: number, sha256: string): Inspection {
    const { path, format, title, form, reads, columns, encoding } = this.dataset;
    const read = new Set(reads.map(([column]) => column));
    const others = columns.filter((column) => !read.has(column));
    return {
      path,
      size,
      sha256,
      format,
      title,
      form,
      reads,
      tags: others.filter((column) => this.tags.has(column)),
      ignored: others.filter((column) => !this.tags.has(column)),
      shapes: [...this.shapes.values()].sort((a, b) => b.count - a.count).slice(0, shown),
      ...(this.typeTag === undefined
        ? {}
        : { types: { tag: this.typeTag, counts: Object.fromEntries(this.types) } }),
      refusedByVotes: this.refusedByVotes,
      rated: this.rated,
      referenced: this.referenced,
      ...(encoding === undefined ? {} : { encoding }),
      columns,
      examples: this.examples,
      captions: this.captions,
      roles: this.roles,
      images: {
        distinct: this.names.size + this.inside,
        inside: this.inside,
        found: this.found,
        partly: joinPartly([this.finder.partly]),
        ...this.trouble,
      },
      problems: [...this.groups.values()],
      ...(this.lists === undefined ? {} : { lists: this.lists }),
      ...(this.note === undefined ? {} : { note: this.note }),
    };
  }
}

async function sha256Of(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(path)) {
    throwIfCancelled(signal);
    hash.update(chunk);
  }
  return hash.digest('hex');
}
