import { throwIfCancelled } from '../../base/errors';
import { say } from '../../base/say';
import type { Dataset } from '../dataset';
import { Entry } from '../entry';
import type { Found } from '../format';
import type { KeySet } from '../ids';
import type { EntryHandler } from '../layout';
import { CountedDataset, type PartOfRows } from '../reading';
import type { TarFile } from './tarFile';

/** A WebDataset shard. A row is a sample, and its key is the example's id. */
export class TarDataset extends CountedDataset implements Dataset {
  readonly kind = 'tar';

  constructor(
    private readonly file: TarFile,
    found: Found,
    columns: readonly string[],
  ) {
    super(file, found, columns);
  }

  override get keys(): KeySet {
    return this.file.keys;
  }

  imageNames(signal?: AbortSignal): AsyncIterable<[name: string, row: number]> {
    return this.file.imageNames(signal);
  }

  protected async *rows(handler: EntryHandler, part: PartOfRows): AsyncGenerator<void, void, undefined> {
    const { signal, first, limit, shift } = part;
    for await (const { row: own, key, fields, broken } of this.file.samples(signal, first, limit)) {
      throwIfCancelled(signal);
      const row = own + shift;
      if (fields !== undefined) handler.entry(new Entry(row, fields, undefined, undefined, key));
      else
        handler.problem({
          code: 'broken-row',
          severity: 'error',
          message: say('dataset.tarSampleBroken', key, broken!),
          row,
        });
      yield;
    }
    if (limit === Infinity) for (const problem of this.file.problems()) handler.problem(problem);
  }
}
