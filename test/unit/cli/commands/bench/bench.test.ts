import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compare } from '../../../../../src/cli/commands/bench/measure';
import { readItems } from '../../../../../src/cli/commands/bench/items';
import { measureSide, onDevice, type Subject } from '../../../../../src/cli/commands/bench/side';
import { CaptiousError } from '../../../../../src/base/errors';
import type { Outcome } from '../../../../../src/base/outcome';
import type { Evaluator } from '../../../../../src/evaluator/evaluator';
import { offeredProviders, useCpu } from '../../../../../src/evaluator/model/runtime';
import { cleanUp, modelsPath, openPath, scratch } from '../../../evaluator/fixtures';
import { needsPython } from '../../../evaluator/pythonFixtures';

const clip = join(modelsPath, 'clip-two-graphs');
const [offered] = offeredProviders();

async function subject(open: Subject['open'], ref = clip): Promise<Subject> {
  const signal = new AbortController().signal;
  const items = await readItems(resolve('samples/captions.json'), {
    folders: [resolve('samples/images')],
    limit: 3,
    signal,
  });
  return { ref, home: scratch(), items, wish: { rounds: 1, signal }, open };
}

/** Opens a model on the CPU, with a profile in which the provider `ran` takes most of the time. */
function pretend(ran: string, change: (row: Float32Array) => Float32Array = (row) => row): Subject['open'] {
  return async (ref, { profile }) => {
    const evaluator = await openPath(ref);
    const nodes = [
      { cat: 'Session', dur: 9 },
      { cat: 'Node', dur: 30, args: { provider: ran } },
      { cat: 'Node', dur: 10, args: { provider: 'CPUExecutionProvider' } },
    ];
    writeFileSync(`${profile}-1.json`, JSON.stringify(nodes));
    return withRows(evaluator, change);
  };
}

function withRows(evaluator: Evaluator, change: (row: Float32Array) => Float32Array): Evaluator {
  return {
    ...evaluator,
    embedTexts: async (texts, signal) =>
      (await evaluator.embedTexts!(texts, signal)).map((row) =>
        row.ok ? { ok: true, value: change(row.value) } : row,
      ),
  };
}

function scored(...values: (number | undefined)[]): Outcome<number>[] {
  return values.map((value) => (value === undefined ? { ok: false, problem: 'no' } : { ok: true, value }));
}

describe('captious bench', function () {
  this.timeout(120_000);
  after(cleanUp);

  it('measures texts and images on the CPU and names the nodes that it ran', async () => {
    const side = await measureSide(await subject((ref, more) => openPath(ref, more)));
    assert.match(side.ran, /^CPU: \d+ nodes, 100 % of the time$/);
    assert.equal(side.speeds.images?.items, 3);
    assert.ok(side.speeds.texts!.median > 0);
    assert.ok(side.scores.length > 0 && side.scores.every(({ ok }) => ok));
  });

  it('fails if a provider loads the model and runs none of it', async () => {
    const silent = await subject((ref, { profile }) => openPath(ref, { profile }));
    await assert.rejects(measureSide(silent, offered), (error) => {
      assert.ok(error instanceof CaptiousError);
      assert.match(error.describe(), /ran no node on it \(CPU: \d+ nodes, 100 % of the time\)/);
      return true;
    });
  });

  it('compares scores with the CPU and counts decisions that differ', async () => {
    const runs = `${offered.toUpperCase()}ExecutionProvider`;
    const cpu = await measureSide(await subject((ref, more) => openPath(ref, more)), 'cpu');
    const same = await measureSide(await subject(pretend(runs)), offered);
    assert.equal(
      same.ran,
      `${offered.toUpperCase()}: 1 nodes, 75 % of the time; CPU: 1 nodes, 25 % of the time`,
    );
    const equal = compare(cpu.scores, same.scores);
    assert.deepEqual([equal.greatest, equal.flips, equal.missing], [0, 0, 0]);
    const negated = await measureSide(await subject(pretend(runs, (row) => row.map((x) => -x))), offered);
    const other = compare(cpu.scores, negated.scores);
    assert.equal(other.flips, other.decisions);
    assert.ok(other.greatest > 0.001);
  });

  it('says what a provider needs if the model cannot be loaded with it', async () => {
    const broken = await subject(() =>
      Promise.reject(new CaptiousError('evaluator', 'no such library', { remedy: useCpu })),
    );
    await assert.rejects(measureSide(broken, offered), (error) => {
      assert.ok(error instanceof CaptiousError);
      assert.match(error.describe(), /no such library.+GPU/);
      assert.doesNotMatch(error.describe(), /--provider cpu/);
      return true;
    });
  });

  it('keeps a remedy that does not suggest the CPU', async () => {
    const remedy = 'Set another output in captious.json, or export the model again.';
    const broken = await subject(() =>
      Promise.reject(new CaptiousError('evaluator', 'Output is float64.', { remedy })),
    );
    await assert.rejects(
      measureSide(broken, offered),
      (error: CaptiousError) => error.describe() === `Output is float64. ${remedy}`,
    );
  });

  it('rejects providers that this platform lacks, and evaluators without a model', async () => {
    const never: Subject['open'] = () => assert.fail('it was opened');
    await assert.rejects(measureSide(await subject(never), 'tpu'), /not a known provider/);
    await assert.rejects(
      measureSide(await subject(never, 'cider'), 'cpu'),
      /does not run a model on this computer/,
    );
  });

  it('counts differences, missing scores and NaN', () => {
    const found = compare(scored(0.5, 0.4, 20, 10, 1, undefined), scored(0.4, 0.5, 20, 10.2, 1, 1));
    assert.equal(found.flips, 1);
    assert.equal(found.decisions, 2);
    assert.equal(found.missing, 1);
    assert.equal(found.scores, 5);
    assert.ok(Math.abs(found.greatest - 0.1) < 1e-12);
    assert.ok(Number.isNaN(compare(scored(0, 1, 2), scored(0, NaN, 2)).greatest));
  });
});

describe('captious bench with an evaluator in Python', function () {
  this.timeout(120_000);
  needsPython(this);
  after(cleanUp);

  const source = (device: string): string => `
class Evaluator:
    def __init__(self, device="cpu"):
        self.device = device

    def info(self):
        return {"name": "toy", "device": ${device}}

    def embed_texts(self, texts):
        return [[float(len(text)), 1.0, float(text.count("a"))] for text in texts]
`;

  async function inPython(device: string): Promise<Subject> {
    const path = join(scratch(), 'toy.py');
    writeFileSync(path, source(device));
    const allow = (): Promise<void> => Promise.resolve();
    return subject((ref, more) => openPath(ref, { ...more, allow }), `python:${path}`);
  }

  it('passes the device and reports the device of the evaluator', async () => {
    const side = await measureSide(await inPython('self.device'), 'cuda');
    assert.match(side.ran, /^Python .+, cuda$/);
    assert.ok(side.speeds.texts!.median > 0);
  });

  it('fails if the evaluator stays on another device', async () => {
    await assert.rejects(
      measureSide(await inPython('"cpu"'), 'cuda'),
      /toy did not run on cuda\. It ran with Python/,
    );
  });

  it('replaces the device of a reference', () => {
    assert.equal(
      onDevice('open_clip:RN50?pretrained=./x.pt&device=cpu', 'cuda:1'),
      'open_clip:RN50?pretrained=./x.pt&device=cuda%3A1',
    );
    assert.equal(onDevice('python:./a.py', 'mps'), 'python:./a.py?device=mps');
  });
});
