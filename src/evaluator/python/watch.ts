import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { Described } from '../../protocol/python';
import type { Inputs } from './inputs';

/** Watches whether an evaluator's key still covers all code and files that its results depend on. */
export class Watch {
  /** The hashes of files that the key does not cover; empty for a file without a hash. */
  readonly late: Record<string, string> = {};
  private first: string | undefined;

  constructor(
    private readonly described: Pick<Described, 'sources' | 'native'>,
    private readonly inputs: Inputs,
  ) {}

  /**
   * A file that the key does not cover, or undefined. `sources` ran since the last batch. Once such a file exists, all
   * later batches may depend on it.
   */
  async beyond(sources: Readonly<Record<string, string>>): Promise<string | undefined> {
    const known = this.described;
    for (const [path, sha256] of Object.entries(sources)) {
      if (known.sources[path] === sha256 || known.native.includes(path)) continue;
      // Of several workers, one may have imported a late file before it changed.
      if (Object.hasOwn(known.sources, path) || (this.late[path] ?? sha256) !== sha256)
        throw new CaptiousError('interrupted', say('python.evaluatorChangedDuringRun'), {
          at: path,
          remedy: say('python.runAuditAgain'),
        });
      this.note(path, sha256);
    }
    const changed = this.first === undefined ? await this.inputs.changed() : undefined;
    if (changed !== undefined) this.note(changed, '');
    return this.first;
  }

  private note(path: string, sha256: string): void {
    this.first ??= path;
    this.late[path] = sha256;
  }
}
