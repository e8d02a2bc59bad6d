/* Hashes images in the decoding process: in parallel, a few at a time, and each file once. */
import { CaptiousError, throwIfCancelled } from '../../base/errors';
import { append } from '../../base/lists';
import { Engine } from '../../evaluator/native/engine';
import { whyDecodingEnded } from '../../evaluator/native/lost';
import type { Look } from '../../probe/benchmark/images/alike';
import type { ImageSource } from '../../protocol/item';

/** How many images a request has. The decoding process decodes two at once. */
const atOnce = 16;
/** A request with more bytes has fewer images. */
const mostBytes = 32 << 20;

export class Looks {
  private engine: Engine | undefined;
  private readonly known = new Map<string, Look | undefined>();

  constructor(private readonly signal: AbortSignal) {}

  /** What each image shows; undefined for images that cannot be decoded. */
  async of(sources: readonly ImageSource[], onDone?: (count: number) => void): Promise<(Look | undefined)[]> {
    const found: (Look | undefined)[] = [];
    for (const part of partsOf(sources)) {
      const fresh = part.filter((source) => !('path' in source) || !this.known.has(source.path));
      const looks = new Map<ImageSource, Look | undefined>();
      for (const [i, look] of (await this.ask(fresh)).entries()) {
        const source = fresh[i];
        looks.set(source, look);
        if ('path' in source) this.known.set(source.path, look);
      }
      for (const source of part)
        found.push('path' in source ? this.known.get(source.path) : looks.get(source));
      onDone?.(found.length);
    }
    return found;
  }

  async close(): Promise<void> {
    await this.engine?.close();
    this.engine = undefined;
  }

  private async ask(sources: readonly ImageSource[]): Promise<(Look | undefined)[]> {
    throwIfCancelled(this.signal);
    if (sources.length === 0) return [];
    this.engine ??= new Engine({ stepDeadlineMs: 30_000, lost: whyDecodingEnded });
    const images = sources.map((source) => ({ kind: 'image' as const, source, transforms: [] }));
    try {
      const outcomes = await this.engine.run('looks', { images }, this.signal);
      return outcomes.map((outcome) => (outcome.ok ? outcome.value : undefined));
    } catch (error) {
      throwIfCancelled(this.signal);
      if (!(error instanceof CaptiousError)) throw error;
      // The process ended. Which image is the cause is known only if each has a request of its own.
      if (sources.length === 1) return [undefined];
      const looks: (Look | undefined)[] = [];
      for (const source of sources) append(looks, await this.ask([source]));
      return looks;
    }
  }
}

function* partsOf(sources: readonly ImageSource[]): Generator<ImageSource[]> {
  let part: ImageSource[] = [];
  let bytes = 0;
  for (const source of sources) {
    part.push(source);
    bytes += 'bytes' in source ? source.bytes.length : 0;
    if (part.length < atOnce && bytes < mostBytes) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part;
}
