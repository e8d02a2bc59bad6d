import { Reason, throwIfCancelled } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { KeySet } from '../ids';
import { sampleKey } from './sampleKey';
import type { Omission, TarReader } from './tarReader';

/** The rest of an archive with more members is not read. */
const mostMembers = 1_000_000;

/** Where the samples of an archive are. A sample is a run of files with one key. */
export interface TarIndex {
  /** The position of each sample's first header. */
  starts: readonly number[];
  /** The end of the last sample. */
  end: number;
  /** The samples whose keys an earlier sample of the archive has. */
  repeated: ReadonlySet<number>;
  /** Why the archive cannot be read further. */
  fault?: Words;
  omitted: ReadonlyMap<Omission, { count: number; offset: number }>;
}

/** Reads the headers of all members. */
export async function indexOf(
  reader: TarReader,
  signal?: AbortSignal,
  most = mostMembers,
): Promise<TarIndex> {
  const starts: number[] = [];
  const repeated = new Set<number>();
  const omitted = new Map<Omission, { count: number; offset: number }>();
  const keys = new KeySet();
  let [end, count] = [0, 0];
  let before: string | undefined;
  let fault: Words | undefined;
  try {
    for await (const { name, omission, from, start, size } of reader.members(0, reader.size, signal)) {
      if (++count > most) throw new Reason(say('dataset.tarTooManyMembers', most, from));
      const own = omission === undefined ? sampleKey(name) : undefined;
      if (omission !== undefined) {
        const known = omitted.get(omission);
        omitted.set(omission, { count: (known?.count ?? 0) + 1, offset: known?.offset ?? from });
      }
      if (own === undefined) continue;
      end = start + size;
      if (own.key === before) continue;
      before = own.key;
      if (!keys.add(own.key)) repeated.add(starts.length);
      starts.push(from);
    }
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof Reason)) throw error;
    fault = error.what;
  }
  return { starts, end, repeated, omitted, ...(fault === undefined ? {} : { fault }) };
}
