import type { Outcome } from '../base/outcome';
import type { Evaluator } from '../evaluator/evaluator';
import type { ImageItem } from '../protocol/item';
import type { Value } from './value';

export type Work =
  | { kind: 'text'; text: string }
  | { kind: 'image'; image: ImageItem }
  | { kind: 'pair'; image: ImageItem; text: string; references?: readonly string[] };

/** One distinct item to measure, for one or more calls. */
export class Task {
  readonly result: Promise<Outcome<Value>>;
  resolve!: (outcome: Outcome<Value>) => void;
  reject!: (error: unknown) => void;
  /** The number of calls that wait for this task. If it is 0, the task need not start. */
  wanted = 0;
  cut = false;
  home: Set<Task> | undefined;
  /** The number of batches sent before this task was queued. */
  since = 0;

  constructor(
    readonly id: string,
    readonly key: Buffer,
    readonly work: Work,
    /** Whether the store keeps the outcome. */
    readonly kept: boolean,
    /** The hash of the image when the key was made. */
    readonly imageSha256?: string,
  ) {
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Callers handle the error. A rejection without callers must not count as unhandled.
    this.result.catch(() => undefined);
  }
}

/** Splits tasks into batches of one kind each. The batches do not depend on the order of the tasks. */
export function batchesOf(
  tasks: readonly Task[],
  { texts, images }: NonNullable<Evaluator['fixedBatches']>,
): Task[][] {
  return (['text', 'image', 'pair'] as const).flatMap((kind) => {
    const own = tasks.filter(({ work }) => work.kind === kind).sort(byContent);
    const count = Math.ceil(own.length / (kind === 'text' ? texts : images));
    const edge = (i: number): number => Math.ceil((i * own.length) / count);
    return Array.from({ length: count }, (_, i) => own.slice(edge(i), edge(i + 1)));
  });
}

/** Groups texts by length and pairs by image, then sorts by key. The dataset's order therefore has no effect. */
function byContent(a: Task, b: Task): number {
  if (a.work.kind === 'text' && b.work.kind === 'text') {
    const longer = a.work.text.length - b.work.text.length;
    if (longer !== 0) return longer;
  }
  if (a.work.kind === 'pair' && b.work.kind === 'pair') {
    const [one, other] = [a, b].map(({ imageSha256, work }) =>
      JSON.stringify([imageSha256, work.kind === 'pair' ? work.image.transforms : null]),
    );
    if (one !== other) return one < other ? -1 : 1;
  }
  return Buffer.compare(a.key, b.key);
}
