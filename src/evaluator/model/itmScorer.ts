import { basename, extname, join } from 'node:path';
import { append } from '../../base/append';
import type { Engines } from '../native/engines';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { GraphRef, PairJob, RegionSpec, TokenRules } from '../../protocol/native';
import type { ModelFolder } from './modelFolder';
import type { TokenSource } from './tokenSource';

/** The settings that determine the score of a pair. The pair keys of the store include them. */
export interface PairSpec extends Pick<PairJob, 'inputs' | 'maskCovers' | 'pixels' | 'output' | 'fixedRows'> {
  regions?: Omit<RegionSpec, 'folder'>;
  /** The hash of all files with region features. */
  regionsSha256?: string;
  rules: TokenRules;
}

/** The names of the files with the features and the boxes of an image's regions. */
export function regionFilesOf(image: string): { features: string; boxes: string } {
  const stem = basename(image.replaceAll('\\', '/'), extname(image));
  return { features: `${stem}.npy`, boxes: `${stem}.boxes.npy` };
}

/** The most pairs whose images are in memory at the same time. */
const atOnce = 64;
/** The usual number of pairs in one run of the graph. More pairs would only need more memory. */
const perRun = 8;

/** Scores pairs. One child process tokenises texts, and another reads images and runs the graph. */
export class ItmScorer {
  constructor(
    private readonly engines: Engines,
    private readonly tokens: TokenSource,
    private readonly folder: ModelFolder,
    private readonly graph: GraphRef,
    private readonly spec: PairSpec,
    private readonly regionFolder: string | undefined,
  ) {}

  async score(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]> {
    const out: Outcome<number>[] = [];
    for (let from = 0; from < pairs.length; from += atOnce) {
      append(out, await this.scoreSome(pairs.slice(from, from + atOnce), signal));
    }
    return out;
  }

  private async scoreSome(
    pairs: readonly { image: ImageItem; text: string }[],
    signal: AbortSignal | undefined,
  ): Promise<Outcome<number>[]> {
    const { inputs, maskCovers, pixels, regions, output, fixedRows } = this.spec;
    const images = new Map<string, { at: number; image: ImageItem }>();
    const pictures = pairs.map(({ image }) => {
      const key = keyOf(image);
      if (!images.has(key)) images.set(key, { at: images.size, image });
      return images.get(key)!.at;
    });
    const texts = await this.tokens.rows(
      pairs.map(({ text }) => text),
      signal,
    );
    const scores = await this.engines.run(
      'pairs',
      {
        graph: this.graph,
        inputs,
        maskCovers,
        pixels,
        regions: regions === undefined ? undefined : { ...regions, folder: this.regionFolder! },
        output,
        fixedRows,
        images: [...images.values()].map(({ image }) => image),
        pictures,
        texts,
        perRun,
      },
      signal,
    );
    const { regionFolder } = this;
    const used = [...images.values()].flatMap(({ image }) =>
      regionFolder === undefined ? [] : Object.values(regionFilesOf(image.source.name)),
    );
    this.folder.unchanged(used.map((name) => join(regionFolder!, name)));
    return scores;
  }
}

/** Numbers that identify images without a file. Names cannot identify these images, because names may repeat. */
const numbers = new WeakMap<Uint8Array, number>();
let lastNumber = 0;

/** A key for an image and its transforms, which is valid only in this process. */
export function keyOf({ source, transforms }: ImageItem): string {
  if ('path' in source) return JSON.stringify([source.path, source.name, transforms]);
  let number = numbers.get(source.bytes);
  if (number === undefined) numbers.set(source.bytes, (number = ++lastNumber));
  return JSON.stringify([number, source.name, transforms]);
}
