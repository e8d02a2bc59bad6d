import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDataset } from '../../../../src/dataset/open';
import { canBePublished, publishedEntry } from '../../../../src/probe/rococo/published';
import { scratchFolder } from '../../dataset/support';

describe("RoCOCO's published form", () => {
  const { path: folder } = scratchFolder();

  /** An image with so many captions, of which so many have an altered version. */
  const entry = (captions: number, altered: number) => ({
    image: `${captions} ${altered}.jpg`,
    caption: Array.from({ length: captions }, (_, i) => `a dog sees ${i} cats`),
    altered: Array.from({ length: altered }, (_, i) => `a bus sees ${i} cats`),
  });
  const cases: Record<string, readonly (readonly [number, number])[]> = {
    'five captions, all altered': [
      [5, 5],
      [5, 5],
    ],
    'five captions, some not altered': [
      [5, 5],
      [5, 4],
      [5, 5],
      [5, 0],
    ],
    'mostly not altered': [
      [5, 5],
      [5, 4],
      [5, 4],
    ],
    'first not altered': [
      [5, 4],
      [5, 5],
      [5, 5],
    ],
    'three captions': [
      [3, 3],
      [3, 3],
    ],
    'six captions': [
      [5, 5],
      [6, 6],
    ],
  };
  const published = ['five captions, all altered', 'five captions, some not altered'];

  for (const [name, sizes] of Object.entries(cases))
    it(`${name}: ${published.includes(name) ? 'reads as it was written' : 'is not used'}`, async () => {
      const entries = sizes.map((size) => entry(...size));
      assert.equal(canBePublished(entries), published.includes(name));
      if (!published.includes(name)) return;
      const path = join(folder, `${name}.json`);
      await writeFile(path, JSON.stringify(entries.map(publishedEntry)));
      const read: unknown[] = [];
      for await (const { captions } of (await openDataset(path)).read()) {
        const of = (role: string): string[] =>
          captions.filter((one) => one.role === role).map(({ text }) => text);
        read.push({ caption: of('caption'), altered: of('altered') });
      }
      assert.deepEqual(
        read,
        entries.map(({ caption, altered }) => ({ caption, altered })),
      );
    });
});
