import { english } from './english';
import { say, type Words } from './say';
import { ShapeError } from './shape';

/** The kind of an error, which selects the exit code. */
export type ErrorKind =
  /** The command line, a setting or an option is wrong. */
  | 'usage'
  /** A dataset, an image, a report or another file is wrong or missing. */
  | 'input'
  /** A model folder or a model's answer is wrong. */
  | 'evaluator'
  /** The run stopped early and can be resumed. */
  | 'interrupted';

export interface ErrorDetails {
  /** The file or setting at fault, with its line if there is one. */
  at?: string;
  remedy?: Words;
  cause?: unknown;
}

/** An error that the user can fix. Any other exception is a defect of Captious. */
export class CaptiousError extends Error {
  readonly at: string | undefined;
  readonly remedy: string | undefined;

  constructor(
    readonly kind: ErrorKind,
    /** The problem, as a translatable text. */
    readonly what: Words,
    readonly details: ErrorDetails = {},
  ) {
    super(english(what), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CaptiousError';
    this.at = details.at;
    this.remedy = details.remedy === undefined ? undefined : english(details.remedy);
  }

  /** The place, the problem and the remedy in one paragraph. */
  get words(): Words {
    const { at, remedy } = this.details;
    const all = remedy === undefined ? this.what : say('base.joinedParts', this.what, remedy);
    return at === undefined ? all : say('base.labelledPart', at, all);
  }

  describe(): string {
    return english(this.words);
  }
}

/** Makes errors of one kind. `at` is the file or setting at fault, with its line if there is one. */
const errorOf =
  (kind: ErrorKind) =>
  (what: Words, remedy?: Words, at?: string, cause?: unknown): CaptiousError =>
    new CaptiousError(kind, what, { at, remedy, cause });

export const usageError = errorOf('usage');
export const inputError = errorOf('input');
export const evaluatorError = errorOf('evaluator');
export const interruptedError = errorOf('interrupted');

/** A failure whose text becomes part of a CaptiousError's message. */
export class Reason extends Error {
  constructor(
    readonly what: Words,
    options?: ErrorOptions,
  ) {
    super(english(what), options);
  }
}

/** A text that is not JSON, with the first mistake and its place. */
export class NotJson extends SyntaxError {
  constructor(
    readonly what: Words,
    options?: ErrorOptions,
  ) {
    super(english(what), options);
    this.name = 'NotJson';
  }
}

/** The error to throw when a signal is aborted. */
export function cancelled(): CaptiousError {
  return new CaptiousError('interrupted', say('base.cancelled'), {
    remedy: say('base.runAgainToResume'),
  });
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason instanceof CaptiousError ? signal.reason : cancelled();
}

/** Within this many milliseconds of work, signals and messages are handled once. */
const often = 50;

/**
 * Returns a function to call between the parts of a long computation. It lets other work run if the last pause was a
 * while ago, and throws if the signal was aborted.
 */
export function pauses(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > often) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    }
    throwIfCancelled(signal);
  };
}

/** Turns a system error (EIO, EACCES, ENOENT …) into one that the user can fix. Returns others unchanged. */
export function actionable(error: unknown, at?: string): unknown {
  if (!(error instanceof Error) || error instanceof CaptiousError) return error;
  const { code, syscall, path } = error as Error & { code?: string; syscall?: string; path?: string };
  if (code === undefined || syscall === undefined) return error;
  const [what, remedy] = systemProblem(code, syscall, error.message);
  return new CaptiousError('input', what, { at: at ?? path, remedy, cause: error });
}

function systemProblem(code: string, syscall: string, message: string): [what: Words, remedy: Words] {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return syscall.startsWith('spawn')
        ? [say('base.programNotFound'), say('base.installProgram')]
        : [say('base.pathMissing'), say('shard.checkPath')];
    case 'EISDIR':
      return [say('base.folderNotFile'), say('base.nameFileItself')];
    case 'EACCES':
    case 'EPERM':
      return [say('base.noPermission'), say('base.checkPermissions')];
    case 'ENOSPC':
      return [say('base.diskFull'), say('base.freeDiskSpace')];
    default:
      return [say('base.systemError', message), say('base.checkPathAndDisk')];
  }
}

/** Yields the items, and pauses between them. Throws at the first item after the signal is aborted. */
export async function* untilCancelled<T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const pause = pauses(signal);
  for await (const item of items) {
    await pause();
    yield item;
  }
}

/** A description of an error. It is translatable if the error is Captious's own. */
export function wordsOf(error: unknown): Words {
  if (error instanceof CaptiousError) return error.words;
  if (error instanceof Reason || error instanceof NotJson || error instanceof ShapeError) return error.what;
  return error instanceof Error ? error.message : String(error);
}

export function messageOf(error: unknown): string {
  return english(wordsOf(error));
}
