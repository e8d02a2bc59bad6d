/* Which images have the same pixels as an earlier one, or nearly its pattern. */
import { Column } from '../../../base/column';
import type { Steps } from '../../../base/turns/steps';

/** What an image shows, as hashes. */
export interface Look {
  pixels: string;
  /** 64 bits; empty for a plain image. */
  pattern: Uint8Array;
}

/** An image that others equal. */
export interface Alike {
  kind: 'same' | 'similar';
  name: string;
}

/** Patterns with at most this many different bits are those of one image. */
export const mostDifferent = 8;
/** With more parts than different bits, two near patterns have a part in common. */
const parts = mostDifferent + 1;

const stepEvery = 200;

/** Finds images by what they show. */
export class LookIndex {
  private readonly byPixels = new Map<string, number[]>();
  /** For each part of a pattern and its value, the images with it. */
  private readonly byPart = new Map<number, number[]>();
  /** Two numbers of 32 bits for each pattern. */
  private readonly patterns = new Column(Uint32Array);
  private readonly names: string[] = [];

  /** The image with the same pixels, or the one with the nearest pattern. The first of several. */
  find(look: Look): Alike | undefined {
    let best: (Alike & { distance: number }) | undefined;
    for (const one of this.all(look)) if (best === undefined || one.distance < best.distance) best = one;
    return best && { kind: best.kind, name: best.name };
  }

  /** The images with the same pixels (at a distance of -1), and then those with a near pattern, in their order. */
  all({ pixels, pattern }: Look): (Alike & { distance: number })[] {
    const same = this.byPixels.get(pixels) ?? [];
    const near = new Map<number, number>();
    const [high, low] = wordsOf(pattern);
    const { data } = this.patterns;
    for (const key of partsOf(pattern))
      for (const other of this.byPart.get(key) ?? []) {
        const distance = ones(high ^ data[2 * other]) + ones(low ^ data[2 * other + 1]);
        if (distance <= mostDifferent) near.set(other, distance);
      }
    return [
      ...same.map((other) => ({ kind: 'same' as const, name: this.names[other], distance: -1 })),
      ...[...near]
        .filter(([other]) => !same.includes(other))
        .sort(([a], [b]) => a - b)
        .map(([other, distance]) => ({ kind: 'similar' as const, name: this.names[other], distance })),
    ];
  }

  add(name: string, { pixels, pattern }: Look): void {
    const number = this.names.push(name) - 1;
    const same = this.byPixels.get(pixels);
    if (same === undefined) this.byPixels.set(pixels, [number]);
    else same.push(number);
    this.patterns.append(Uint32Array.of(...wordsOf(pattern)));
    for (const key of partsOf(pattern)) {
      const own = this.byPart.get(key);
      if (own === undefined) this.byPart.set(key, [number]);
      else own.push(number);
    }
  }
}

function wordsOf(pattern: Uint8Array): [high: number, low: number] {
  if (pattern.length === 0) return [0, 0];
  const view = new DataView(pattern.buffer, pattern.byteOffset);
  return [view.getUint32(0), view.getUint32(4)];
}

/** The parts of a pattern: every ninth bit from a first one. As numbers, with the first bit's place. None of a plain image. */
function partsOf(pattern: Uint8Array): number[] {
  if (pattern.length === 0) return [];
  return Array.from({ length: parts }, (_, part) => {
    let value = 0;
    for (let bit = part; bit < 8 * pattern.length; bit += parts)
      value = (value << 1) | ((pattern[bit >> 3] >> (bit & 7)) & 1);
    return part * 256 + value;
  });
}

/** The number of bits that are 1. */
function ones(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** For images in their order: the earlier one that each equals or nearly equals. `names`: how others call it. */
export function* alikeEarlier(
  looks: ReadonlyMap<string, Look>,
  names: ReadonlyMap<string, string>,
): Steps<Map<string, Alike>> {
  const index = new LookIndex();
  const found = new Map<string, Alike>();
  let i = 0;
  for (const [key, look] of looks) {
    if (i++ % stepEvery === 0) yield;
    const alike = index.find(look);
    if (alike !== undefined) found.set(key, alike);
    index.add(names.get(key) ?? key, look);
  }
  return found;
}

/** The number of different bits of two patterns. Infinite if one is of a plain image. */
export function distance(a: Uint8Array, b: Uint8Array): number {
  if (a.length === 0 || b.length === 0) return Infinity;
  return a.reduce((sum, byte, i) => sum + ones(byte ^ b[i]), 0);
}
