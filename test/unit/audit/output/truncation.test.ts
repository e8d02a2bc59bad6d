import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { truncationClaims } from '../../../../src/audit/output/truncation';
import { runAudit } from '../../../../src/audit/run';
import type { Report } from '../../../../src/report/report';

describe('truncated texts', function () {
  this.timeout(120_000);

  it('are named before the verdicts if they are more than 5 % of the examples', () => {
    assert.deepEqual(
      [0, 5, 6].map((cut) => truncationClaims(cut, 100).length),
      [0, 0, 1],
    );
  });

  it('are named in the report of an encoder that cannot read the end of its texts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-truncation-'));
    try {
      const firstOf = async (name: string, end: string): Promise<string> => {
        const lines = Array.from({ length: 40 }, (_, i) =>
          [
            `a${i}.jpg`,
            `Two dogs by house ${i}${end}`,
            `House ${i} and a pair of dogs${end}`,
            `Two cats by house ${i}${end}`,
          ].join('\t'),
        );
        const path = join(folder, `${name}.tsv`);
        await writeFile(path, ['filename\tcaption\tsecond positive\tnegative_caption', ...lines].join('\n'));
        const [made] = await runAudit({
          ...{ dataset: path, probes: ['visla'], evaluators: [resolve('test/fixtures/models/clip')] },
          ...{ out: folder, home: folder, signal: new AbortController().signal },
        });
        const report = JSON.parse(await readFile(made.path, 'utf8')) as Report;
        return english(report.claims[0].text);
      };
      assert.doesNotMatch(await firstOf('short', ''), /^It read \d+ texts/);
      assert.match(await firstOf('long', ' and a tree'.repeat(40)), /^It read 120 texts/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
