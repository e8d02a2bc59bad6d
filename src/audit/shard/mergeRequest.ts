import type { AuditRequest } from '../request';

export interface MergeRequest extends Pick<
  AuditRequest,
  'home' | 'threads' | 'provider' | 'python' | 'signal' | 'onEvent' | 'consent'
> {
  /** Shard folders, or folders that contain them. */
  folders: readonly string[];
  out: string;
}
