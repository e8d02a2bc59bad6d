import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { writeForPaper } from '../../../src/service/paper';
import { writePaper } from '../../../src/report/paper/paper';
import { paperReport, vislaRows } from '../report/paperReports';
import { saying } from '../../sentence';

describe('the editor’s export for a paper', () => {
  it('writes the files of the command line, byte for byte, each format into one folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-editor-paper-'));
    try {
      const rows = vislaRows(Array.from({ length: 40 }, (_, i) => i % 3 > 0));
      const wanted = { probe: 'visla', dataset: 'editor', evaluator: 'One', shift: 0, rows };
      const reports = [await paperReport(folder, wanted)];
      const layout = 'visla.table2';
      const out = join(folder, 'editor');
      const ask = { reports, layout, out, images: [], trusted: false };
      const allowed = { evaluators: [], own: [], workspace: [] };
      const { signal } = new AbortController();
      const { files } = await writeForPaper({ ...ask, to: ['tex', 'pdf'], allowed }, signal);
      const expected: string[] = [];
      for (const to of ['tex', 'pdf'] as const)
        expected.push(
          ...(await writePaper({ ...{ reports, layout, to }, spread: 'ci', out: join(folder, 'cli') })),
        );
      assert.ok(expected.length > 5);
      assert.deepEqual(
        files.map((file) => basename(file)),
        expected.map((file) => basename(file)),
      );
      for (const [i, file] of files.entries())
        assert.deepEqual(await readFile(file), await readFile(expected[i]));
      await assert.rejects(
        writeForPaper({ ...ask, to: ['docx'], allowed }, signal),
        saying('export.formatUnknown'),
      );
      await assert.rejects(writeForPaper({ ...ask, to: ['tex'], allowed }, AbortSignal.abort()), /ancel/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
