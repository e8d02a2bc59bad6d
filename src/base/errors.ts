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
  remedy?: string;
  cause?: unknown;
}

/** An error a person can act on. Anything else that is thrown is a defect of Captious. */
export class CaptiousError extends Error {
  readonly at: string | undefined;
  readonly remedy: string | undefined;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CaptiousError';
    this.at = details.at;
    this.remedy = details.remedy;
  }

  /** One paragraph: place, what is wrong, way out. */
  describe(): string {
    const place = this.at === undefined ? '' : `${this.at}: `;
    const remedy = this.remedy === undefined ? '' : ` ${this.remedy}`;
    return `${place}${this.message}${remedy}`;
  }
}

/** Thrown wherever a signal was found aborted. */
export function cancelled(): CaptiousError {
  return new CaptiousError('interrupted', 'Cancelled.', {
    remedy: 'Run the same command again to go on from here.',
  });
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason instanceof CaptiousError ? signal.reason : cancelled();
}

export function messageOf(error: unknown): string {
  if (error instanceof CaptiousError) return error.describe();
  return error instanceof Error ? error.message : String(error);
}
