import { say } from '../base/say';
import type { Problem, SeenIds } from './dataset';
import type { Example } from './example';

/** Keeps ids unique. Reports and replaces each repeated id. */
export class IdGuard {
  constructor(
    private readonly onProblem: (problem: Problem) => void,
    private readonly seen: SeenIds = new KeySet(),
  ) {}

  check(example: Example): void {
    if (this.seen.add(example.id)) return;
    const given = example.id;
    example.id = `${given} (entry ${example.row + 1})`;
    while (!this.seen.add(example.id)) example.id += "'";
    this.onProblem({
      code: 'duplicate-id',
      severity: 'warning',
      message: say('dataset.idReused', given, example.id),
      row: example.row,
      ...(example.place === undefined ? {} : { place: example.place }),
    });
  }
}

/** A set of millions of texts. Small integers take one bit each; other texts take a 64-bit hash. */
export class KeySet {
  private bits = new Uint8Array(1024);
  private slots = new Uint32Array(2 * 4096);
  private hashed = 0;
  private numbers = 0;

  get size(): number {
    return this.hashed + this.numbers;
  }

  /** Returns false if the text was already in the set. */
  add(text: string): boolean {
    const number = smallNumber(text);
    if (number >= 0) return this.addNumber(number);
    const [high, low] = hash(text);
    return this.addHash(high, low);
  }

  /** Adds all texts of another set. Returns false if a text was in both sets. */
  join({ bits, slots }: KeySet): boolean {
    let isDisjoint = true;
    for (let at = 0; at < bits.length; at++) {
      for (let bit = 0; bits[at] >> bit > 0; bit++)
        if ((bits[at] >> bit) & 1) isDisjoint = this.addNumber(at * 8 + bit) && isDisjoint;
    }
    for (let i = 0; i < slots.length; i += 2)
      if (slots[i] !== 0 || slots[i + 1] !== 0)
        isDisjoint = this.addHash(slots[i], slots[i + 1]) && isDisjoint;
    return isDisjoint;
  }

  private addHash(high: number, low: number): boolean {
    if (this.hashed * 3 > this.slots.length) this.grow();
    if (!insert(this.slots, high, low)) return false;
    this.hashed++;
    return true;
  }

  private addNumber(number: number): boolean {
    const at = number >> 3;
    const bit = 1 << (number & 7);
    if (at >= this.bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    if ((this.bits[at] & bit) !== 0) return false;
    this.bits[at] |= bit;
    this.numbers++;
    return true;
  }

  private grow(): void {
    const old = this.slots;
    const grown = new Uint32Array(old.length * 2);
    for (let i = 0; i < old.length; i += 2)
      if (old[i] !== 0 || old[i + 1] !== 0) insert(grown, old[i], old[i + 1]);
    this.slots = grown;
  }
}

/** The integer in a text of one to eight digits without a leading zero; -1 for any other text. */
function smallNumber(text: string): number {
  if (text.length === 0 || text.length > 8 || (text.length > 1 && text.charCodeAt(0) === 0x30)) return -1;
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

function insert(slots: Uint32Array, high: number, low: number): boolean {
  const mask = slots.length / 2 - 1;
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    if (slots[2 * slot] === 0 && slots[2 * slot + 1] === 0) {
      slots[2 * slot] = high;
      slots[2 * slot + 1] = low;
      return true;
    }
    if (slots[2 * slot] === high && slots[2 * slot + 1] === low) return false;
  }
}

/** Two independent 32-bit hashes of the text. The second is never 0, because two zeros mark an empty slot. */
function hash(text: string): [number, number] {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b + unit, 0x85ebca6b);
    b ^= b >>> 15;
  }
  a ^= a >>> 16;
  a = Math.imul(a, 0x7feb352d);
  a ^= a >>> 15;
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b ^= b >>> 16;
  return [a >>> 0, b >>> 0 || 1];
}
