import { CaptiousError, inputError, wordsOf } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { replaceFile } from '../../base/files/writeFile';

const settleMs = 50;

/** An annotator's session. `toString` returns the content of the session's file. */
export interface Work {
  toString(): string;
}

/** Writes the file of a new session. */
export function createWork(path: string, work: Work): Promise<void> {
  return writeWork(path, work, say('editor.allowSavingThenRerun'));
}

async function writeWork(path: string, work: Work, remedy: Words): Promise<void> {
  try {
    await replaceFile(path, work.toString());
  } catch (cause) {
    const reason = cause instanceof CaptiousError ? cause.cause : cause;
    throw inputError(say('editor.sessionNotSaved', wordsOf(reason)), remedy, path, cause);
  }
}

/** Saves a session shortly after each change. Only one write runs at a time, so that the latest state is saved last. */
export class Autosave {
  private timer: NodeJS.Timeout | undefined;
  private active: Promise<void> = Promise.resolve();
  private dirty = false;

  constructor(
    private readonly path: string,
    private readonly work: Work,
    private readonly tell: (problem: unknown) => void,
  ) {}

  get isSaved(): boolean {
    return !this.dirty;
  }

  changed(): void {
    this.dirty = true;
    this.timer ??= setTimeout(() => void this.flush(), settleMs);
  }

  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.dirty) this.active = this.active.then(() => this.write());
    return this.active;
  }

  private async write(): Promise<void> {
    if (!this.dirty) return;
    this.dirty = false;
    try {
      await writeWork(this.path, this.work, say('editor.allowSavingThenContinue'));
      this.tell(undefined);
    } catch (error) {
      this.dirty = true;
      this.tell(error);
    }
  }
}
