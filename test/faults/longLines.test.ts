import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileSubjects } from './fuzz/longFiles';
import { pieces, subjects, whySlow } from './fuzz/longLines';

describe('one long line', function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), 'captious-lines-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const subject of [...subjects, ...fileSubjects(folder)])
    it(`takes time in proportion to its length: ${subject.name}`, async () => {
      for (const piece of pieces) assert.equal(await whySlow(subject, piece), undefined);
    });
});
