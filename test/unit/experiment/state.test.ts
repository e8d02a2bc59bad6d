import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExperimentState, stateName } from '../../../src/experiment/state';
import type { FinishedCell } from '../../../src/audit/matrix/cell';

describe('the state of an experiment', () => {
  let folder: string;
  let out: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-state-'));
    out = join(folder, 'captions');
    mkdirSync(out);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function finished(key: string, uncovered: Record<string, string> = {}): FinishedCell {
    const path = join(out, 'lgip.starter.report.json');
    writeFileSync(path, `{ "key": "${key}" }`);
    writeFileSync(join(out, 'lgip.starter.rows.jsonl'), '');
    const report = { rows: 'lgip.starter.rows.jsonl' } as FinishedCell['written']['report'];
    return { key, written: { path, report }, uncovered };
  }

  const find = (key: string, folderOf = out): Promise<string | undefined> =>
    new ExperimentState(folder).find(key, folderOf);

  it('finds a report by its key, until the key or a file changes', async () => {
    await new ExperimentState(folder).add(out, finished('k1'));
    assert.equal(await find('k1'), join(out, 'lgip.starter.report.json'));
    assert.equal(await find('k2'), undefined);
    assert.equal(await find('k1', join(folder, 'other')), undefined);
    writeFileSync(join(out, 'lgip.starter.report.json'), 'edited');
    assert.equal(await find('k1'), undefined);
  });

  it('does not find a report whose rows are missing', async () => {
    await new ExperimentState(folder).add(out, finished('k1'));
    rmSync(join(out, 'lgip.starter.rows.jsonl'));
    assert.equal(await find('k1'), undefined);
  });

  it('forgets the former report of a path', async () => {
    await new ExperimentState(folder).add(out, finished('k1'));
    await new ExperimentState(folder).add(out, finished('k2'));
    assert.equal(await find('k1'), undefined);
    assert.ok(await find('k2'));
    assert.equal(Object.keys(JSON.parse(readFileSync(join(folder, stateName), 'utf8')).cells).length, 1);
  });

  it('checks the files that a key does not cover', async () => {
    const late = join(folder, 'late.py');
    writeFileSync(late, 'x = 1');
    const sha256 = '4d3b8bd3c3bc5b4d7d7d3a9e3c0d7d3b';
    await new ExperimentState(folder).add(out, finished('k1', { [late]: sha256 }));
    assert.equal(await find('k1'), undefined);
    await new ExperimentState(folder).add(out, finished('k1', { [late]: '' }));
    assert.equal(await find('k1'), undefined);
  });

  it('starts over with a damaged file, and never reads reports of other folders', async () => {
    await new ExperimentState(folder).add(out, finished('k1'));
    const text = readFileSync(join(folder, stateName), 'utf8');
    writeFileSync(join(folder, stateName), text.slice(0, 40));
    assert.equal(await find('k1'), undefined);
    await new ExperimentState(folder).add(out, finished('k1'));
    assert.ok(await find('k1'));
    writeFileSync(
      join(folder, stateName),
      text.replace('captions/lgip.starter.report', '../lgip.starter.report'),
    );
    assert.equal(await find('k1'), undefined);
  });
});
