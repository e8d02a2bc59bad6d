import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireOther } from '../../../src/cli/arguments';
import { captious } from './captious';
import { reportOf, writeReport } from '../report/reportOf';
import { scratchFolder } from '../dataset/support';

describe('an output file', () => {
  const { path: folder, write } = scratchFolder();

  it('may be new, or a file that is no input', () => {
    const [input, other] = [write('input', 'a'), write('other', 'b')];
    requireOther(join(folder, 'new'), [input]);
    requireOther(other, [input, join(folder, 'absent')]);
    assert.throws(() => requireOther(join(folder, '.', 'input'), [input]), /is an input file/);
  });

  for (const ending of ['report.json', 'rows.jsonl'])
    it(`of an export never replaces the ${ending} that it reads`, async () => {
      const report = await writeReport(folder, reportOf(), '');
      const out = report.replace('report.json', ending);
      const before = readFileSync(out, 'utf8');
      const { code, err } = await captious(folder, 'export', report, '--to', 'md', '--out', out);
      assert.equal(code, 2, err);
      assert.equal(readFileSync(out, 'utf8'), before);
    });
});
