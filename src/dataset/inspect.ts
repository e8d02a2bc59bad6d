import { english } from '../base/say';
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { throwIfCancelled } from '../base/errors';
import { chunksOf } from '../base/files/readFile';
import type { Dataset, Problem, ProblemCode } from './dataset';
import type { CaptionRole, Example, ExampleForm, Place } from './example';
import type { FieldMap } from './fields/fields';
import { NoCaptionsError } from './formats/coco';
import { KeySet } from './ids';
import { type NoImage, createImageFinder } from './images/images';
import { openDataset } from './open';

/** How many of a kind are shown in full. */
const shown = 5;

export interface InspectOptions {
  /** Folders to look for pictures in, besides those beside the file. */
  images?: readonly string[];
  map?: FieldMap;
  signal?: AbortSignal;
}

/** Problems of one code: how many, and the first of them. */
export interface ProblemGroup {
  code: ProblemCode;
  severity: Problem['severity'];
  count: number;
  first: { message: string; row?: number; place?: Place }[];
}

/** Pictures that were not found, for one reason. */
export interface ImageTrouble {
  count: number;
  first: { name: string; message: string; places: readonly string[]; row: number; place?: Place }[];
}

/** What a dataset file holds and what is wrong with it; a value that JSON can carry. */
export interface Inspection {
  path: string;
  /** In bytes. */
  size: number;
  sha256: string;
  format: string;
  form: ExampleForm;
  /** Of text files. */
  encoding?: string;
  columns: readonly string[];
  examples: number;
  captions: number;
  roles: Partial<Record<CaptionRole, number>>;
  images: {
    /** Distinct names. */
    distinct: number;
    /** Carried by the file itself. */
    inside: number;
    found: number;
    missing: ImageTrouble;
    ambiguous: ImageTrouble;
    refused: ImageTrouble;
  };
  problems: ProblemGroup[];
  /** Of a COCO file without captions: what it holds instead, and why it is no use here. */
  lists?: Record<string, number>;
  note?: string;
}

export async function inspectDataset(path: string, options: InspectOptions = {}): Promise<Inspection> {
  const { images = [], map, signal } = options;
  const dataset = await openDataset(path, { map, signal });
  const tally = new Tally(dataset, images);
  try {
    for await (const example of dataset.read({
      onProblem: (problem) => tally.problem(problem),
      signal,
    }))
      await tally.add(example);
  } catch (error) {
    if (!(error instanceof NoCaptionsError)) throw error;
    tally.lists = { ...error.counts };
    tally.note = error.describe();
  }
  const { size } = await stat(path);
  return tally.finish(size, await sha256Of(path, signal));
}

class Tally {
  lists: Record<string, number> | undefined;
  note: string | undefined;
  private examples = 0;
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
    this.finder = createImageFinder({ datasetPath: dataset.path, folders });
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

  async add({ images, captions, row, place }: Example): Promise<void> {
    this.examples++;
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

  finish(size: number, sha256: string): Inspection {
    const { path, format, form, columns, encoding } = this.dataset;
    return {
      path,
      size,
      sha256,
      format,
      form,
      ...(encoding === undefined ? {} : { encoding }),
      columns,
      examples: this.examples,
      captions: this.captions,
      roles: this.roles,
      images: {
        distinct: this.names.size + this.inside,
        inside: this.inside,
        found: this.found,
        ...this.trouble,
      },
      problems: [...this.groups.values()],
      ...(this.lists === undefined ? {} : { lists: this.lists }),
      ...(this.note === undefined ? {} : { note: this.note }),
    };
  }
}

async function sha256Of(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(path)) {
    throwIfCancelled(signal);
    hash.update(chunk);
  }
  return hash.digest('hex');
}
