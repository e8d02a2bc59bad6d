import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { Fingerprints } from '../../../../src/base/files/fingerprints';
import { describeFolder } from '../../../../src/evaluator/model/describe';
import { ModelFolder } from '../../../../src/evaluator/model/modelFolder';
import { runtimeOf } from '../../../../src/evaluator/model/runtime';

/** The process that opens a model has no deadline, so every file needs a size limit. */
describe('untrusted files of a model folder', function () {
  this.timeout(60_000);
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'captious-bounds-'));
    folder = join(root, 'model');
    cpSync('test/fixtures/models/clip', folder, { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const read = ['config.json', 'preprocessor_config.json', 'tokenizer_config.json', 'onnx/model.onnx'];
  const bad: Record<string, (path: string) => void> = {
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    'a link to a pipe': (path) => {
      execFileSync('mkfifo', [`${path}.pipe`]);
      symlinkSync(`${path}.pipe`, path);
    },
    'a link to a device without end': (path) => symlinkSync('/dev/zero', path),
    'a folder': (path) => void execFileSync('mkdir', [path]),
  };
  const badJson: Record<string, (path: string) => void> = {
    'a terabyte of zeros': (path) => {
      writeFileSync(path, '{}');
      truncateSync(path, 2 ** 40);
    },
    '60 MB of lists in lists': (path) => writeFileSync(path, '['.repeat(60 << 20)),
    '60 MB of empty lists': (path) => writeFileSync(path, `[${'[],'.repeat(20 << 20)}[]]`),
  };

  async function refused(name: string, make: (path: string) => void): Promise<void> {
    rmSync(join(folder, name), { recursive: true });
    make(join(folder, name));
    const before = process.memoryUsage.rss();
    const since = process.cpuUsage();
    await assert.rejects(
      describeFolder(new ModelFolder(folder), 'x', runtimeOf({}), new Fingerprints(undefined)),
      (error) => {
        assert.ok(error instanceof CaptiousError, String(error));
        assert.ok(error.describe().includes(name.split('/').at(-1)!), error.describe());
        return true;
      },
    );
    const { user, system } = process.cpuUsage(since);
    assert.ok((user + system) / 1e6 < 20, 'seconds of the processor');
    assert.ok(process.memoryUsage.rss() - before < 400 << 20, 'memory');
  }

  for (const name of read)
    for (const [what, make] of Object.entries(bad))
      it(`${name}, ${what}: rejected before it is read`, async function () {
        if (process.platform === 'win32') this.skip();
        await refused(name, make);
      });
  for (const name of read.filter((one) => one.endsWith('.json')))
    for (const [what, make] of Object.entries(badJson))
      it(`${name}, ${what}: rejected before it is built`, () => refused(name, make));
});
