import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TripletSession } from '../../../../src/sessions/triplets';
import { captious } from '../captious';
import { sentence } from '../../../sentence';

interface Oracle {
  ppi: { labels: number[]; scores: number[]; unlabelled: number[]; tuned: [number, number] }[];
}

const { ppi } = JSON.parse(readFileSync('test/oracle/agreement/agreement.json', 'utf8')) as Oracle;

describe('captious estimate', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-estimate-'))));
  after(() => rmSync(folder, { recursive: true }));

  function file(name: string, rows: readonly (readonly [string, number])[]): string {
    const path = join(folder, name);
    writeFileSync(path, `key,score\n${rows.map((row) => row.join(',')).join('\n')}\n`);
    return path;
  }

  const estimate = (...args: string[]) => captious(folder, 'estimate', ...args);

  it("equals ppi-python's interval from files, and names labels without a score", async () => {
    const [{ labels, scores, unlabelled, tuned }] = ppi;
    const labelled = labels.map((label, i) => [`l${i}`, label] as const);
    const all = [
      ...scores.map((score, i) => [`l${i}`, score] as const),
      ...unlabelled.map((score, i) => [`u${i}`, score] as const),
    ];
    const { code, out, err } = await estimate(
      file('labels.csv', [...labelled, ['unknown', 3]]),
      file('scores.csv', all),
      '--json',
    );
    assert.equal(code, 0, err);
    const { low, high, unmatched } = JSON.parse(out) as { low: number; high: number; unmatched: number };
    assert.ok(Math.abs(low - tuned[0]) < 1e-9 && Math.abs(high - tuned[1]) < 1e-9);
    assert.equal(unmatched, 1);
  });

  it('takes labels from the decisions of the triplet workshop, by the id of the item', async () => {
    const halves = Array.from({ length: 40 }, (_, i) => ({
      id: `item ${i}`,
      caption: `caption ${i}`,
      positives: [{ text: `second ${i}`, from: 'test' }],
      negatives: [{ text: `negative ${i}`, from: 'test' }],
    }));
    const session = TripletSession.begin(halves, { path: '/x.json', how: 'rules', seed: 42 }, 'ann');
    for (let i = 0; i < 12; i++) session.change(i, { status: i % 3 === 0 ? 'rejected' : 'accepted' });
    const path = join(folder, 'pairs.ann.triplets.json');
    writeFileSync(path, session.toString());
    const scores = halves.map(({ id }, i) => [id, i % 3 === 0 ? 0.1 : 0.9] as const);
    const { code, out, err } = await estimate(path, file('mined.csv', scores), '--json');
    assert.equal(code, 0, err);
    const found = JSON.parse(out) as { labels: number; scores: number; labelsOnly: { estimate: number } };
    assert.deepEqual([found.labels, found.scores], [12, 28]);
    assert.ok(Math.abs(found.labelsOnly.estimate - 8 / 12) < 1e-12);
  });

  it('says what is missing if no key is in both files', async () => {
    const { code, err } = await estimate(file('a.csv', [['a', 1]]), file('b.csv', [['b', 1]]));
    assert.equal(code, 2);
    assert.ok(err.includes(sentence('stats.tooFewLabels')), err);
    assert.match(err, /Use the same keys in both files/);
  });
});
