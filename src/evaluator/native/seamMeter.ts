import type { Seams } from '../../perturb/image/seams';
import { Engine } from './engine';
import { whyDecodingEnded } from './lost';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';

/** Measures the seams that moved objects leave in images. It uses its own process, and measures each image once. */
export class SeamMeter {
  private readonly engine = new Engine({ lost: whyDecodingEnded });
  private readonly known = new Map<string, Outcome<Seams>>();
  private turn: Promise<unknown> = Promise.resolve();

  /** Handles one call at a time, so that concurrent evaluators do not measure the same images twice. */
  measure(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Seams>[]> {
    const mine = this.turn.then(() => this.measureNow(images, signal));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async measureNow(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Seams>[]> {
    const keys = images.map(keyOf);
    const fresh = new Map<string, ImageItem>();
    for (const [i, key] of keys.entries()) if (!this.known.has(key)) fresh.set(key, images[i]);
    if (fresh.size > 0) {
      const answers = await this.engine.run('seams', { images: [...fresh.values()] }, signal);
      [...fresh.keys()].forEach((key, i) => this.known.set(key, answers[i]));
    }
    return keys.map((key) => this.known.get(key)!);
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}

function keyOf({ source, transforms }: ImageItem): string {
  return JSON.stringify(['path' in source ? source.path : source.name, transforms]);
}
