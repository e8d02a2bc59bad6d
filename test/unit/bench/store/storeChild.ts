import { Store } from '../../../../src/bench/store/store';
import type { StoreRecord } from '../../../../src/bench/store/writer';
import { recordNamed } from '../records';

/*
 * A process with a store, which tests watch or kill: node storeChild FOLDER NAME WHAT COUNT [USER]. Prints
 * warnings, and "done" at the end. If WHAT is "write", it also prints the number of records after each batch.
 */
async function main([folder, name, what, count, user]: string[]): Promise<void> {
  if (user !== undefined) process.setuid?.(Number(user));
  const warn = (message: string): void => void process.stdout.write(`warning ${message}\n`);
  const batches = function* (): Generator<StoreRecord[]> {
    for (let from = 0; from < Number(count); from += 7) {
      yield Array.from({ length: Math.min(7, Number(count) - from) }, (_, i) =>
        recordNamed(`${name} ${from + i}`),
      );
    }
  };
  if (what === 'write') {
    const store = await Store.open(folder, warn);
    process.stdout.write('0\n');
    let kept = 0;
    for (const batch of batches()) {
      await store.put(batch);
      process.stdout.write(`${(kept += batch.length)}\n`);
    }
    await store.close({ tidy: false });
  } else {
    // Makes many small segments and merges them, concurrently with other processes.
    for (const batch of batches()) {
      const store = await Store.open(folder, warn);
      await store.put(batch);
      await store.close({ tidy: true });
    }
  }
  process.stdout.write('done\n');
}

void main(process.argv.slice(2));
