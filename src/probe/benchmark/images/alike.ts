/* Which images have the same pixels as an earlier one, or nearly its pattern. */
import { Column } from '../../../base/column';
import type { Steps } from '../../../base/turns/steps';
import { addTo } from '../../../base/lists';

/** What an image shows, as hashes. */
export interface Look {
  pixels: string;
  /** 64 bits; empty for a plain image. */
  pattern: Uint8Array;
}

/** An image that others equal, as `keyOfImage` has it. */
export interface Alike {
  kind: 'same' | 'similar';
  imageKey: string;
}

/** Patterns with at most this many different bits are those of one image. */
export const mostDifferent = 8;
/** With more parts than different bits, two near patterns have a part in common. */
const parts = mostDifferent + 1;

const stepEvery = 200;

/** Finds images by what they show. Images with the same pixels are one group. */
export class LookIndex {
  private readonly groups: string[][] = [];
  private readonly byPixels = new Map<string, number>();
  /** For each part of a pattern and its value, the groups with it. */
  private readonly byPart = new Map<number, number[]>();
  /** Two numbers of 32 bits for each group's pattern. */
  private readonly patterns = new Column(Uint32Array);

  /** The first image with the same pixels, or the first of those with the nearest pattern. */
  find(look: Look): Alike | undefined {
    const same = this.byPixels.get(look.pixels);
    if (same !== undefined) return { kind: 'same', imageKey: this.groups[same][0] };
    let nearest: readonly [group: number, distance: number] | undefined;
    for (const one of this.near(look)) if (nearest === undefined || one[1] < nearest[1]) nearest = one;
    return nearest && { kind: 'similar', imageKey: this.groups[nearest[0]][0] };
  }

  /** All images with the same pixels, and then those with a near pattern. */
  all(look: Look): Alike[] {
    const same = this.byPixels.get(look.pixels);
    const others = this.near(look).flatMap(([group]) => (group === same ? [] : this.groups[group]));
    return [
      ...(same === undefined
        ? []
        : this.groups[same].map((imageKey) => ({ kind: 'same' as const, imageKey }))),
      ...others.map((imageKey) => ({ kind: 'similar' as const, imageKey })),
    ];
  }

  add(imageKey: string, { pixels, pattern }: Look): void {
    const same = this.byPixels.get(pixels);
    if (same !== undefined) {
      this.groups[same].push(imageKey);
      return;
    }
    const group = this.groups.push([imageKey]) - 1;
    this.byPixels.set(pixels, group);
    this.patterns.append(Uint32Array.of(...wordsOf(pattern)));
    for (const key of partsOf(pattern)) {
      addTo(this.byPart, key, group);
    }
  }

  /** The groups with a near pattern, in their order. */
  private near({ pattern }: Look): (readonly [group: number, distance: number])[] {
    const found = new Map<number, number>();
    const [high, low] = wordsOf(pattern);
    const { data } = this.patterns;
    for (const key of partsOf(pattern))
      for (const group of this.byPart.get(key) ?? []) {
        const distance = ones(high ^ data[2 * group]) + ones(low ^ data[2 * group + 1]);
        if (distance <= mostDifferent) found.set(group, distance);
      }
    return [...found].sort(([a], [b]) => a - b);
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

/** For images in their order: the earlier one that each equals or nearly equals. */
export function* alikeEarlier(looks: ReadonlyMap<string, Look>): Steps<Map<string, Alike>> {
  const index = new LookIndex();
  const found = new Map<string, Alike>();
  let i = 0;
  for (const [imageKey, look] of looks) {
    if (i++ % stepEvery === 0) yield;
    const alike = index.find(look);
    if (alike !== undefined) found.set(imageKey, alike);
    index.add(imageKey, look);
  }
  return found;
}

/** The number of different bits of two patterns. Infinite if one is of a plain image. */
export function distance(a: Uint8Array, b: Uint8Array): number {
  if (a.length === 0 || b.length === 0) return Infinity;
  return a.reduce((sum, byte, i) => sum + ones(byte ^ b[i]), 0);
}
