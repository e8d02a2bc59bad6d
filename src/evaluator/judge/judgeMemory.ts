import type { Words } from '../../base/say';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/files/cannotWrite';
import { whileHeld } from '../../base/files/lease';
import { readJson } from '../../base/files/readJson';
import { ownerOnly, replaceFile } from '../../base/files/writeFile';
import { number, object, optional, record, type Shaped, text, words } from '../../base/shape';
import { type Dialect, dialectShape } from './endpoint/dialect';

const shape = object({
  consents: record(text),
  canaries: record(words),
  dialects: optional(record(dialectShape)),
  paces: optional(record(number)),
});
type Content = Shaped<typeof shape>;

/** The latest change to each file. The next change to the same file waits for it. */
const changes = new Map<string, Promise<void>>();

/** What earlier runs found out about a judge. */
export interface Known {
  /** The result of the judge's test, as a note for reports. */
  known?: Words;
  /** Seconds per answer. */
  pace?: number;
  /** The variant of the chat API that the server accepted. */
  dialect?: Dialect;
}

/** Stores, between runs, the user's consents and what runs found out about judges. */
export class JudgeMemory {
  private readonly path: string;

  constructor(home: string) {
    this.path = join(home, 'judges-1.json');
  }

  async consented(endpoint: string): Promise<boolean> {
    return Object.hasOwn((await this.read()).consents, endpoint);
  }

  /** The names of the consents that begin with `prefix`. */
  async consents(prefix: string): Promise<string[]> {
    return Object.keys((await this.read()).consents).filter((name) => name.startsWith(prefix));
  }

  async of(judge: string): Promise<Known> {
    const { canaries, paces, dialects } = await this.read();
    const own = <T>(from: Record<string, T> | undefined): T | undefined =>
      from !== undefined && Object.hasOwn(from, judge) ? from[judge] : undefined;
    const [known, pace, dialect] = [own(canaries), own(paces), own(dialects)];
    return {
      ...(known === undefined ? {} : { known }),
      ...(pace === undefined ? {} : { pace }),
      ...(dialect === undefined ? {} : { dialect }),
    };
  }

  consent(endpoint: string): Promise<void> {
    return this.change((content) => (content.consents[endpoint] = new Date().toISOString()));
  }

  keepCanary(judge: string, found: Words): Promise<void> {
    return this.change((content) => (content.canaries[judge] = found));
  }

  keepPace(judge: string, seconds: number): Promise<void> {
    return this.change((content) => ((content.paces ??= {})[judge] = seconds));
  }

  keepDialect(judge: string, dialect: Dialect): Promise<void> {
    return this.change((content) => ((content.dialects ??= {})[judge] = dialect));
  }

  /** An unreadable file counts as empty, so Captious asks for consent again. */
  private async read(): Promise<Content> {
    try {
      return shape(await readJson(this.path), '');
    } catch {
      return { consents: {}, canaries: {} };
    }
  }

  /** Makes one change after another, because all judges and processes share the file. */
  private change(act: (content: Content) => void): Promise<void> {
    const changed = (changes.get(this.path) ?? Promise.resolve()).then(async () => {
      await makeFolder(dirname(this.path));
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
