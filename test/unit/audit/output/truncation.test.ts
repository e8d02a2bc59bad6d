import { findSaid, say } from '../../../../src/base/say';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withTruncation } from '../../../../src/audit/output/truncation';
import { runAudit } from '../../../../src/audit/run';
import type { Report } from '../../../../src/report/report';

describe('truncated texts', function () {
  this.timeout(120_000);

  it('are named before the verdicts, and replace them if there are as many as examples', () => {
    const verdict = { text: 'a', rule: 'b' };
    const codes = (cut: number) =>
      withTruncation([verdict], cut, 100).map(({ text }) => (typeof text === 'string' ? text : text.code));
    assert.deepEqual(codes(5), ['a']);
    assert.deepEqual(codes(6), ['audit.textsTruncated', 'a']);
    assert.deepEqual(codes(99), ['audit.textsTruncated', 'a']);
    assert.deepEqual(codes(100), ['audit.tooManyTruncated']);
    assert.deepEqual(withTruncation([], 100, 100), []);
  });

  it('are named in the report of an encoder that cannot read the end of its texts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-truncation-'));
    try {
      const claimsOf = async (name: string, end: string): Promise<Report['claims']> => {
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
        return report.claims;
      };
      const [first] = await claimsOf('short', '');
      assert.equal(findSaid(first.text, 'audit.textsTruncated'), undefined);
      const long = await claimsOf('long', ' and a tree'.repeat(40));
      assert.deepEqual(
        long.map(({ text }) => text),
        [say('audit.tooManyTruncated', 120)],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
