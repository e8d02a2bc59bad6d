import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSchema } from '../../../src/annotation/session';
import { openDataset } from '../../../src/dataset/open';
import type { Example } from '../../../src/dataset/example';
import { fileKinds } from '../../../src/evaluator/fileKinds';
import { sessionSchema } from '../../../src/mining/session';
import { reportSchema } from '../../../src/report/reportShape';
import { variantsSchema } from '../../../src/audit/variants';

const root = join(__dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

interface Schema {
  properties: Record<string, { const?: string; enum?: string[] }>;
}

describe('schemas and snippets', () => {
  it('name the formats and kinds that the code knows', () => {
    const schema = (name: string) => read(`schemas/${name}.schema.json`) as unknown as Schema;
    assert.equal(schema('report').properties.schema.const, reportSchema);
    assert.equal(schema('variants').properties.schema.const, variantsSchema);
    assert.equal(schema('check').properties.schema.const, checkSchema);
    assert.equal(schema('triplets').properties.schema.const, sessionSchema);
    assert.deepEqual(schema('evaluator').properties.kind.enum, fileKinds);
  });

  it('write entries that are read as what they are called', async () => {
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
