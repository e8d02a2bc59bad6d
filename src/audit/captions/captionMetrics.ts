import { english } from '../../base/english';
import { append } from '../../base/lists';
import { inputError, throwIfCancelled } from '../../base/errors';
import { say } from '../../base/say';
import { eachOf, inTurns } from '../../base/turns/steps';
import type { Bench } from '../../bench/bench';
import { byIdsOf, type CaptionedImage, readCaptions } from '../../dataset/captionTable';
import { createImageFinder, fileOf, type ImageFinder } from '../../dataset/images/images';
import { NameFolders } from '../../dataset/images/nameFolders';
import { PartlyCounter, partlyField, type PartlyFound } from '../../dataset/images/partlyFound';
import { ImageNames } from '../../evaluator/embeddings/imageNames';
import type { Evaluator } from '../../evaluator/evaluator';
import { addParts, bleuOf, noParts } from '../../evaluator/overlap/bleu';
import { addMeteorParts, meteorOf, noMeteorParts } from '../../evaluator/overlap/meteor/meteor';
import { mostCaption, type OverlapMetric, scoreOverlap } from '../../evaluator/overlap/overlap';
import type { ImageItem, Want } from '../../protocol/item';
import { type CaptionMetric, type Column, summarise } from './captionSummary';

/** A metric that scores a caption with its image. Some metrics, such as RefCLIPScore, also use the references. */
export interface ImageMetric {
  id: string;
  evaluator: Evaluator;
}

export interface ScoredCaption {
  image: string;
  /** The position of the caption among those of its image. Absent if only the first one is scored. */
  candidate?: number;
  /** For each metric, the score of each system's caption. A score is null if the caption was left out. */
  scores: Record<string, (number | null)[]>;
}

export interface CaptionMetrics {
  metrics: CaptionMetric[];
  captions: ScoredCaption[];
  /** The number of captions or images without a score, by reason. */
  leftOut: Map<string, number>;
  /** The images that were found, as files or in another caption file, by less than the whole path of their names. */
  partly?: PartlyFound;
}

export interface CaptionMetricsOptions {
  /** One caption file, or two to compare. */
  candidates: readonly string[];
  references?: string;
  /** Whether all captions of an image are scored, and not only the first. For one file. */
  all?: boolean;
  /** The captions for CIDEr's document frequencies; the references by default. */
  corpus?: string;
  overlap: readonly OverlapMetric[];
  ofImages: readonly ImageMetric[];
  images: readonly string[];
  bench: Bench;
  seed: number;
  signal: AbortSignal;
}

/** An image with each system's caption. */
interface Scored {
  image: string;
  candidate?: number;
  captions: string[];
  references: string[];
}

/** Scores one or two systems: each caption alone, and all captions together with confidence intervals. */
export async function captionMetrics(options: CaptionMetricsOptions): Promise<CaptionMetrics> {
  const { candidates, references, corpus, overlap, ofImages, seed, signal, all = false } = options;
  const leftOut = new Map<string, number>();
  const table = references === undefined ? undefined : await readCaptions(references, signal);
  const systems = await Promise.all(
    candidates.map(async (path) => {
      const own = await readCaptions(path, signal);
      return table === undefined ? own : byIdsOf(table, own);
    }),
  );
  const most = mostCaption(overlap);
  const partly = new PartlyCounter();
  const items = join(systems, table, { most, all }, leftOut, partly);
  if (items.length === 0)
    throw inputError(
      say('captions.noCommonImage'),
      say('captions.useSameImageNames'),
      [...candidates, references ?? ''].filter((path) => path !== '').join(', '),
    );
  const frequencies =
    corpus === undefined
      ? // An image's references are one document, however many captions it has.
        [...new Map(items.map((item) => [item.image, item.references])).values()]
      : [...(await readCaptions(corpus, signal)).values()].map(({ captions }) =>
          captions.filter((caption) => caption.length <= most),
        );
  const columns: Column[] = [];
  if (overlap.length > 0) append(columns, overlapColumns(items, overlap, frequencies));
  const finder = createImageFinder({
    dataset: { path: candidates[0], read: () => namedIn(items) },
    folders: options.images,
    signal,
  });
  for (const metric of ofImages)
    columns.push(await imageColumn(items, metric, options, { finder, partly }, leftOut));
  return {
    metrics: await inTurns(
      eachOf(columns, (column) => summarise(column, seed)),
      signal,
    ),
    captions: items.map(({ image, candidate }, row) => ({
      image,
      ...(candidate === undefined ? {} : { candidate }),
      scores: Object.fromEntries(
        columns.map(({ id, systems: own }) => [
          id,
          own.map((scores) => (Number.isNaN(scores[row]) ? null : scores[row])),
        ]),
      ),
    })),
    leftOut,
    ...partlyField(partly),
  };
}

async function* namedIn(items: readonly Scored[]): AsyncGenerator<{ images: { name: string }[] }> {
  for (const { image } of items) yield await Promise.resolve({ images: [{ name: image }] });
}

/** A caption file, in which images are found by the rules for image files: no folder may contradict. */
class CaptionFile {
  readonly unused: Set<CaptionedImage>;
  private readonly entries: readonly CaptionedImage[];
  private readonly exact: ReadonlyMap<string, CaptionedImage>;
  private readonly names: ImageNames;

  constructor(table: ReadonlyMap<string, CaptionedImage>, folders: NameFolders) {
    this.entries = [...table.values()];
    this.unused = new Set(this.entries);
    this.exact = new Map(this.entries.map((entry) => [entry.image, entry]));
    this.names = new ImageNames(folders, () => false);
    for (const [row, { image }] of this.entries.entries()) this.names.add(image, row);
  }

