/*
 * Writes rows of a real audit (the sample images, without masks) for the Python implementation and the
 * unit test: node --require tsx/cjs test/oracle/invariance/makeRows.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import type { InvarianceRow } from '../../../src/probe/invariance/row';

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'captious-audit-rows-'));
  try {
    await runAudit({
      dataset: join(__dirname, '../../../samples/captions.json'),
      probes: ['invariance'],
      evaluators: ['starter'],
      out: folder,
      home: folder,
      signal: new AbortController().signal,
    });
    const lines = readFileSync(join(folder, 'invariance.starter.rows.jsonl'), 'utf8').trimEnd().split('\n');
    const rows = lines.map((line) => {
      const row = JSON.parse(line) as InvarianceRow;
      delete row.object?.mask;
      return row;
    });
    writeFileSync(join(__dirname, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
