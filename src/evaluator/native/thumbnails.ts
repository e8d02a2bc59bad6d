import type { Exit } from '../../base/childProcess';
import { say } from '../../base/say';
import type { CaptiousError } from '../../base/errors';
import { inputError } from '../../base/errors';
import type { ThumbnailJob } from '../../protocol/native';
import { Engine } from './engine';
import { isFull } from './lost';

/** The child process ends after this many milliseconds without a request. */
const idleMs = 30_000;

/** Makes small images for display. They are decoded in a child process with a memory limit and a deadline. */
export class Thumbnails {
  private engine: Engine | undefined;
  private running = 0;
  private idle: NodeJS.Timeout | undefined;

  async make(job: ThumbnailJob): Promise<Uint8Array> {
    clearTimeout(this.idle);
    this.engine ??= new Engine({ stepDeadlineMs: 30_000, lost });
    this.running++;
    try {
      return await this.engine.run('thumbnail', job);
    } finally {
      if (--this.running === 0) this.idle = setTimeout(() => void this.close(), idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { engine } = this;
    this.engine = undefined;
    await engine?.close();
  }
}

function lost(exit: Exit): CaptiousError {
  const why = isFull(exit)
    ? say('native.thumbnailMemoryExceeded')
    : exit.cause?.code === 'stalled'
      ? say('native.thumbnailStalled')
      : say('native.thumbnailProcessEnded');
  return inputError(why, say('native.saveImageAgain'));
}
