import { mostLine, openRegular } from '../../base/files/readFile';

/** The minimum size of a buffer in bytes. It is small, because a merge has a buffer for every shard. */
const pieceSize = 1 << 14;
const lineEnd = 0x0a;
const comma = 0x2c;

/**
 * One shard's rows, in the order of the examples. The file is open only during a read, because the files of a
 * thousand shards would exceed the limit of open files.
 */
export class ShardRows {
  /** The example number of the current row; infinite after the last row. */
  number = Infinity;
  private space = Buffer.alloc(0);
  private buffer = this.space;
  private from = 0;
  private to = -1;
  private position = 0;

  private constructor(
    private readonly path: string,
    private readonly bytes: number,
  ) {}

  static async open(path: string, bytes: number): Promise<ShardRows> {
    const rows = new ShardRows(path, bytes);
    await rows.next();
    return rows;
  }

  /** The current row as JSON. */
  get json(): Buffer {
    return this.buffer.subarray(this.buffer.indexOf(comma, this.from) + 1, this.to - 1);
  }

  /** Moves to the next row. The previous `json` becomes invalid. */
  async next(): Promise<void> {
    this.from = this.to + 1;
    this.to = this.buffer.indexOf(lineEnd, this.from);
    while (this.to < 0 && this.position < this.bytes) await this.readMore();
    if (this.to < 0) {
      this.number = Infinity;
      return;
    }
    // Lines are `[number,row]`.
    this.number = Number(
      this.buffer.toString('latin1', this.from + 1, this.buffer.indexOf(comma, this.from)),
    );
    if (!Number.isSafeInteger(this.number)) throw new Error(`${this.path}: a line has no number.`);
  }

  private async readMore(): Promise<void> {
    const rest = this.buffer.subarray(this.from);
    if (rest.length > mostLine) throw new Error(`${this.path}: a line is too long.`);
    // Memory is reused, because the garbage collector would free a thousand shards' buffers too late.
    if (rest.length + pieceSize > this.space.length)
      this.space = Buffer.allocUnsafe(2 * rest.length + pieceSize);
    rest.copy(this.space);
    const size = Math.min(this.space.length - rest.length, this.bytes - this.position);
    const file = await openRegular(this.path);
    try {
      const { bytesRead } = await file.read(this.space, rest.length, size, this.position);
      if (bytesRead === 0) throw new Error(`${this.path} ends after ${this.position} bytes.`);
      this.position += bytesRead;
      this.buffer = this.space.subarray(0, rest.length + bytesRead);
    } finally {
      await file.close();
    }
    this.from = 0;
    this.to = this.buffer.indexOf(lineEnd, rest.length);
  }
}

/** All rows in the dataset's order. All rows of an example are in one shard. */
export async function* inOrder(shards: readonly ShardRows[]): AsyncGenerator<Buffer, void, undefined> {
  const heap = shards.filter(({ number }) => number !== Infinity).sort((a, b) => a.number - b.number);
  while (heap.length > 0) {
    const first = heap[0];
    const { number } = first;
    while (first.number === number) {
      yield first.json;
      await first.next();
    }
    if (first.number === Infinity) {
      const last = heap.pop()!;
      if (heap.length === 0) return;
      if (last !== first) heap[0] = last;
    }
    sink(heap);
  }
}

/** Moves the first item of the heap down to its place. */
function sink(heap: ShardRows[]): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && heap[right].number < heap[left].number ? right : left;
    if (heap[at].number <= heap[child].number) return;
    [heap[at], heap[child]] = [heap[child], heap[at]];
    at = child;
  }
}
