import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CaptiousError, throwIfCancelled } from '../../../src/base/errors';
import type { Outcome } from '../../../src/base/outcome';
import type { Evaluator, EvaluatorInfo, TextSize } from '../../../src/evaluator/evaluator';
import type { ImageItem } from '../../../src/protocol/item';
import { turns } from '../../until';

export interface FakeOptions {
  info?: Partial<EvaluatorInfo>;
  /** How many turns of the event loop a batch takes. */
  turns?: number;
  /** Called at the start of a batch. */
  onBatch?: (batch: number, names: readonly string[]) => void;
  /** Whether the batch fails as if the child process had crashed. */
  crash?: (batch: number) => boolean;
  /** Whether the batch waits for a cancel, then fails. */
  stall?: (batch: number) => boolean;
  /** Whether the text has no embedding. */
  refuse?: (text: string) => boolean;
  /** Whether the image with this name has no embedding. */
  refuseImage?: (name: string) => boolean;
}

/** Computes embeddings from the content alone, like a correct model. Counts its requests. */
export class FakeEvaluator implements Evaluator {
  readonly info: EvaluatorInfo;
  readonly batches: string[][] = [];
  measured = 0;
  running = 0;
  mostRunning = 0;
  scorePairs?: NonNullable<Evaluator['scorePairs']>;

  constructor(private readonly options: FakeOptions = {}) {
    this.info = {
      id: 'fake',
      name: 'Fake',
      kind: 'dual-encoder',
      sha256: 'ab'.repeat(32),
      scores: ['text-text', 'image-text', 'image-image'],
      dimension: 8,
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'cosine' },
      prefix: '',
      notes: [],
      textKey: 'fake text',
      imageKey: 'fake image',
      ...options.info,
    };
    if (['pair-scorer', 'judge', 'scores'].includes(this.info.kind)) {
      this.scorePairs = (pairs) =>
        this.batch(
          pairs.map(({ image, text }) => `${image.source.name} | ${text}`),
          undefined,
          async (name, i): Promise<Outcome<number>> => {
            const { source } = pairs[i].image;
            const bytes = 'path' in source ? await readFile(source.path).catch(() => '') : source.bytes;
            return { ok: true, value: embed(name + bytes.toString(), 1)[0] / 3 };
          },
        );
    }
  }

  get embedded(): string[] {
    return this.batches.flat();
  }

  measureTexts(texts: readonly string[]): Promise<TextSize[]> {
    this.measured += texts.length;
    return Promise.resolve(
      texts.map((text) => {
        const tokens = text.split(' ').length + 2;
        return { tokens: Math.min(tokens, 12), cut: tokens > 12 };
      }),
    );
  }

  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]> {
    return this.batch(texts, signal, (text) =>
      Promise.resolve(
        this.options.refuse?.(text)
          ? { ok: false, problem: `refused: ${text}` }
          : { ok: true, value: embed(`text ${text}`, this.info.dimension ?? 8) },
      ),
    );
  }

  embedImages(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]> {
    return this.batch(
      images.map(({ source }) => source.name),
      signal,
      async (name, i) => {
        if (this.options.refuseImage?.(name)) return { ok: false, problem: `refused: ${name}` };
        const { source, transforms } = images[i];
        const bytes = 'path' in source ? await readFile(source.path) : Buffer.from(source.bytes);
        const content = `image ${bytes.toString('hex')} ${JSON.stringify(transforms)}`;
        return { ok: true, value: embed(content, this.info.dimension ?? 8) };
      },
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async batch<T>(
    names: readonly string[],
    signal: AbortSignal | undefined,
    one: (name: string, at: number) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>[]> {
    const number = this.batches.push([...names]) - 1;
    this.running++;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      this.options.onBatch?.(number, names);
      if (this.options.crash?.(number)) throw new CaptiousError('evaluator', 'The model process died.');
      if (this.options.stall?.(number)) {
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        throwIfCancelled(signal);
      }
      await turns(this.options.turns ?? 0);
      return await Promise.all(names.map(one));
    } finally {
      this.running--;
    }
  }
}

export function embed(content: string, dimension: number): Float32Array {
  const digest = createHash('sha512').update(content, 'utf16le').digest();
  return Float32Array.from(
    { length: dimension },
    (_, i) => digest.readInt32LE((i * 4) % 64) / 2147483647 + i,
  );
}
