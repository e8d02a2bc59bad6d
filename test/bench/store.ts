import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisOwner } from '../../src/base/files/owner';
import {
  entrySize,
  formatVersion,
  headerSize,
  newSegmentId,
  writeKeysHeader,
} from '../../src/bench/store/format';
import { Recent } from '../../src/bench/recent';
import { Store } from '../../src/bench/store/store';
import { encodeValue } from '../../src/bench/value';
import { median, type Section } from './report';

const captions = 2917;
const millions = 3_000_000;

/** Measures the time to write, open and read a store with one audit's entries, and to open one with three million. */
export async function benchStore(rounds: number): Promise<Section> {
  const folder = await mkdtemp(join(tmpdir(), 'captious-store-bench-'));
  try {
    const small = join(folder, 'small');
    const keys = Array.from({ length: captions }, (_, i) =>
      createHash('sha256').update(`caption ${i}`).digest(),
    );
    const records = keys.map((key, i) => ({
      key,
      payload: encodeValue({ kind: 'vector', vector: new Float32Array(384).fill(i), cut: false }),
    }));
    const writing = await timed(rounds, async (round) => {
      const store = await Store.open(join(folder, `write ${round}`));
      for (let at = 0; at < records.length; at += 32) await store.put(records.slice(at, at + 32));
      await store.close({ tidy: false });
    });
    const filler = await Store.open(small);
    await filler.put(records);
    await filler.close({ tidy: false });

    let store: Store | undefined;
    const opening = await timed(rounds, async () => {
      await store?.close({ tidy: false });
      store = await Store.open(small);
    });
    const reading = await timed(rounds, async () => {
      const found = await store!.get(keys);
      if (found.includes(undefined)) throw new Error('The store lost a record.');
    });
    await store!.close({ tidy: false });

    const large = join(folder, 'large');
    await fillKeys(large, millions);
    const openingLarge = await timed(Math.min(rounds, 3), async () => {
      await store!.close({ tidy: false });
      store = await Store.open(large);
    });
    if (store!.size !== millions) throw new Error(`The store knows ${store!.size} entries.`);
    const bytes = store!.indexBytes / millions;
    await store!.close({ tidy: false });

    const [early, late] = recall();

    const ms = (value: number): string => `${(value * 1000).toFixed(1)} ms`;
    return {
      id: 'store',
      title: 'Store',
      notes: [
        `Embeddings of 384 numbers; medians of ${rounds} rounds, files in the system's cache.`,
        `The large store is one key file of ${millions.toLocaleString('en')} entries without values.`,
      ],
      columns: ['', 'time'],
      rows: [
        [`write ${captions} embeddings, 32 at a time`, ms(writing)],
        [`open, ${captions} entries`, ms(opening)],
        [`read and check ${captions} embeddings`, ms(reading)],
        [`open, ${millions.toLocaleString('en')} entries`, ms(openingLarge)],
        ['remember 100,000 scores, the first', ms(early)],
        ['remember 100,000 scores, after a million others', ms(late)],
      ],
      data: { writing, opening, reading, openingLarge, bytesPerEntry: bytes, early, late },
      targets: [
        { what: 'seconds to open three million entries', value: openingLarge, atMost: 3 },
        { what: 'bytes an entry takes in memory', value: bytes, atMost: 32 },
        { what: 'times as long to remember after a million others', value: late / early, atMost: 10 },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds 100,000 scores in each of ten turns. Returns the shortest time of the first two turns, and of the last five. */
function recall(): [number, number] {
  const recent = new Recent(100_000 * 208);
  const seconds = Array.from({ length: 10 }, (_, turn) => {
    const start = performance.now();
    for (let i = turn * 100_000; i < (turn + 1) * 100_000; i++)
      recent.set(String(i), { ok: true, value: { kind: 'score', score: i } });
    return (performance.now() - start) / 1000;
  });
  return [Math.min(...seconds.slice(0, 2)), Math.min(...seconds.slice(5))];
}

async function timed(rounds: number, act: (round: number) => Promise<void>): Promise<number> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await act(round);
    seconds.push((performance.now() - start) / 1000);
  }
  return median(seconds);
}

async function fillKeys(folder: string, count: number): Promise<void> {
  const entries = Buffer.alloc(headerSize + count * entrySize);
  writeKeysHeader({ version: formatVersion, sealed: true, writer: thisOwner() }).copy(entries);
  for (let i = 0; i < count; i++) {
    const at = headerSize + i * entrySize;
    createHash('sha256').update(String(i)).digest().copy(entries, at, 0, 8);
    entries.writeUInt32LE(8 + i, at + 8);
    entries.writeUInt32LE(1540, at + 12);
  }
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${newSegmentId()}.keys`), entries);
}
