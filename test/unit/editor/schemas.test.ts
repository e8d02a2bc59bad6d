import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSchema } from '../../../src/sessions/check';
import * as z from 'zod';
import { generatedSchemas } from '../../../scripts/schemas';
import { openDataset } from '../../../src/dataset/open';
import type { Example } from '../../../src/dataset/example';
import { fileKinds } from '../../../src/evaluator/fileKinds';
import { sessionSchema } from '../../../src/sessions/triplets';
import { reportSchema } from '../../../src/report/reportShape';
import { variantsSchema } from '../../../src/audit/variants';

const root = join(__dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

interface Schema {
  properties: Record<string, { const?: string; enum?: string[] }>;
}

type JsonSchema = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;

const encoder = './clip';
const judge = { endpoint: 'http://localhost:8000/v1', model: 'tiny' };
const family = { name: 'flips', weight: 1, shift: -0.1, transforms: [{ op: 'rotate', degrees: 90 }] };
/** A valid and an invalid file of each kind. */
const evaluatorFiles: Record<string, { right: object; wrong: object }> = {
  clipscore: {
    right: { encoder, prefix: 'a photo of ', weight: 2.5, name: 'Mine' },
    wrong: { encoder, weight: 0 },
  },
  'pac-s': { right: { encoder }, wrong: {} },
  cosine: { right: { encoder, prefix: '' }, wrong: { encoder, weight: 2 } },
  siglip: { right: { encoder, factor: 100, bias: -10 }, wrong: { encoder, factor: 100 } },
  itm: { right: { folder: './blip', features: './regions' }, wrong: { folder: 7 } },
  judge: {
    right: {
      ...judge,
      concurrency: 2,
      image: { side: 512, format: 'jpeg' },
      price: { input: 1, output: 2 },
    },
    wrong: { ...judge, image: { size: 512 } },
  },
  fleur: { right: { ...judge, format: 'json_object', maxTokens: 8 }, wrong: { ...judge, format: 'xml' } },
  vqascore: {
    right: {
      endpoint: 'http://localhost:8000/v1',
      model: 'm',
      template: 'Is it {caption}?',
      alternatives: 5,
    },
    wrong: { alternatives: 'many' },
  },
  likelihood: {
    right: { endpoint: 'http://localhost:8000/v1', model: 'm', template: 'Describe it.', seed: null },
    wrong: { template: 7 },
  },
  calibrated: {
    right: { encoder, estimator: 'signed', lambda: 1, families: [family], fitted: 'on samples' },
    wrong: { encoder, estimator: 'signed', lambda: 1.5, families: [family] },
  },
  repaired: {
    right: { encoder, encoderSha256: 'ab', text: 'text.npy', image: 'image.npy' },
    wrong: { encoder, text: 'text.npy', image: 'image.npy' },
  },
  rerank: { right: { encoder, scorer: './itm', top: 16 }, wrong: { encoder, scorer: './itm', top: 3 } },
  remote: {
    right: { endpoint: 'http://localhost:8000', folder: '.', text: 't', image: 'i', batch: 4, binary: true },
    wrong: { endpoint: 'http://localhost:8000', folder: '.', text: 't', binary: 'yes' },
  },
  python: {
    right: {
      file: './m.py',
      object: 'Mine',
      args: { device: 'cpu' },
      python: '.venv',
      timeout: 60,
      workers: 2,
    },
    wrong: { file: 7 },
  },
  embeddings: {
    right: { texts: './t.npy', textIds: ['./t.json'], images: ['./a.npz', './b.parquet'] },
    wrong: { images: 7 },
  },
};

describe('schemas and snippets', () => {
  it('are what the checks of the code generate: run npm run schemas after a change', async () => {
    for (const [name, text] of Object.entries(await generatedSchemas()))
      assert.equal(readFileSync(join(root, 'schemas', name), 'utf8'), text, name);
  });

  it('accept an evaluator file of each kind, and reject mistyped ones', () => {
    const { allOf, definitions } = read('schemas/evaluator.schema.json') as {
      definitions: JsonSchema['definitions'];
      allOf: { if: { properties: { kind: { const: string } } }; then: JsonSchema }[];
    };
    assert.deepEqual(Object.keys(evaluatorFiles), fileKinds);
    assert.deepEqual(
      allOf.map(({ if: { properties } }) => properties.kind.const),
      fileKinds,
    );
    for (const { if: of, then } of allOf) {
      const kind = of.properties.kind.const;
      const schema = z.fromJSONSchema({
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...then,
        definitions,
      });
      const { right, wrong } = evaluatorFiles[kind];
      const file = { $schema: 'https://example.org', kind, ...right };
      assert.equal(schema.safeParse(file).error, undefined, kind);
      assert.ok(!schema.safeParse({ kind, ...wrong }).success, kind);
      assert.ok(!schema.safeParse({ ...file, unknown: 1 }).success, kind);
    }
  });

  it('name the formats and kinds that the code knows', () => {
    const schema = (name: string) => read(`schemas/${name}.schema.json`) as unknown as Schema;
    assert.equal(schema('report').properties.schema.const, reportSchema);
    assert.equal(schema('variants').properties.schema.const, variantsSchema);
    assert.equal(schema('check').properties.schema.const, checkSchema);
    assert.equal(schema('triplets').properties.schema.const, sessionSchema);
    assert.deepEqual(schema('evaluator').properties.kind.enum, fileKinds);
  });

  it('produce entries that are read as their own kind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'captious-snippets-'));
    try {
      const snippets = read('snippets/jsonl.json') as Record<string, { body: string[] }>;
      const forms = { triplet: 'triplet', preference: 'preference', caption: 'captions' };
      for (const [name, form] of Object.entries(forms)) {
        const text = snippets[`Captious: ${name}`].body
          .join('\n')
          .replace(/\$\{\d+:([^}]*)\}/g, '$1')
          .replace(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1');
        const path = join(folder, `${name}.jsonl`);
        writeFileSync(path, `${text}\n`);
        const found: Example[] = [];
        for await (const example of (await openDataset(path)).read()) found.push(example);
        assert.equal(found[0]?.form, form, text);
        if (name === 'preference') assert.equal(found[0].preferred, 0);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
