import type { FileHandle } from 'node:fs/promises';
import { openRegular } from '../../base/files/readFile';
import { type Shapes, shapesIn } from './pickle';

/** The tensor names and shapes of a weight file. */
export interface Weights {
  shapes: Shapes;
  /** Whether torch.jit.save wrote the file, as for OpenAI's models. */
  isScript: boolean;
}

/** The most bytes read at once. The tensor lists of the largest known models have a few megabytes. */
const most = 64 << 20;
const endOfDirectory = 0x06054b50;
const endOfDirectory64 = 0x06064b50;
const locator64 = 0x07064b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;

/** Reads .safetensors, and files of torch.save and torch.jit.save since PyTorch 1.6. Throws for other files. */
export async function readWeights(path: string): Promise<Weights> {
  const file = await openRegular(path);
  try {
    const size = (await file.stat()).size;
    const first = await bytesAt(file, 0, Math.min(size, 8));
    if (first.length === 8 && first.readUInt32LE(0) === localHeader) return await ofArchive(file, size);
    return { shapes: await ofSafetensors(file, first, size), isScript: false };
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  if (!(length >= 0 && length <= most)) throw new Error('its list of tensors is too long');
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}

async function ofSafetensors(file: FileHandle, first: Buffer, size: number): Promise<Shapes> {
  const length = first.length < 8 ? NaN : Number(first.readBigUInt64LE(0));
  if (!(length > 1 && length <= Math.min(most, size - 8))) throw new Error('it is not a file of weights');
  const header: unknown = JSON.parse((await bytesAt(file, 8, length)).toString('utf8'));
  if (typeof header !== 'object' || header === null) throw new Error('it is not a file of weights');
  const shapes: Shapes = new Map();
  for (const [name, tensor] of Object.entries(header) as [string, unknown][]) {
    if (name === '__metadata__' || typeof tensor !== 'object' || tensor === null) continue;
    const shape = 'shape' in tensor && Array.isArray(tensor.shape) ? (tensor.shape as unknown[]) : [];
    shapes.set(
      name,
      shape.filter((side) => typeof side === 'number'),
    );
  }
  return shapes;
}

interface Entry {
  name: string;
  method: number;
  size: number;
  header: number;
}

async function ofArchive(file: FileHandle, size: number): Promise<Weights> {
  const entries = await directoryOf(file, size);
  const data = entries.find(({ name }) => /^[^/]+\/data\.pkl$/.test(name));
  if (data === undefined || data.method !== 0) throw new Error('it is not a file of weights');
  const local = await bytesAt(file, data.header, 30);
  if (local.length < 30 || local.readUInt32LE(0) !== localHeader) throw new Error('it is damaged');
  const from = data.header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const pickle = await bytesAt(file, from, data.size);
  return { shapes: shapesIn(pickle), isScript: entries.some(({ name }) => /^[^/]+\/code\//.test(name)) };
}

/** Reads a ZIP archive's list of files. Archives above 4 GB store the offset of this list in a second record. */
async function directoryOf(file: FileHandle, size: number): Promise<Entry[]> {
  const tailAt = Math.max(0, size - 0x10100);
  const tail = await bytesAt(file, tailAt, size - tailAt);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== endOfDirectory) end--;
  if (end < 0) throw new Error('it is truncated');
  let length = tail.readUInt32LE(end + 12);
  let from = tail.readUInt32LE(end + 16);
  if (from === 0xffffffff && end >= 20 && tail.readUInt32LE(end - 20) === locator64) {
    const record = await bytesAt(file, Number(tail.readBigUInt64LE(end - 12)), 56);
    if (record.length < 56 || record.readUInt32LE(0) !== endOfDirectory64) throw new Error('it is damaged');
    length = Number(record.readBigUInt64LE(40));
    from = Number(record.readBigUInt64LE(48));
  }
  return entriesOf(await bytesAt(file, from, length));
}

function entriesOf(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === directoryEntry;) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset));
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + name),
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 24),
      header: directory.readUInt32LE(at + 42),
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}
