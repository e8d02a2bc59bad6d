import { english, say, type Words } from './say';

/** What went wrong, coarsely: enough to choose an exit code and an icon. */
export type ErrorKind =
  /** The command line, a setting or an option is wrong. */
  | 'usage'
  /** A dataset, an image, a report or another file is wrong or missing. */
  | 'input'
  /** A model folder or what the model answered is wrong. */
  | 'evaluator'
  /** The run stopped before its end and can be taken up again. */
  | 'interrupted';

export interface ErrorDetails {
  /** The file or setting at fault, with the line where there is one. */
  at?: string;
  /** What the person can do about it. */
  remedy?: Words;
  cause?: unknown;
}

/** An error a person can act on. Anything else that is thrown is a defect of Captious. */
export class CaptiousError extends Error {
  readonly at: string | undefined;
  readonly remedy: string | undefined;

  constructor(
    readonly kind: ErrorKind,
    /** What is wrong, and the way out, as they can be said in another language. */
    readonly what: Words,
    readonly details: ErrorDetails = {},
  ) {
    super(english(what), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CaptiousError';
    this.at = details.at;
    this.remedy = details.remedy === undefined ? undefined : english(details.remedy);
  }

  /** One paragraph: place, what is wrong, way out. */
  get words(): Words {
    const { at, remedy } = this.details;
    const all = remedy === undefined ? this.what : say`${this.what} ${remedy}`;
    return at === undefined ? all : say`${at}: ${all}`;
  }

  describe(): string {
    return english(this.words);
  }
}

/** Thrown wherever a signal was found aborted. */
export function cancelled(): CaptiousError {
  return new CaptiousError('interrupted', say`Cancelled.`, {
    remedy: say`Run the same command again to go on from here.`,
  });
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason instanceof CaptiousError ? signal.reason : cancelled();
}

/** What the system refused (EIO, EACCES, ENOENT …) as an error a person can act on; any other error as it is. */
export function actionable(error: unknown, at?: string): unknown {
  if (!(error instanceof Error) || error instanceof CaptiousError) return error;
  const { code, syscall, path } = error as Error & { code?: string; syscall?: string; path?: string };
  if (code === undefined || syscall === undefined) return error;
  return new CaptiousError('input', say`The system refused: ${error.message}.`, {
    at: at ?? path,
    remedy: say`Check that the path exists, its permissions and the disk, and run it again.`,
    cause: error,
  });
}

/** The items, until a signal says that nobody wants more. */
export async function* untilCancelled<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  for await (const item of items) {
    throwIfCancelled(signal);
    yield item;
  }
}

/** What went wrong, as it can be said in another language. */
export function wordsOf(error: unknown): Words {
  if (error instanceof CaptiousError) return error.words;
  return error instanceof Error ? error.message : String(error);
}

export function messageOf(error: unknown): string {
  return english(wordsOf(error));
}
