import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../../../../src/dataset/open';
import type { Example } from '../../../../src/dataset/example';
import { paperEntries, type PaperEntry } from '../../../../src/probe/lgip/export';
import { drive, example } from './drive';
import { saying } from '../../../sentence';

const captions = ['A red truck parked next to two dogs.', 'a cat sitting on a couch', 'A hill under clouds'];

describe('LGIP, the paper’s fields', () => {
  const run = drive([example('a', captions), example('b', [captions[1], '   ', captions[0]])]);

  const entries = async (): Promise<PaperEntry[]> => {
    const all: PaperEntry[] = [];
    for await (const entry of paperEntries(run.rows)) all.push(entry);
    return all;
  };

  it('list paraphrases and flips by caption, flips also by type', async () => {
    const [a, b] = await entries();
    assert.deepEqual([a.image, a.caption, b.caption], ['a.jpg', captions, [captions[1], captions[0]]]);
    assert.equal(a.same_caps.length, 3);
    assert.ok(a.same_caps.every((list) => list.length > 0 && list.length <= 6));
    assert.deepEqual(
      a.diff_caps[0].map(({ flip_type }) => flip_type),
      ['color', 'number', 'object'],
    );
    assert.deepEqual(a.diff_caps[2], []);
    for (const [i, flips] of a.diff_caps.entries())
      assert.deepEqual(
        flips.map(({ caption }) => caption),
        [...a.diff_caps_color[i], ...a.diff_caps_number[i], ...a.diff_caps_object[i]],
      );
  });

  it('read back from a file as the same variants, with the same metrics', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'captious-lgip-'));
    try {
      const path = join(folder, 'perturbations.json');
      await writeFile(path, JSON.stringify(await entries()));
      const dataset = await openDataset(path);
      assert.equal(dataset.format, 'lgip');
      const read: Example[] = [];
      for await (const one of dataset.read()) read.push(one);
      const again = drive(read);
      assert.deepEqual(new Set(again.rows.map(({ outcome }) => outcome)), new Set(['given']));
      const kept = run.rows.filter(({ score }) => score !== null);
      const plain = (rows: typeof kept) =>
        rows.map(({ variants }) =>
          variants
            .filter(({ family }) => family === 'paraphrase' || family === 'flip')
            .map(({ text, family, kind, score, distance }) => ({
              text,
              family,
              kind: family === 'paraphrase' && kind !== 'template' ? 'advanced' : kind,
              score,
              distance,
            })),
        );
      assert.deepEqual(plain(again.rows), plain(kept));
      for (const id of [
        'lgip.inv',
        'lgip.inv.simple',
        'lgip.inv.advanced',
        'lgip.sens',
        'lgip.pr.object',
        'lgip.pr.weak',
      ]) {
        const value = ({ findings }: typeof run) =>
          findings.metrics.find((metric) => metric.id === id && !metric.slice)?.value;
        assert.equal(value(again), value(run), id);
      }
      assert.match(again.findings.warnings.map(english).join(), saying('lgip.captionsWithDatasetVariants'));
      const ignored = drive(read, { options: { given: 'ignore' } });
      assert.ok(ignored.rows.every(({ outcome }) => outcome === 'perturbed'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('derive the type of an untyped flip from its words', () => {
    const one = example('c', ['a red car']);
    one.captions[0].variants = [
      { text: 'a blue car', family: 'flip', kind: '' },
      { text: 'a red bus', family: 'flip', kind: 'category' },
      { text: 'a red herring', family: 'flip', kind: '' },
      { text: 'a red car with wings', family: 'flip', kind: 'hallucination' },
    ];
    const { rows, findings } = drive([one]);
    assert.deepEqual(
      rows[0].variants.filter(({ family }) => family === 'flip').map(({ kind }) => kind),
      ['color', 'object', 'other', 'hallucination'],
    );
    const byType = findings.metrics.filter(({ id, slice }) => id === 'lgip.pr' && slice?.flip !== undefined);
    assert.deepEqual(
      byType.map(({ slice }) => slice?.flip),
      ['color', 'hallucination', 'object', 'other'],
    );
    assert.equal(findings.metrics.find(({ id }) => id === 'lgip.pr.pooled')?.n, 4);
    assert.equal(findings.metrics.find(({ id }) => id === 'lgip.pr.weighted')?.n, 2);
  });
});
