import type { Engines } from '../native/engines';
import type { Outcome } from '../../base/outcome';
import type { TextSize } from '../evaluator';
import type { ImageItem } from '../../protocol/item';
import type { ModelFolder } from './modelFolder';
import type { GraphRef, PairJob, RegionSpec } from '../../protocol/native';
import { type TokenRules, Tokens } from './tokens';

/** Everything that decides a pair's score, apart from the files themselves: part of the pair's key. */
export interface PairSpec extends Pick<PairJob, 'inputs' | 'maskCovers' | 'pixels' | 'output' | 'fixedRows'> {
  regions?: Omit<RegionSpec, 'folder'>;
  /** Over every file of region features. */
  regionsSha256?: string;
  rules: TokenRules;
}

/** Pictures of so many pairs are in memory at a time. */
const atOnce = 64;
/** So many pairs at a time keep the processor busy; more only take memory. */
const perRun = 8;

/** Pairs to scores: texts tokenised here, pictures read and the graph run in the child. */
export class ItmScorer {
  private made: Tokens | undefined;

  constructor(
    private readonly engines: Engines,
    private readonly folder: ModelFolder,
    private readonly graph: GraphRef,
    private readonly spec: PairSpec,
    private readonly regionFolder: string | undefined,
  ) {}

  private get tokens(): Tokens {
    this.made ??= new Tokens(this.folder, this.spec.rules);
    return this.made;
  }

  measure(texts: readonly string[]): TextSize[] {
    return texts.map((text) => this.tokens.size(text));
  }

  async score(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]> {
    const out: Outcome<number>[] = [];
    for (let from = 0; from < pairs.length; from += atOnce) {
      out.push(...(await this.scoreSome(pairs.slice(from, from + atOnce), signal)));
    }
    return out;
  }

  private scoreSome(
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
    const texts = pairs.map(({ text }) => {
      const { ids, real } = this.tokens.row(text);
      return { ids, real };
    });
    return this.engines.run(
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
  }
}

/** Pictures that came as bytes are told apart by their object: equal names may hold others. */
const numbers = new WeakMap<Uint8Array, number>();
let lastNumber = 0;

function keyOf({ source, transforms }: ImageItem): string {
  if ('path' in source) return JSON.stringify([source.path, source.name, transforms]);
  let number = numbers.get(source.bytes);
  if (number === undefined) numbers.set(source.bytes, (number = ++lastNumber));
  return JSON.stringify([number, source.name, transforms]);
}
