import { inputError } from '../../base/errors';
import type { Fingerprints } from '../../base/files/fingerprints';
import { say } from '../../base/say';
import { KeySet } from '../../dataset/ids';

/** The hashes of a run's image files. A file that changes during the run has no hash, so no result mixes its versions. */
export class ImageDigests {
  private readonly files = new KeySet();
  private readonly contents = new KeySet();
  private readonly changed = new Set<string>();

  constructor(private readonly fingerprints: Pick<Fingerprints, 'sha256'>) {}

  hasChanged(path: string): boolean {
    return this.changed.has(path);
  }

  async sha256(path: string, signal?: AbortSignal): Promise<string> {
    const sha256 = await this.fingerprints.sha256(path, signal);
    const isOther = this.contents.add(`${path}\0${sha256}`) && !this.files.add(path);
    if (isOther) this.changed.add(path);
    if (!this.changed.has(path)) return sha256;
    throw inputError(say('resume.imageChangedDuringRun'), say('resume.runAuditAgain'), path);
  }
}
