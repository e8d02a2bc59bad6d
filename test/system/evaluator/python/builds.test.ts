import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { openEvaluator } from '../../../../src/evaluator/open';
import { checkPython } from '../../../../src/evaluator/python/check';
import { cleanUp, scratch } from '../../../unit/evaluator/fixtures';
import { needsPython } from '../../../unit/evaluator/pythonFixtures';

const torch = `class cuda:
    is_available = staticmethod(lambda: False)
class backends:
    class mps:
        is_available = staticmethod(lambda: False)
`;

interface Package {
  version: string;
  init?: string;
  needs?: string;
}

/** A folder with installed packages of these names, whose metadata lacks the local part of the version. */
function installed(packages: Record<string, Package>): string {
  const folder = scratch();
  for (const [name, { version, init = '', needs }] of Object.entries(packages)) {
    const number = version.split('+')[0];
    const metadata = join(folder, `${name}-${number}.dist-info`);
    mkdirSync(join(folder, name));
    mkdirSync(metadata);
    writeFileSync(join(folder, name, 'version.py'), `__version__ = '${version}'\n`);
    writeFileSync(join(folder, name, '__init__.py'), init);
    writeFileSync(
      join(metadata, 'METADATA'),
      `Metadata-Version: 2.1\nName: ${name}\nVersion: ${number}\n${needs ? `Requires-Dist: ${needs}\n` : ''}`,
    );
  }
  return folder;
}

async function checked(folder: string) {
  const before = process.env.PYTHONPATH;
  process.env.PYTHONPATH = folder;
  try {
    return await checkPython({}, { home: scratch() });
  } finally {
    if (before === undefined) delete process.env.PYTHONPATH;
    else process.env.PYTHONPATH = before;
  }
}

const missingOperator = "raise RuntimeError('operator torchvision::nms does not exist')\n";

describe('torch and torchvision', function () {
  needsPython(this);
  this.timeout(60_000);
  afterEach(cleanUp);

  it('of different builds are named, with the command that mends them', async () => {
    const { mismatch, packages } = await checked(
      installed({
        torch: { version: '2.13.0+cpu', init: torch },
        torchvision: { version: '0.28.0+cu130', needs: 'torch==2.13.0' },
      }),
    );
    assert.deepEqual([packages.torch, packages.torchvision], ['2.13.0+cpu', '0.28.0+cu130']);
    assert.deepEqual(mismatch!.slice(0, 2), ['2.13.0+cpu', '0.28.0+cu130']);
    assert.ok(mismatch![2].endsWith('torchvision==0.28.0 --index-url https://download.pytorch.org/whl/cpu'));
  });

  it('of different releases are named', async () => {
    const { mismatch } = await checked(
      installed({
        torch: { version: '2.12.0', init: torch },
        torchvision: { version: '0.28.0', needs: 'torch==2.13.0' },
      }),
    );
    assert.ok(mismatch![2].endsWith('pip install --upgrade torch torchvision'));
  });

  it('of one build are not named', async () => {
    const { mismatch } = await checked(
      installed({
        torch: { version: '2.13.0+cu130', init: torch },
        torchvision: { version: '0.28.0+cu130', needs: 'torch==2.13.0' },
      }),
    );
    assert.equal(mismatch, null);
  });

  it('of different builds are the remedy of an import that fails in torchvision', async () => {
    const folder = installed({
      torch: { version: '2.13.0+cpu', init: torch },
      torchvision: { version: '0.28.0+cu130', init: missingOperator },
    });
    writeFileSync(join(folder, 'metric.py'), 'import torchvision\n');
    const error = await openEvaluator(`python:${join(folder, 'metric.py')}`, { home: scratch() }).catch(
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CaptiousError);
    const { remedy } = error.details;
    assert.ok(typeof remedy === 'object' && remedy.code === 'python.installMatchingBuild');
  });

  it('whose import fails are told apart from ones that are not installed', async () => {
    const failing = installed({ torch: { version: '2.13.0', init: "raise ImportError('libcudnn.so.9')\n" } });
    assert.deepEqual((await checked(failing)).devices, ['cannot be imported: libcudnn.so.9']);
  });

  it('are not announced as imported if a library only tries them', async () => {
    const folder = scratch();
    const code = 'try:\n    import tensorflow\nexcept ImportError:\n    pass\n';
    writeFileSync(
      join(folder, 'metric.py'),
      `${code}class Evaluator:\n    images = "path"\n    def score(self, images, texts):\n        return [0.0] * len(texts)\n`,
    );
    const told: string[] = [];
    const evaluator = await openEvaluator(`python:${join(folder, 'metric.py')}`, {
      home: scratch(),
      onNotice: (message) => told.push(message),
    });
    await evaluator.close();
    assert.ok(!told.some((message) => message.includes('tensorflow')), told.join('\n'));
  });
});
