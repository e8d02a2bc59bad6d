import assert from 'node:assert/strict';
import { isNeverDataset } from '../../../../src/editor/problems/neverDatasets';

describe('files that are never datasets', () => {
  it('are recognised by name on every system', () => {
    for (const path of [
      '/a/package.json',
      'C:\\a\\tsconfig.build.json',
      '/a/.vscode/settings.json',
      '/a/visla.starter.report.json',
      '/a/visla.starter.rows.jsonl',
      '/a/clip.evaluator.json',
      '/a/report.schema.json',
      '/a/captions.ann.triplets.json',
      '/a/lgip.ann.check.json',
      '/a/lgip.captions.variants.json',
    ])
      assert.ok(isNeverDataset(path), path);
    for (const path of [
      '/a/captions.json',
      '/a/mypackage.json',
      '/a/rows.jsonl',
      '/a/report.json',
      '/a/triplets.json',
      '/package.json/captions.tsv',
    ])
      assert.ok(!isNeverDataset(path), path);
  });
});
