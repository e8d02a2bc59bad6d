import { join } from 'node:path';
import { makeFolder } from '../../base/files/cannotWrite';
import { type Holder, holderOf as leaseHolderOf, Lease } from '../../base/files/lease';
import type { Owner } from '../../base/files/owner';

/** Locks runs for this window, with a lease in each run's folder. */
export class RunLocks {
  private readonly leases = new Map<string, Lease>();

  constructor(private readonly owner?: Owner) {}

  /** Takes the lease of a run's folder. Returns false if another window has the lease. */
  async take(folder: string): Promise<boolean> {
    if (this.leases.has(folder)) return true;
    await makeFolder(folder);
    const lease = await Lease.take(join(folder, 'claim'), this.owner);
    if (lease !== undefined) this.leases.set(folder, lease);
    return lease !== undefined;
  }

  async release(folder: string): Promise<void> {
    const lease = this.leases.get(folder);
    this.leases.delete(folder);
    await lease?.release();
  }

  /** Releases all leases synchronously, because a closing window does not wait for promises. */
  leave(): void {
    for (const lease of this.leases.values()) lease.leave();
    this.leases.clear();
  }
}

/** The last window that had the lease of a run's folder. It may have closed. Undefined if the folder has no lease. */
export function holderOf(folder: string): Promise<Holder | undefined> {
  return leaseHolderOf(join(folder, 'claim'));
}
