import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Owner } from '../../base/files/owner';

/*
 * A segment is two files to which only one process appends.
 *
 *   <id>.values   64 bytes of header, then records on multiples of 8:
 *                 key (32) · payload length (u32) · CRC-32 of the key, length and payload (u32) · payload · padding
 *   <id>.keys     64 bytes of header, then entries of 16 bytes:
 *                 first 8 bytes of the key · record offset / 8 (u32) · payload length (u32)
 *
 * An entry is written after its record and is only a hint: a record counts if its own key and checksum are valid.
 * Damage can therefore lose a result, but never falsify one.
 * All numbers are little-endian.
 */

export const formatVersion = 1;
export const headerSize = 64;
export const entrySize = 16;
export const keySize = 32;
export const recordHeader = keySize + 8;
/** A segment that exceeds this size is closed, although the offsets in a keys file could reach 32 GiB. */
export const maxSegment = 1 << 30;
export const maxPayload = 1 << 28;

const keysMagic = 'captkeys';
const valuesMagic = 'captvals';

export interface KeysHeader {
  version: number;
  /** Whether the segment's writer has closed it. */
  sealed: boolean;
  writer: Owner;
}

export function newSegmentId(): string {
  return `${Date.now().toString(36)}-${randomBytes(8).toString('hex')}`;
}

export function segmentIdOf(fileName: string): string | undefined {
  return /^([0-9a-z]+-[0-9a-f]{16})\.keys$/.exec(fileName)?.[1];
}

export function writeKeysHeader({ version, sealed, writer }: KeysHeader): Buffer {
  const header = Buffer.alloc(headerSize);
  header.write(keysMagic, 'latin1');
  header.writeUInt32LE(version, 8);
  header.writeUInt32LE(sealed ? 1 : 0, 12);
  header.writeUInt32LE(writer.pid, 16);
  header.write(writer.host, 20, 8, 'hex');
  header.writeDoubleLE(writer.started, 28);
  return header;
}

/** The header in the first bytes of a keys file; undefined for other files. */
export function readKeysHeader(bytes: Buffer): KeysHeader | undefined {
  if (bytes.length < headerSize || bytes.toString('latin1', 0, 8) !== keysMagic) return undefined;
  return {
    version: bytes.readUInt32LE(8),
    sealed: bytes.readUInt32LE(12) === 1,
    writer: {
      pid: bytes.readUInt32LE(16),
      host: bytes.toString('hex', 20, 28),
      started: bytes.readDoubleLE(28),
    },
  };
}

export function writeValuesHeader(): Buffer {
  const header = Buffer.alloc(headerSize);
  header.write(valuesMagic, 'latin1');
  header.writeUInt32LE(formatVersion, 8);
  return header;
}

/** A record's size with padding. */
export function recordSize(payloadLength: number): number {
  return (recordHeader + payloadLength + 7) & ~7;
}

export function writeRecord(into: Buffer, at: number, key: Uint8Array, payload: Uint8Array): void {
  into.set(key, at);
  into.writeUInt32LE(payload.length, at + keySize);
  into.set(payload, at + recordHeader);
  into.writeUInt32LE(checksum(into, at, payload.length), at + keySize + 4);
  into.fill(0, at + recordHeader + payload.length, at + recordSize(payload.length));
}

/** The payload of the record at `at`. Undefined if the record is damaged or has another key than `key`. */
export function readRecord(
  bytes: Buffer,
  at: number,
  payloadLength: number,
  key?: Uint8Array,
): Buffer | undefined {
  const end = at + recordHeader + payloadLength;
  if (end > bytes.length || bytes.readUInt32LE(at + keySize) !== payloadLength) return undefined;
  if (key !== undefined && bytes.compare(key, 0, keySize, at, at + keySize) !== 0) return undefined;
  if (bytes.readUInt32LE(at + keySize + 4) !== checksum(bytes, at, payloadLength)) return undefined;
  return bytes.subarray(at + recordHeader, end);
}

function checksum(bytes: Buffer, at: number, payloadLength: number): number {
  const before = crc32(bytes.subarray(at, at + keySize + 4));
  return crc32(bytes.subarray(at + recordHeader, at + recordHeader + payloadLength), before);
}
