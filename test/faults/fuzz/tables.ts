import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readManifest, requireAll, type VariantsManifest, variantsSchema } from '../../../src/audit/variants';
import { readScores } from '../../../src/evaluator/scoresTable';
import { altered, mutated } from './mutate';
import { orToldApart, type Target } from './target';

const key = 'a'.repeat(64);
const scoreSeeds = [
  `{"key": "${key}", "score": 0.25}\n{"key": "b", "score": null}\n{"key": "c", "score": "NaN"}\n`,
  `key,score\n${key},0.25\n"b",1e300\nc,\n`,
  `\ufeffscore\tkey\textra\n0.5\t${key}\tx\n-1\tb\ty\n`,
].map((text) => Buffer.from(text));

const scores: Target = {
  name: 'scores made elsewhere',
  share: 0.06,
  property: (folder) => {
    const path = join(folder, 'scores');
    return fc.asyncProperty(mutated(scoreSeeds), async (bytes) => {
      writeFileSync(path, bytes);
      await orToldApart(async () => {
        const table = await readScores(path);
        for (const [name, score] of table.scores) assert.ok(name !== '' && typeof score === 'number');
      });
    });
  },
};

const manifest: VariantsManifest = {
  schema: variantsSchema,
  probe: 'visla',
  dataset: { path: 'd.tsv', sha256: 'aa' },
  images: ['images'],
  kinds: ['text-text'],
  options: { a: '1' },
  map: { image: 'photo' },
  seed: 42,
  limit: 3,
  pairs: 'x.pairs.jsonl',
  pairCount: 1,
};

const manifests: Target = {
  name: 'manifests of variants',
  share: 0.06,
  property: (folder) => {
    const path = join(folder, 'x.variants.json');
    const changed = fc.oneof(
      altered([manifest]).map((value) => Buffer.from(JSON.stringify(value) ?? '')),
      mutated([Buffer.from(JSON.stringify(manifest))]),
    );
    const pairs = mutated([
      Buffer.from(`{"key": "b", "kind": "text-text"}\n{"key": "${key}", "left": {"text": "a"}}\n`),
    ]);
    return fc.asyncProperty(changed, pairs, async (content, lines) => {
      writeFileSync(path, content);
      writeFileSync(join(folder, 'x.pairs.jsonl'), lines);
      await orToldApart(async () => {
        await requireAll(
          path,
          await readManifest(path),
          new Map([
            ['b', 1],
            [key, 2],
          ]),
        );
      });
    });
  },
};

export const tableTargets: readonly Target[] = [scores, manifests];
