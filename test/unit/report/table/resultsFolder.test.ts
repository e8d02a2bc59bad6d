import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../../../../src/base/say';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { writeResultsFolder } from '../../../../src/report/table/resultsFolder';
import { reportOf, writeReport } from '../reportOf';
import { results } from './written';

describe('a folder of results', () => {
  let folder: string;
  let report: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-folder-'));
    const rows = results[0].rows.map((one) => `${JSON.stringify(one)}\n`).join('');
    report = await writeReport(folder, reportOf(), rows);
  });
  after(() => rm(folder, { recursive: true }));

  const write = (out: string, signal = new AbortController().signal) =>
    writeResultsFolder([report], { form: 'arrow', out, leftOut: [new LeftOutRows()], signal });

  it('has a configuration for each probe in its card', async () => {
    const files = await write(join(folder, 'new'));
    assert.deepEqual(
      files.map((file) => file.slice(folder.length + 1)),
      [join('new', 'visla/rows-00000-of-00001.arrow'), join('new', 'README.md')],
    );
    const card = await readFile(files[1], 'utf8');
    assert.match(card, /^---\nconfigs:\n- config_name: visla\n {2}data_files: visla\/\*\.arrow\n---\n/);
    assert.match(card, /\| visla\/rows-00000-of-00001\.arrow \| visla \| tiny \| triplets\.tsv \|/);
  });

  it('must be new or empty, so that no older rows are mixed in', async () => {
    const out = join(folder, 'full');
    await mkdir(join(out, 'visla'), { recursive: true });
    await assert.rejects(write(out), { what: say('audit.outFolderNotEmpty'), at: out });
    assert.deepEqual(await readdir(out), ['visla']);
  });

  it('holds no unfinished file after a cancelled export', async () => {
    const out = join(folder, 'cancelled');
    const stop = new AbortController();
    stop.abort();
    await assert.rejects(write(out, stop.signal));
    assert.deepEqual(await readdir(join(out, 'visla')), []);
  });
});
