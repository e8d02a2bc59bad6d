/*
 * Reads a dataset file with Captious or simple code, and prints time and memory. reading.ts starts this program
 * with a limited heap.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openDataset } from '../../src/dataset/open';
import { peakMemory } from './peak';

type Way = 'captious' | 'readline' | 'parse';

async function count(way: Way, path: string): Promise<number> {
  let examples = 0;
  if (way === 'captious') {
    for await (const { captions } of (await openDataset(path)).read()) if (captions.length > 0) examples++;
  } else if (way === 'readline') {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
      if (JSON.parse(line) !== null) examples++;
  } else examples = (JSON.parse(readFileSync(path, 'utf8')) as unknown[]).length;
  return examples;
}

async function main(): Promise<void> {
  const [way, path] = process.argv.slice(2) as [Way, string];
  const [wall, processor] = [performance.now(), process.cpuUsage()];
  const examples = await count(way, path);
  const { user, system } = process.cpuUsage(processor);
  const taken = { wall: (performance.now() - wall) / 1000, processor: (user + system) / 1e6 };
  console.log(JSON.stringify({ examples, ...taken, peak: peakMemory() }));
}

void main();
