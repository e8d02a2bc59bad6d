import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whileHeld } from '../../base/files/lease';
import { readJson } from '../../base/files/readJson';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';
import { object, record, type Shaped, text } from '../../base/shape';

const shape = object({ consents: record(text), canaries: record(text) });
type Content = Shaped<typeof shape>;

/** The last change of each file, which the next one waits for. */
const changes = new Map<string, Promise<void>>();

/** Stores consent to endpoints and canary results of judges between runs. */
export class JudgeMemory {
  private readonly path: string;

  constructor(home: string) {
    this.path = join(home, 'judges-1.json');
  }

  async consented(endpoint: string): Promise<boolean> {
    return Object.hasOwn((await this.read()).consents, endpoint);
  }

  async canary(judge: string): Promise<string | undefined> {
    const { canaries } = await this.read();
    return Object.hasOwn(canaries, judge) ? canaries[judge] : undefined;
  }

  consent(endpoint: string): Promise<void> {
    return this.change((content) => (content.consents[endpoint] = new Date().toISOString()));
  }

  keepCanary(judge: string, found: string): Promise<void> {
    return this.change((content) => (content.canaries[judge] = found));
  }

  /** An unreadable file counts as empty, so that Captious asks for consent again. */
  private async read(): Promise<Content> {
    try {
      return shape(await readJson(this.path), '');
    } catch {
      return { consents: {}, canaries: {} };
    }
  }

  /** Makes one change at a time, because all judges of a run, and all processes, share the file. */
  private change(act: (content: Content) => void): Promise<void> {
    const changed = (changes.get(this.path) ?? Promise.resolve()).then(async () => {
      await mkdir(dirname(this.path), { recursive: true });
      await whileHeld(`${this.path}.lock`, async () => {
        const content = await this.read();
        act(content);
        await replaceFile(this.path, `${JSON.stringify(content, null, 1)}\n`, ownerOnly);
      });
    });
    changes.set(
      this.path,
      changed.catch(() => undefined),
    );
    return changed;
  }
}
