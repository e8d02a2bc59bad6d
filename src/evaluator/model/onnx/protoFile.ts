import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { Reason } from '../../../base/errors';
import { say } from '../../../base/say';
import { floatOf } from '../../half';
import { openRegularSync } from '../../../base/files/readFile';

/** The most fields read from a file, enough for a hundred thousand nodes. More fields would take minutes. */
const mostFields = 4 << 20;
const longestName = 1 << 16;
/** The most bytes of all names together. */
const mostText = 64 << 20;

export interface Field {
  number: number;
  wire: number;
  /** The value of a varint field. */
  value: number;
  /** The byte range of the value, for a field of another type. */
  from: number;
  to: number;
}

/** Reads a protocol buffers file in pieces. */
export class ProtoFile {
  readonly size: number;
  private readonly handle: number;
  private readonly window = Buffer.allocUnsafe(1 << 16);
  private windowFrom = 0;
  private windowTo = 0;
  private left = mostFields;
  private textLeft = mostText;

  constructor(path: string) {
    this.handle = openRegularSync(path);
    this.size = fstatSync(this.handle).size;
  }

  close(): void {
    closeSync(this.handle);
  }

  *fields(from: number, to: number): Generator<Field> {
    let at = from;
    while (at < to) {
      this.count(at);
      const tag = this.varint(at);
      const wire = tag.value % 8;
      const field: Field = {
        number: Math.floor(tag.value / 8),
        wire,
        value: 0,
        from: tag.next,
        to: tag.next,
      };
      if (wire === 0) {
        const { value, next } = this.varint(tag.next);
        field.value = value;
        field.to = next;
      } else if (wire === 1) field.to = tag.next + 8;
      else if (wire === 5) field.to = tag.next + 4;
      else if (wire === 2) {
        const length = this.varint(tag.next);
        field.from = length.next;
        field.to = length.next + length.value;
      } else throw new Reason(say('model.protoFieldTypeUnknown', at));
      if (field.number === 0 || field.to > to) throw new Reason(say('model.protoTruncated', at));
      yield field;
      at = field.to;
    }
  }

  *varints(from: number, to: number): Generator<number> {
    for (let at = from; at < to;) {
      this.count(at);
      const { value, next } = this.varint(at);
      yield value;
      at = next;
    }
  }

  private count(at: number): void {
    if (--this.left < 0) throw new Reason(say('model.protoTooManyFields', mostFields, at));
  }

  text(field: Field): string {
    if (field.to - field.from > longestName)
      throw new Reason(say('model.protoNameTooLong', field.to - field.from));
    if ((this.textLeft -= field.to - field.from) < 0)
      throw new Reason(say('model.protoNamesTooLarge', mostText));
    const bytes = this.bytes(field);
    // Two names must not become one, because ONNX Runtime uses the bytes of a name.
    if (!isUtf8(bytes)) throw new Reason(say('model.protoNameNotUnicode', field.from));
    return bytes.toString('utf8');
  }

  half(field: Field): number {
    return floatOf(this.bytes(field).readUInt16LE());
  }

  float(field: Field): number {
    return this.bytes(field).readFloatLE();
  }

  /** A signed integer of 8 bytes. */
  integer(field: Field): number {
    return Number(this.bytes(field).readBigInt64LE());
  }

  copy(from: number, to: number): Buffer {
    return Buffer.from(this.bytes({ from, to }));
  }

  private bytes({ from, to }: Pick<Field, 'from' | 'to'>): Buffer {
    if (from >= this.windowFrom && to <= this.windowTo)
      return this.window.subarray(from - this.windowFrom, to - this.windowFrom);
    const bytes = Buffer.allocUnsafe(to - from);
    if (readSync(this.handle, bytes, 0, bytes.length, from) < bytes.length)
      throw new Reason(say('model.protoTruncated', to));
    return bytes;
  }

  private varint(at: number): { value: number; next: number } {
    let value = 0;
    let scale = 1;
    for (let next = at; next < at + 10; next++) {
      const byte = this.byte(next);
      value += (byte & 127) * scale;
      if (byte < 128) return { value, next: next + 1 };
      scale *= 128;
    }
    throw new Reason(say('model.protoNumberUnterminated', at));
  }

  private byte(at: number): number {
    if (at < this.windowFrom || at >= this.windowTo) {
      this.windowFrom = at;
      this.windowTo = at + readSync(this.handle, this.window, 0, this.window.length, at);
      if (this.windowTo === at) throw new Reason(say('model.protoEndsEarly', at));
    }
    return this.window[at - this.windowFrom];
  }
}
