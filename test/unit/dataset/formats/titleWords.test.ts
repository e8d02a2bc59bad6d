import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import { formats } from '../../../../src/dataset/formats';
import { titleWords } from '../../../../src/dataset/formats/titleWords';

describe('the title of a format', () => {
  it('can be translated, except for names', () => {
    const names = formats.flatMap(({ title }) => (typeof titleWords(title) === 'string' ? [title] : []));
    assert.deepEqual([...new Set(names)].sort(), [
      'ARO, Visual Genome Attribution',
      'ARO, Visual Genome Relation',
      'COCO Karpathy split',
      'CREPE',
      'NegBench MCQ',
      "What'sUp, COCO-spatial or GQA-spatial",
      'Winoground',
    ]);
    for (const { title } of formats) assert.equal(english(titleWords(title)), title);
    assert.equal(titleWords('another, new title'), 'another, new title');
  });
});
