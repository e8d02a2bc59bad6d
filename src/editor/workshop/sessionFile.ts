import { open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CaptiousError, messageOf } from '../../base/errors';
import { Session } from '../../mining/session';

const settleMs = 50;

export async function readSession(path: string): Promise<Session> {
  try {
    return Session.parse(await readFile(path, 'utf8'), path);
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw new CaptiousError('input', `This file cannot be read: ${messageOf(cause)}.`, { at: path, cause });
  }
}

export async function writeSession(path: string, session: Session): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(session.toString());
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new CaptiousError('input', `The session cannot be saved: ${messageOf(cause)}.`, {
      at: path,
      remedy: 'What was decided is still in the view; make room or allow writing, then go on.',
      cause,
    });
  }
}

/** Writes a session soon after it changed, one writing at a time, the last state always. */
export class Autosave {
  private timer: NodeJS.Timeout | undefined;
  private going: Promise<void> = Promise.resolve();
  private dirty = false;

  constructor(
    private readonly path: string,
    private readonly session: Session,
    private readonly tell: (problem: string | undefined) => void,
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
    if (this.dirty) this.going = this.going.then(() => this.write());
    return this.going;
  }

  private async write(): Promise<void> {
    if (!this.dirty) return;
    this.dirty = false;
    try {
      await writeSession(this.path, this.session);
      this.tell(undefined);
    } catch (error) {
      this.dirty = true;
      this.tell(messageOf(error));
    }
  }
}
