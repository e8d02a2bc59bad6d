import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Holder, holderOf as leaseHolderOf, Lease } from '../../base/files/lease';
import type { Owner } from '../../base/files/owner';

/** Says in the folder of each run of this window that the run is here. */
export class RunLocks {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly owner?: Owner) {}

  /** false: another window holds it, or was quicker in taking it. */
  async take(folder: string): Promise<boolean> {
    if (this.leases.has(folder)) return true;
    await mkdir(folder, { recursive: true });
    const lease = await Lease.take(join(folder, 'claim'), this.owner);
    if (lease !== undefined) this.leases.set(folder, lease);
    return lease !== undefined;
  }

  async release(folder: string): Promise<void> {
    const lease = this.leases.get(folder);
    this.leases.delete(folder);
    await lease?.release();
  }

  /** The window closes, and there may be no time for more than this: what it held is free at once. */
  leave(): void {
    for (const lease of this.leases.values()) lease.leave();
    this.leases.clear();
  }
}

/** undefined: no window has ever held it, or it was released. */
export function holderOf(folder: string): Promise<Holder | undefined> {
  return leaseHolderOf(join(folder, 'claim'));
}
