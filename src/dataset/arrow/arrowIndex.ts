import { Reason, throwIfCancelled } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { type ArrowBatch, batchOf, type Span } from './arrowBatch';
import { type ArrowField, fieldsOfSchema } from './arrowSchema';
import { FlatTable } from './flatTable';

const fileMark = 'ARROW1';
/** The mark in front of each message's length. Files from before 2019 do not have it. */
const continuation = 0xffffffff;
const mostOfMessage = 64 << 20;

/** The kinds of messages. */
const [schemaMessage, dictionaryMessage, recordsMessage] = [1, 2, 3];

/** Where a message is: its description and the data behind it. */
interface Place {
  message: Span;
  body: Span;
}

export interface RecordsPlace extends Place {
  rows: number;
}

export interface DictionaryPlace extends Place {
  id: number;
  isDelta: boolean;
  /** It counts from this record batch on. */
  before: number;
}

export interface ArrowIndex {
  fields: readonly ArrowField[];
  batches: readonly RecordsPlace[];
  dictionaries: readonly DictionaryPlace[];
  /** Why the file cannot be read further. */
  fault?: Words;
}

export interface ArrowBytes {
  size: number;
  bytes(span: Span): Promise<Uint8Array>;
}

export function isArrow(head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, 8)).toString('latin1');
  // A stream begins with the mark of a message and the message's length, as the files of `save_to_disk` do.
  return start.startsWith(fileMark) || /^\xff{4}[^]{3}\0/.test(start);
}

/** Finds all batches of a file by its footer, or those of a stream or of a file without a footer in their order. */
export async function arrowIndex(file: ArrowBytes, signal?: AbortSignal): Promise<ArrowIndex> {
  const isFile = (await textAt(file, 0)) === fileMark;
  const found = new Found(file, isFile);
  let fault: Words | undefined;
  try {
    const footer = isFile ? await footerOf(file) : undefined;
    if (footer === undefined) await found.walk(isFile ? 8 : 0, signal);
    else await found.listed(footer, signal);
    if (isFile && footer === undefined) fault = say('dataset.arrowWithoutFooter');
  } catch (error) {
    throwIfCancelled(signal);
    fault = reasonOf(error).what;
  }
  const { fields, batches, dictionaries } = found;
  if (fields === undefined) throw new Reason(fault ?? say('dataset.arrowWithoutSchema'));
  return { fields, batches, dictionaries, ...(fault === undefined ? {} : { fault }) };
}

class Found {
  fields: readonly ArrowField[] | undefined;
  readonly batches: RecordsPlace[] = [];
  readonly dictionaries: DictionaryPlace[] = [];

  constructor(
    private readonly file: ArrowBytes,
    private readonly isFile: boolean,
  ) {}

  async walk(start: number, signal: AbortSignal | undefined): Promise<void> {
    for (let at: number | undefined = start; at !== undefined;) {
      throwIfCancelled(signal);
      at = await this.add(at);
    }
  }

  async listed(footer: FlatTable, signal: AbortSignal | undefined): Promise<void> {
    const schema = footer.table(1);
    if (schema !== undefined) this.fields = fieldsOfSchema(schema, footer.short(0));
    // A block has three numbers, the first of which is the message's position.
    for (const slot of [2, 3])
      for (const [i, at] of footer.longs(slot, 3).entries()) {
        throwIfCancelled(signal);
        if (i % 3 === 0 && !(at >= 8 && at < this.file.size))
          throw new Reason(say('dataset.arrowTruncated', at));
        if (i % 3 === 0) await this.add(at);
      }
  }

  /** Adds a message, and returns the place of the next one. */
  private async add(at: number): Promise<number | undefined> {
    const { file, batches, dictionaries } = this;
    const message = await messageAt(file, at);
    if (message === undefined) return undefined;
    const table = await tableOf(file, message);
    const length = table.long(3);
    const body = { start: message.start + message.length, length };
    if (!(length >= 0 && body.start + length <= file.size))
      throw new Reason(say('dataset.arrowTruncated', at));
    const header = table.table(2);
    const kind = table.byte(1);
    if (this.fields === undefined) {
      if (kind !== schemaMessage || header === undefined) throw new Reason(say('dataset.arrowWithoutSchema'));
      this.fields = fieldsOfSchema(header, table.short(0));
    } else if (kind === recordsMessage && header !== undefined)
      batches.push({ message, body, rows: batchOf(header, this.fields, body).rows });
    else if (kind === dictionaryMessage && header !== undefined) {
      // In a file, a dictionary counts for all batches.
      const before = this.isFile ? 0 : batches.length;
      dictionaries.push({ message, body, id: header.long(0), isDelta: header.byte(2) !== 0, before });
    } else throw new Reason(say('dataset.arrowMessageUnknown', at));
    return body.start + length;
  }
}

/** The footer of a file, which lists its batches. Undefined if the file ends early. */
async function footerOf(file: ArrowBytes): Promise<FlatTable | undefined> {
  const end = file.size - fileMark.length;
  if (end < 12 || (await textAt(file, end)) !== fileMark) return undefined;
  const length = await numberAt(file, end - 4);
  if (length === 0 || length > end - 12 || length > mostOfMessage) return undefined;
  return tableOf(file, { start: end - 4 - length, length });
}

/** Reads the places of a batch's columns again: to keep those of all batches would take much memory. */
export async function batchAt(
  file: ArrowBytes,
  { message, body }: Place,
  fields: readonly ArrowField[],
  isDictionary = false,
): Promise<ArrowBatch> {
  try {
    const header = (await tableOf(file, message)).table(2);
    const records = isDictionary ? header?.table(1) : header;
    if (records === undefined) throw new RangeError();
    return batchOf(records, fields, body);
  } catch (error) {
    throw reasonOf(error);
  }
}

/** The place of a message's description. Undefined at the end of the stream. */
async function messageAt(file: ArrowBytes, at: number): Promise<Span | undefined> {
  if (at === file.size) return undefined;
  const first = await numberAt(file, at);
  const hasMark = first === continuation;
  const length = hasMark ? await numberAt(file, at + 4) : first;
  const start = at + (hasMark ? 8 : 4);
  if (length === 0) return undefined;
  if (length > mostOfMessage || start + length > file.size)
    throw new Reason(say('dataset.arrowTruncated', at));
  return { start, length };
}

async function numberAt(file: ArrowBytes, start: number): Promise<number> {
  if (start + 4 > file.size) throw new Reason(say('dataset.arrowTruncated', start));
  const bytes = await file.bytes({ start, length: 4 });
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
}

async function textAt(file: ArrowBytes, start: number): Promise<string> {
  const length = Math.min(fileMark.length, file.size - start);
  return Buffer.from(await file.bytes({ start, length })).toString('latin1');
}

async function tableOf(file: ArrowBytes, message: Span): Promise<FlatTable> {
  return FlatTable.root(await file.bytes(message));
}

/** A FlatBuffer that points outside itself makes a RangeError. */
function reasonOf(error: unknown): Reason {
  if (error instanceof Reason) return error;
  if (error instanceof RangeError) return new Reason(say('dataset.arrowBatchInvalid'), { cause: error });
  throw error;
}