  of(image: string, partly: PartlyCounter): CaptionedImage | undefined {
    const row = this.exact.has(image) ? undefined : this.names.find(image);
    const entry = typeof row === 'number' ? this.entries[row] : this.exact.get(image);
    if (entry === undefined) return undefined;
    if (entry.image !== image) partly.add(image, entry.image);
    this.unused.delete(entry);
    return entry;
  }
}

function join(
  [first, ...others]: readonly ReadonlyMap<string, CaptionedImage>[],
  references: ReadonlyMap<string, CaptionedImage> | undefined,
  { most, all }: { most: number; all: boolean },
  leftOut: Map<string, number>,
  partly: PartlyCounter,
): Scored[] {
  const items: Scored[] = [];
  const folders = new NameFolders();
  for (const { image } of first.values()) folders.add(image);
  const files = others.map((table) => new CaptionFile(table, folders));
  const referenceFile = references && new CaptionFile(references, folders);
  for (const entry of first.values()) {
    const { image } = entry;
    const own = [entry, ...files.map((file) => file.of(image, partly))];
    const refs = referenceFile?.of(image, partly)?.captions ?? [];
    const isLong = ({ length }: string): boolean => length > most;
    const add = (captions: string[], candidate?: number): void => {
      if ([...captions, ...refs].some(isLong)) count(leftOut, `a caption is longer than ${most} characters`);
      else
        items.push({
          ...{ image, captions, references: [...refs] },
          ...(candidate === undefined ? {} : { candidate }),
        });
    };
    if (own.includes(undefined)) count(leftOut, 'only one of the two files has the image');
    else if (references !== undefined && refs.length === 0) count(leftOut, 'no references for the image');
    else if (all) entry.captions.forEach((caption, candidate) => add([caption], candidate));
    else {
      const further = own.reduce((sum, one) => sum + (one?.captions.length ?? 1) - 1, 0);
      if (further > 0) count(leftOut, 'another caption of the same image', further);
      add(own.flatMap((one) => one?.captions.slice(0, 1) ?? []));
    }
  }
  const alone = files.reduce((sum, { unused }) => sum + unused.size, 0);
  if (alone > 0) count(leftOut, 'only one of the two files has the image', alone);
  return items;
}

function overlapColumns(
  items: readonly Scored[],
  metrics: readonly OverlapMetric[],
  corpus: readonly (readonly string[])[] | undefined,
): Column[] {
  const images = items.map(({ image }) => image);
  const systems = items[0].captions.map((_, system) =>
    scoreOverlap(
      items.map(({ captions, references }) => ({ caption: captions[system], references })),
      metrics,
      corpus,
    ),
  );
  return metrics.map((id): Column => {
    const column: Column = {
      ...{ id, images, systems: systems.map(({ each }) => each.get(id) ?? new Float64Array(0)) },
      range: id.startsWith('cider') ? [0, 10] : [0, 1],
    };
    if (id === 'meteor')
      return {
        ...column,
        corpus: () => {
          const total = noMeteorParts();
          return {
            add: (system, row, times) => addMeteorParts(total, systems[system].meteor[row], times),
            score: () => meteorOf(total),
          };
        },
      };
    if (!id.startsWith('bleu')) return column;
    const n = Number(id.slice(-1)) - 1;
    return {
      ...column,
      corpus: () => {
        const total = noParts();
        return {
          add: (system, row, times) => addParts(total, systems[system].bleu[row], times),
          score: () => bleuOf(total)[n],
        };
      },
    };
  });
}

async function imageColumn(
  items: readonly Scored[],
  { id, evaluator }: ImageMetric,
  { candidates, bench, signal }: CaptionMetricsOptions,
  { finder, partly }: { finder: ImageFinder; partly: PartlyCounter },
  leftOut: Map<string, number>,
): Promise<Column> {
  const found: (ImageItem | undefined)[] = [];
  for (const { image } of items) {
    throwIfCancelled(signal);
    const file = fileOf(await finder.find(image));
    if (file === undefined) count(leftOut, `${id}: the image was not found`);
    else if (file.partly === true) partly.add(image, file.path);
    found.push(file && { kind: 'image', source: { name: image, path: file.path }, transforms: [] });
  }
  if (found.every((image) => image === undefined))
    throw inputError(
      say('captions.noImagesFound', items.length),
      say('captions.nameImageFolder'),
      candidates[0],
    );
  const systems: Float64Array[] = [];
  for (const system of items[0].captions.keys()) {
    const scores = new Float64Array(items.length).fill(NaN);
    const rows = items.flatMap((_, row) => (found[row] === undefined ? [] : [row]));
    const text = (row: number): string => items[row].captions[system];
    const wants = rows.flatMap((row): Want[] => {
      const image = found[row];
      if (image === undefined) return [];
      const { references } = items[row];
      const own = evaluator.references === undefined ? {} : { references };
      return [{ left: image, right: { kind: 'text', text: text(row) }, ...own }];
    });
    const outcomes = await bench.scores(evaluator, wants, signal);
    for (const [i, row] of rows.entries()) {
      const outcome = outcomes[i];
      if (!outcome.ok) count(leftOut, `${id}: ${english(outcome.problem)}`);
      else scores[row] = outcome.value;
    }
    systems.push(scores);
  }
  return { id, images: items.map(({ image }) => image), systems };
}

function count(leftOut: Map<string, number>, reason: string, more = 1): void {
  leftOut.set(reason, (leftOut.get(reason) ?? 0) + more);
}
