import { say } from '../../base/say';
import type { Dataset } from '../dataset';
import { Entry } from '../entry';
import type { Found } from '../format';
import type { EntryHandler } from '../layout';
import { CountedDataset, type PartOfRows } from '../reading';
import type { ArrowFile } from './arrowFile';

/** An Arrow file or stream. */
export class ArrowDataset extends CountedDataset implements Dataset {
  readonly kind = 'arrow';

  constructor(
    private readonly file: ArrowFile,
    found: Found,
  ) {
    super(file, found, file.columns);
  }

  protected async *rows(handler: EntryHandler, part: PartOfRows): AsyncGenerator<void, void, undefined> {
    const { signal, first, limit, shift } = part;
    for await (const { from, to, rows, broken } of this.file.rows(signal, first, limit)) {
      if (broken !== undefined)
        handler.problem({
          code: 'broken-row',
          severity: 'error',
          message: say('dataset.arrowRowsBroken', from + 1, to, broken),
          row: to - 1 + shift,
        });
      for (const [i, fields] of (rows ?? []).entries())
        handler.entry(new Entry(from + i + shift, fields, undefined, undefined));
      yield;
    }
    if (limit === Infinity) for (const problem of this.file.problems()) handler.problem(problem);
  }
}
