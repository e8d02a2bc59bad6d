import { basename } from 'node:path';
import { actionable, inputError, Reason, throwIfCancelled } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Fields } from '../cell';
import type { Problem } from '../dataset';
import { longestRow, tooLongMessage } from '../text/framer';
import { JsonFault } from '../text/jsonBytes';
import { FieldsMaker, type SampleFile } from './sampleFields';
import { type Role, roleOf, sampleKey } from './sampleKey';
import { type Omission, type TarMember, TarReader } from './tarReader';
import { KeySet } from '../ids';

/** The rest of an archive with more members is not read. */
const mostMembers = 1_000_000;

/** Where the samples of an archive are. A sample is a run of files with one key. */
interface TarIndex {
  /** The position of each sample's first header. */
  starts: readonly number[];
  /** The end of the last sample. */
  end: number;
  /** The samples whose keys an earlier sample of the archive has. */
  repeated: ReadonlySet<number>;
  keys: KeySet;
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
  return { starts, end, repeated, keys, omitted, ...(fault === undefined ? {} : { fault }) };
}

/** The most bytes of a sample. */
const mostOfSample = 256 << 20;

const omissionWords: Record<Omission, Words> = {
  link: say('dataset.tarLinks'),
  device: say('dataset.tarDevices'),
  sparse: say('dataset.tarSparse'),
  outside: say('dataset.tarOutside'),
  other: say('dataset.tarOther'),
};

/** A sample's columns, or why it cannot be read. */
export interface Sample {
  row: number;
  key: string;
  fields?: Fields;
  broken?: Words;
}

type Used = TarMember & { ending: string; role: Role };

/** The files of a sample that Captious reads. */
interface Members {
  row: number;
  key: string;
  used: readonly Used[];
}

/** A WebDataset shard. Samples are read one by one at the positions of an index. */
export class TarFile {
  private readonly maker = new FieldsMaker();

  private constructor(
    readonly path: string,
    private readonly part: string | undefined,
    private readonly index: TarIndex,
  ) {}

  /** `part` is the file's name in a dataset of several files. */
  static async open(path: string, part?: string, signal?: AbortSignal): Promise<TarFile> {
    const reader = await TarReader.open(path);
    try {
      const index = await indexOf(reader, signal);
      if (index.starts.length === 0 && index.fault !== undefined) throw new Reason(index.fault);
      return new TarFile(path, part, index);
    } catch (error) {
      throw damaged(path, error);
    } finally {
      await reader.close();
    }
  }

  get rowCount(): number {
    return this.index.starts.length;
  }

  get keys(): KeySet {
    return this.index.keys;
  }

  /** The fields of the first samples. */
  async sample(count: number, signal?: AbortSignal): Promise<Fields[]> {
    const rows: Fields[] = [];
    for await (const { fields } of this.samples(signal, 0, count))
      if (fields !== undefined) rows.push(fields);
    return rows;
  }

  /** What the samples lack. */
  *problems(): Iterable<Problem> {
    const { fault, omitted, starts } = this.index;
    const name = this.part ?? basename(this.path);
    for (const [omission, { count, offset }] of omitted)
      yield {
        code: 'broken-part',
        severity: 'warning',
        message: say('dataset.tarMembersLeftOut', name, count, omissionWords[omission], offset),
      };
    if (fault !== undefined)
      yield {
        code: 'broken-part',
        severity: 'error',
        message: say('dataset.tarRestLeftOut', name, starts.length, fault),
      };
  }

  /** Samples from `first` up to, but excluding, `limit`. */
  async *samples(signal?: AbortSignal, first = 0, limit = Infinity): AsyncGenerator<Sample, void, undefined> {
    const sampleOf = (members: Members, reader: TarReader) => this.sampleOf(members, reader);
    yield* this.each(sampleOf, signal, { first, limit, isWhole: true });
  }

  /** The name of each image and the number of its sample. Reads headers only. */
  async *imageNames(signal?: AbortSignal): AsyncGenerator<[name: string, row: number], void, undefined> {
    const namesOf = ({ used, row }: Members): [string, number][] =>
      used.filter(({ role }) => role.kind === 'image').map(({ name }) => [this.imageName(name, row), row]);
    for await (const names of this.each(namesOf, signal)) yield* names;
  }

  private async *each<T>(
    make: (members: Members, reader: TarReader) => T | Promise<T>,
    signal: AbortSignal | undefined,
    { first, limit, isWhole } = { first: 0, limit: Infinity, isWhole: false },
  ): AsyncGenerator<T, void, undefined> {
    const { starts, end } = this.index;
    let reader: TarReader | undefined;
    try {
      reader = await TarReader.open(this.path);
      for (let row = first; row < Math.min(limit, starts.length); row++) {
        const used: Used[] = [];
        let key = '';
        const next = starts.at(row + 1) ?? end;
        if (isWhole) await reader.prefetch(starts[row], next, starts.at(limit) ?? end);
        for await (const member of reader.members(starts[row], next, signal)) {
          const own = member.omission === undefined ? sampleKey(member.name) : undefined;
          if (own === undefined) continue;
          ({ key } = own);
          const role = roleOf(own.ending);
          if (role !== undefined) used.push({ ...member, ending: own.ending, role });
        }
        // The file has changed since it was indexed.
        if (key === '') throw new Reason(say('dataset.tarTruncated', starts[row]));
        yield await make({ row, key, used }, reader);
      }
    } catch (error) {
      throw damaged(this.path, error);
    } finally {
      await reader?.close();
    }
  }

  private async sampleOf({ row, key, used }: Members, reader: TarReader): Promise<Sample> {
    const twice = used.find(({ ending }, i) => used.findIndex((one) => one.ending === ending) < i);
    if (twice !== undefined) return { row, key, broken: say('dataset.tarMemberTwice', twice.name) };
    const texts = used.filter(({ role }) => role.kind !== 'image');
    if (sizeOf(texts) > longestRow) return { row, key, broken: tooLongMessage(longestRow) };
    if (sizeOf(used) > mostOfSample) return { row, key, broken: tooLongMessage(mostOfSample) };
    const files: SampleFile[] = [];
    for (const { name, ending, role, start, size } of used)
      files.push({
        name: this.imageName(name, row),
        ending,
        role,
        bytes: await reader.bytes(start, size),
      });
    try {
      return { row, key, fields: this.maker.fields(files) };
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      return { row, key, broken: error.what };
    }
  }

  /** Shards may have equal names, and so may the samples of a shard, but the images differ. */
  private imageName(name: string, row: number): string {
    const own = this.index.repeated.has(row) ? `${name} (entry ${row + 1})` : name;
    return this.part === undefined ? own : `${this.part}/${own}`;
  }
}

function sizeOf(members: readonly TarMember[]): number {
  return members.reduce((sum, { size }) => sum + size, 0);
}

function damaged(path: string, error: unknown): unknown {
  if (!(error instanceof Reason)) return actionable(error, path);
  return inputError(say('dataset.asSentence', error.what), say('dataset.parquetDownloadAgain'), path, error);
}
