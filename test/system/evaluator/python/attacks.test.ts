import assert from 'node:assert/strict';
import { english } from '../../../../src/base/english';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert } from '../../../../src/audit/conversion/convert';
import { CaptiousError } from '../../../../src/base/errors';
import { type Said, say } from '../../../../src/base/say';
import type { Allow } from '../../../../src/evaluator/evaluator';
import { openEvaluator } from '../../../../src/evaluator/open';
import { cleanUp, scratch } from '../../../unit/evaluator/fixtures';
import { needsPython, pythonFixtures } from '../../../unit/evaluator/pythonFixtures';

const scripts = ['constants.pt', 'miscounted.pt', 'prefixed.pt', 'renamed.safetensors', 'trailed.pt'];
const others = ['legacy.pt', 'pickle.bin', 'pickle.pt', 'shifted.pt', 'tar.pt', 'zip.pt'];

describe('a weight file that runs code if it is unpickled', function () {
  needsPython(this);
  this.timeout(120_000);
  let folder: string;
  let marker: string;
  const environment = { ...process.env };

  beforeEach(() => {
    folder = scratch();
    marker = join(folder, 'ran');
    const made = spawnSync('python3', [join(pythonFixtures, 'attacks.py'), folder, marker], {
      encoding: 'utf8',
    });
    assert.equal(made.status, 0, made.stderr);
    process.env.PYTHONPATH = join(pythonFixtures, 'fakes');
  });
  afterEach(async () => {
    for (const name of ['PYTHONPATH', 'FAKE_TORCH', 'TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD'])
      if (environment[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = environment[name];
    await cleanUp();
  });

  async function problemOf(query: string, home = scratch(), allow?: Allow): Promise<CaptiousError> {
    const evaluator = await openEvaluator(`open_clip:ViT-B-32?pretrained=${query}`, { home, allow }).catch(
      (error: unknown) => error,
    );
    assert.ok(evaluator instanceof CaptiousError, 'an error was expected');
    assert.ok(!existsSync(marker), `${query} ran`);
    return evaluator;
  }

  for (const name of [...scripts, ...others])
    it(`never runs: ${name}`, async () => {
      const { what } = await problemOf(join(folder, name));
      assert.equal(
        (what as Said).code,
        scripts.includes(name) ? 'python.consentNeeded' : 'python.weightsHaveMore',
      );
    });

  it('is not run by an option or a variable that asks for it, or by a torch that cannot prevent it', async () => {
    const zip = join(folder, 'zip.pt');
    for (const option of ['weights_only=false', 'trust_remote_code=true']) {
      const { what } = await problemOf(`${zip}&${option}`);
      assert.deepEqual(what, say('python.optionRunsCode', option.split('=')[0]));
    }
    process.env.TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD = '1';
    assert.equal(((await problemOf(zip)).what as Said).code, 'python.weightsHaveMore');
    process.env.FAKE_TORCH = '2.5.1+cpu';
    const { what, details } = await problemOf(zip);
    assert.deepEqual(what, say('python.torchRunsCode', '2.5.1+cpu'));
    assert.deepEqual(details.remedy, say('python.updateTorch'));
  });

  it('is loaded as a TorchScript archive only with consent, which names the file and its hash', async () => {
    const home = scratch();
    const path = join(folder, 'constants.pt');
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    const asked: string[] = [];
    const agree: Allow = async (consent) => {
      asked.push(english(consent.terms()));
      await consent.give();
    };
    const needsConsent = async () =>
      assert.deepEqual((await problemOf(path, home)).what, say('python.consentNeeded'));
    const loads = async (path: string, allow?: Allow) =>
      assert.match((await problemOf(path, home, allow)).message, /torch\.jit\.load got \d+ bytes/);
    await needsConsent();
    await loads(path, agree);
    await loads(path);
    assert.equal(asked.length, 1);
    assert.ok(asked[0].includes(path) && asked[0].includes(sha256), asked[0]);
    writeFileSync(path, Buffer.concat([Buffer.from('#'), readFileSync(path)]));
    await needsConsent();
    for (const name of scripts) await loads(join(folder, name), agree);
  });

  it('does not run in a conversion, which has the same errors', async () => {
    for (const [name, code] of [
      ['miscounted.pt', 'python.consentNeeded'],
      ['zip.pt', 'python.weightsHaveMore'],
    ]) {
      const ref = `open_clip:ViT-B-32?pretrained=${join(folder, name)}`;
      const made = convert(ref, { out: join(folder, 'out'), home: scratch() });
      await assert.rejects(made, ({ what }: CaptiousError) => (what as Said).code === code);
      assert.ok(!existsSync(marker));
    }
  });

  it('is in a folder whose code does not run either', async () => {
    const model = join(folder, 'model');
    mkdirSync(model);
    writeFileSync(join(model, 'modeling.py'), `open(${JSON.stringify(marker)}, "w")\n`);
    await assert.rejects(
      openEvaluator(`open_clip:${model}`, { home: scratch() }),
      ({ what }: CaptiousError) => (what as Said).code === 'python.modelRunsCode',
    );
    assert.ok(!existsSync(marker));
    rmSync(model, { recursive: true });
  });
});

describe('the guard of weights', function () {
  needsPython(this);
  after(cleanUp);

  it('refuses compiled code that names another source, and TorchScript by an inner name', () => {
    const folder = scratch();
    const script = `import sys, types, marshal, importlib.util
folder = sys.argv[1]
code = compile("ran = True", "/usr/lib/other.py", "exec")
open(folder + "/attack.pyc", "wb").write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
torch = types.ModuleType("torch")
torch.__version__, torch.load = "2.6.0", None
inner = types.SimpleNamespace(load=lambda *_: print("loaded"))
torch.jit = types.SimpleNamespace(load=inner.load, _serialization=inner)
sys.modules["torch"] = torch
from captious.faults import Refused
from captious.guard import guard
guard({"model": folder}, [])
sys.path.insert(0, folder)
for act in (lambda: __import__("attack"), lambda: torch.jit._serialization.load(sys.executable)):
    try: print("ran", act())
    except Refused: print("refused")
`;
    const env = { ...process.env, PYTHONPATH: join(__dirname, '../../../../python') };
    const { stdout, stderr } = spawnSync('python3', ['-c', script, folder], { env, encoding: 'utf8' });
    assert.equal(stdout, 'refused\nrefused\n', stderr);
  });
});
