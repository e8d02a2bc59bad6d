import type { Failure } from '../../../base/outcome';
import type { ImageSpec } from '../../../protocol/imageSpec';
import type { ImageItem } from '../../../protocol/item';

/** `grid` is the height and the width of the image in patches. It is set only if the graph reads patches. */
export type Prepared = { ok: true; pixels: Float32Array; grid?: readonly [number, number] } | Failure;

export interface Order {
  image: ImageItem;
  spec: ImageSpec;
}

/** A thread that answers its orders one after the other, in their order. */
export interface PoolThread {
  send: (order: Order) => void;
  /** Sets whether the thread keeps the process alive. */
  hold: (change: 'ref' | 'unref') => void;
}

interface Waiting extends Order {
  over: () => boolean;
  settle: (prepared: Prepared) => void;
}

interface Busy extends PoolThread {
  /** The requests that the thread has not answered yet, oldest first. The thread answers the oldest one next. */
  doing: Waiting[];
  /** The file of the last image, whose pixels may still be cached. */
  last?: string;
}

/** The most threads at first. More mainly take memory, unless graphs run faster than four threads prepare images. */
const usual = 4;
/** The most images that a thread gets in advance. While a graph runs, the main thread cannot send more. */
const mostEach = 8;

/** Threads that prepare images, as many as it takes to keep a graph busy, and at most one for each core. */
export class ThreadPool {
  private readonly threads: Busy[] = [];
  private readonly waiting: Waiting[] = [];
  private most: number;
  private wasLate = false;

  constructor(
    private readonly cores: number,
    private readonly start: (answer: (prepared: Prepared) => void) => PoolThread,
  ) {
    this.most = Math.min(usual, cores);
  }

  /** Decodes, changes and preprocesses an image, unless `over` returns true first. */
  prepare(order: Order, over: () => boolean): Promise<Prepared> {
    return new Promise((settle) => {
      this.waiting.push({ ...order, over, settle });
      this.assign();
    });
  }

  /** Called before each run of a graph. If the graph has to wait twice in a row, the pool may grow to twice its size. */
  noteTake(isLate: boolean): void {
    if (isLate && this.wasLate) this.most = Math.min(this.cores, this.most * 2);
    this.wasLate = isLate;
  }

  private assign(): void {
    while (this.waiting.length > 0) {
      const free = this.threads.find(({ doing }) => doing.length === 0) ?? this.another() ?? this.idlest();
      if (free.doing.length === mostEach) return;
      const known = this.waiting.findIndex(
        ({ image }) => free.last !== undefined && fileOf(image) === free.last,
      );
      const [next] = this.waiting.splice(Math.max(0, known), 1);
      if (next.over()) {
        next.settle({ ok: false, problem: 'cancelled' });
        continue;
      }
      free.doing.push(next);
      free.last = fileOf(next.image);
      free.hold('ref');
      free.send({ image: next.image, spec: next.spec });
    }
  }

  private another(): Busy | undefined {
    if (this.threads.length === this.most) return undefined;
    const thread: Busy = {
      ...this.start((prepared) => {
        const done = thread.doing.shift();
        if (thread.doing.length === 0) thread.hold('unref');
        done?.settle(prepared);
        this.assign();
      }),
      doing: [],
    };
    this.threads.push(thread);
    return thread;
  }

  private idlest(): Busy {
    return this.threads.reduce((least, other) => (other.doing.length < least.doing.length ? other : least));
  }
}

function fileOf({ source }: ImageItem): string | undefined {
  return 'path' in source ? source.path : undefined;
}
