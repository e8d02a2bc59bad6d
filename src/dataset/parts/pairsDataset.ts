import { join } from 'node:path';
import { actionable, CaptiousError, throwIfCancelled } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { say } from '../../base/say';
import { Cell, Fields } from '../cell';
import type { Dataset, Position, Problem } from '../dataset';
import { Entry } from '../entry';
import type { Found } from '../format';
import type { EntryHandler } from '../layout';
import { RowsDataset } from '../reading';
import { textOfHead } from '../text/chunks';
import { Cursor, Locator } from '../text/position';
import { imageAlone, mostTextBytes, type Pair, startOf, stemOf } from './pairs';

export const pairColumns = ['image', 'caption'] as const;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** How many texts to read before the caller may cancel or take the examples. */
const stepSize = 64;

/** The row of an image. `captions` are the lines of its text. */
function pairFields(image: string, captions: readonly Cell[]): Fields {
  return new Fields(pairColumns, [new Cell(image, -1, -1), new Cell(captions, -1, -1)]);
}

/** Images, each with a text file of the same name. Each line of a text is a caption. */
export class PairsDataset extends RowsDataset implements Dataset {
  readonly columns = pairColumns;

  constructor(
    readonly path: string,
    private readonly folder: string,
    private readonly pairs: readonly Pair[],
    found: Found,
  ) {
    super(path, found);
  }

  canStartAt(): boolean {
    return true;
  }

  async *feed(
    handler: EntryHandler,
    signal: AbortSignal | undefined,
    from?: Position,
  ): AsyncGenerator<void, void, undefined> {
    for (let row = from?.row ?? 0; row < this.pairs.length; row++) {
      const pair = this.pairs[row];
      if (pair.image === undefined || pair.text === undefined) handler.problem(lonely(pair, row));
      else this.readText(handler, row, pair.image, pair.text, signal);
      if (row % stepSize === stepSize - 1) yield;
    }
    yield;
  }

  private readText(
    handler: EntryHandler,
    row: number,
    image: string,
    text: string,
    signal: AbortSignal | undefined,
  ): void {
    let whole: Buffer;
    try {
      // Opening small files in turn with promises takes many times as long.
      whole = readBoundedSync(join(this.folder, text), mostTextBytes);
    } catch (thrown) {
      throwIfCancelled(signal);
      const error = actionable(thrown, text);
      if (!(error instanceof CaptiousError) || error.kind !== 'input') throw error;
      const message = say('dataset.partUnreadable', text, error.what);
      handler.problem({ code: 'broken-row', severity: 'error', message, row, place: startOf(text) });
      return;
    }
    const { encoding, text: bytes } = textOfHead(whole);
    const locator = new Locator(bytes, 0, new Cursor({ ...encoding, size: whole.length, part: text }));
    const place = locator.place(0, bytes.length);
    handler.entry(new Entry(row, pairFields(image, linesOf(bytes)), place, locator, stemOf(image)));
  }
}

/** The lines of a text that are not blank, without the white space around them. */
function linesOf(bytes: Uint8Array): Cell[] {
  const lines: Cell[] = [];
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length;) {
    let end = start;
    while (end < bytes.length && bytes[end] !== lineFeed && bytes[end] !== carriageReturn) end++;
    let [first, last] = [start, end];
    while (first < last && bytes[first] <= 0x20) first++;
    while (last > first && bytes[last - 1] <= 0x20) last--;
    if (first < last) lines.push(new Cell(decoder.decode(bytes.subarray(first, last)), first, last));
    start = end + 1;
  }
  return lines;
}

/** An image without a text, or a text without an image. */
function lonely({ image, text }: Pair, row: number): Problem {
  if (image !== undefined) return { ...imageAlone(image), row };
  return {
    code: 'missing-image',
    severity: 'error',
    message: say('dataset.textWithoutImage', text!),
    ...{ row, place: startOf(text!) },
  };
}
