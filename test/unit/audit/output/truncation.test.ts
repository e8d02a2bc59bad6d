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

  it('are named before the verdicts, and replace them if there are as many as rows', () => {
    const verdict = { text: 'a', rule: 'b' };
    const codes = (cut: number, verdicts = [verdict]) =>
      withTruncation(verdicts, cut, { examples: 100, rows: 400 }).map(({ text }) =>
        typeof text === 'string' ? text : text.code,
      );
    assert.deepEqual(codes(5), ['a']);
    assert.deepEqual(codes(6), ['audit.textsTruncated', 'a']);
    assert.deepEqual(codes(399), ['audit.textsTruncated', 'a']);
    assert.deepEqual(codes(400), ['audit.tooManyTruncated']);
    assert.deepEqual(codes(399, []), []);
    // A report without verdicts still has a headline, and is compared with others.
    assert.deepEqual(codes(400, []), ['audit.tooManyTruncated']);
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

  it('are those of the probe, not of the other probes of the run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-truncation-'));
    try {
      const path = join(folder, 'captions.jsonl');
      const images = resolve('samples/images');
      const lines = (await readFile('samples/captions.jsonl', 'utf8')).split('\n').slice(0, 24);
      const end = ' near a tall green tree in the park'.repeat(9);
      const longer = lines.map((line, i) => (i % 3 === 0 ? line.replace(/\.?"\}$/, `${end}."}`) : line));
      await writeFile(path, longer.join('\n'));
      const cutBy = async (...probes: string[]): Promise<Record<string, string | undefined>> => {
        const made = await runAudit({
          ...{ dataset: path, images: [images], probes },
          evaluators: [resolve('test/fixtures/models/clip')],
          ...{ out: join(folder, probes.join()), home: join(folder, probes.join()) },
          ...{ options: { rococo: { textOnly: 'true' } }, signal: new AbortController().signal },
        });
        return Object.fromEntries(
          made.map(({ report: { probe, warnings } }) => [
            probe,
            warnings.map((one) => findSaid(one, 'audit.truncatedTexts')).find((one) => one !== undefined)
              ?.values[1] as string | undefined,
          ]),
        );
      };
      const [prsm, rococo] = [await cutBy('prsm'), await cutBy('rococo')];
      assert.ok(Number(prsm.prsm) > 10 && Number(rococo.rococo) > 10);
      assert.deepEqual(await cutBy('prsm', 'rococo'), { ...prsm, ...rococo });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
