import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { tickOnly } from '../e2e/steps';
import { repository, VSCode } from '../e2e/vscode';

/** Milliseconds from the last key of the audit's questions to the first row in the panel. */
export interface FirstRows {
  /** The first audit: nothing is stored, and the model is not hashed. */
  cold: number[];
  /** The same audit again, from the store. */
  warm: number[];
  /** Other captions and images: the model is hashed, and nothing of them is stored. */
  fresh: number[];
}

/** Audits the samples with the starter, in a new home folder each round. */
export async function benchFirstRows(scratch: string, rounds: number): Promise<FirstRows> {
  const times: FirstRows = { cold: [], warm: [], fresh: [] };
  for (let round = 0; round < rounds; round++) {
    const folder = join(scratch, `first-row-${round}`);
    const workspace = join(folder, 'workspace');
    await cp(join(repository, 'samples'), workspace, { recursive: true });
    const env = { CAPTIOUS_HOME: join(folder, 'home') };
    const code = await VSCode.open({ editor: 'latest', folder: workspace, env });
    try {
      await code.load();
      times.cold.push(await firstRow(code, 'triplets.tsv', 'VISLA'));
      times.warm.push(await firstRow(code, 'triplets.tsv', 'VISLA'));
      times.fresh.push(await firstRow(code, 'sugarcrepe.json', 'SugarCrepe'));
    } catch (error) {
      await code.screenshot('failed-bench-first-row');
      throw error;
    } finally {
      await code.close();
    }
  }
  return times;
}

async function firstRow(code: VSCode, file: string, probe: string): Promise<number> {
  await code.command('View: Close All Editors');
  await code.openFile(file);
  await code.command('Captious: Audit Dataset');
  await tickOnly(code, probe);
  await code.confirm();
  await tickOnly(code, 'Starter');
  // Waits for the end of the window's other work.
  await code.page.waitForTimeout(2000);
  const since = performance.now();
  await code.page.keyboard.press('Enter');
  await code.panel().locator('.grid-row .cell-1', { hasText: /\w/ }).first().waitFor();
  const took = performance.now() - since;
  console.error(`first row of ${file} after ${took.toFixed(0)} ms`);
  return took;
}
