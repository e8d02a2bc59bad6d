import type { Problem } from './dataset';
import type { Example } from './example';

/** Keeps ids unique: a second bearer of an id gets another, and is named. */
export class IdGuard {
  private readonly seen = new KeySet();

  constructor(private readonly onProblem: (problem: Problem) => void) {}

  check(example: Example): void {
    if (this.seen.add(example.id)) return;
    const given = example.id;
    example.id = `${given} (entry ${example.row + 1})`;
    while (!this.seen.add(example.id)) example.id += "'";
    this.onProblem({
      code: 'duplicate-id',
      severity: 'warning',
      message: `The id "${given}" was already used; this entry is called "${example.id}".`,
      row: example.row,
      ...(example.place === undefined ? {} : { place: example.place }),
    });
  }
}

/** A set of millions of texts, each known by 64 bits of hash and so in eight bytes. */
export class KeySet {
  private slots = new Uint32Array(2 * 4096);
  size = 0;

  /** False where it was there already. */
  add(text: string): boolean {
    const [high, low] = hash(text);
    if (this.size * 3 > this.slots.length) this.grow();
    if (!insert(this.slots, high, low)) return false;
    this.size++;
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

/** Two independent 32-bit hashes of the text, never both zero. */
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
