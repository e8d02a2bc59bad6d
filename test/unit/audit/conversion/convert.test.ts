import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert } from '../../../../src/audit/conversion/convert';
import { CaptiousError } from '../../../../src/base/errors';
import { saying } from '../../../sentence';

/** The tests that need PyTorch are in test/python/adapters.test.ts. */
describe('a conversion to ONNX', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'captious-conversion-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const refused = (ref: string, out: string, python?: string): Promise<string> =>
    convert(ref, { out, home: folder, python: { asked: python } }).then(
      () => assert.fail('it was not refused'),
      (error: unknown) => {
        assert.ok(error instanceof CaptiousError, String(error));
        return error.describe();
      },
    );

  it('rejects evaluators other than adapters with two encoders', async () => {
    assert.match(await refused('starter', join(folder, 'out')), saying('audit.notConvertible'));
    assert.match(
      await refused('sentence-transformers:./x', join(folder, 'out')),
      saying('audit.notConvertible'),
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it('does not write into a folder with content', async () => {
    writeFileSync(join(folder, 'mine.txt'), '');
    assert.match(
      await refused('open_clip:ViT-B-32?pretrained=./x.pt', folder),
      saying('audit.outFolderNotEmpty'),
    );
  });

  it('leaves no files if Python cannot be started', async () => {
    const missing = join(folder, 'no', 'python');
    assert.match(
      await refused('open_clip:ViT-B-32?pretrained=./x.pt', join(folder, 'out'), missing),
      saying('python.notStarted'),
    );
    assert.deepEqual(readdirSync(folder), []);
  });
});
