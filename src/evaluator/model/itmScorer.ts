import { say } from '../../base/say';
import { append, valueIn } from '../../base/lists';
import type { Engines } from '../native/engines';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { GraphRef, PairJob, RegionSpec, TokenRules } from '../../protocol/native';
import type { ModelFolder } from './modelFolder';
import type { RegionFiles } from './regionFiles';
import type { TokenSource } from './tokenSource';

/** The settings that determine the score of a pair. The pair keys of the store include them. */
export interface PairSpec extends Pick<PairJob, 'inputs' | 'maskCovers' | 'pixels' | 'output' | 'fixedRows'> {
  regions?: Omit<RegionSpec, 'files'>;
  /** The hash of all files with region features. */
  regionsSha256?: string;
  rules: TokenRules;
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
    private readonly regionFiles: RegionFiles | undefined,
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
    const imageIndices = pairs.map(({ image }) => {
      const key = keyOf(image);
      if (!images.has(key)) images.set(key, { at: images.size, image });
      return images.get(key)!.at;
    });
    const regionFiles = [...images.values()].map(
      ({ image }) => this.regionFiles?.of(image.source.name) ?? noRegions,
    );
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
        regions: regions === undefined ? undefined : { ...regions, files: regionFiles },
        output,
        fixedRows,
        images: [...images.values()].map(({ image }) => image),
        imageIndices,
        texts,
        perRun,
      },
      signal,
    );
    this.folder.unchanged(regionFiles.flatMap((files) => ('problem' in files ? [] : Object.values(files))));
    return scores;
  }
}

const noRegions = { problem: say('model.noRegionFeatures') };

/** Numbers that identify images without a file. Names cannot identify these images, because names may repeat. */
const numbers = new WeakMap<Uint8Array, number>();
let lastNumber = 0;

/** A key for an image and its transforms, which is valid only in this process. */
export function keyOf({ source, transforms }: ImageItem): string {
  if ('path' in source) return JSON.stringify([source.path, source.name, transforms]);
  const number = valueIn(numbers, source.bytes, () => ++lastNumber);
  return JSON.stringify([number, source.name, transforms]);
}
