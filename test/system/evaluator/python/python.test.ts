import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { type Code, findSaid, say, type Words } from '../../../../src/base/say';
import { createBench } from '../../../../src/bench/createBench';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { openEvaluator, type OpenOptions } from '../../../../src/evaluator/open';
import type { Outcome } from '../../../../src/base/outcome';
import type { Want } from '../../../../src/protocol/item';
import { until } from '../../../until';
import { cleanUp, imageItem, scratch, valueOf } from '../../../unit/evaluator/fixtures';
import { needsPython, pythonFixtures } from '../../../unit/evaluator/pythonFixtures';
import { sentence } from '../../../sentence';

const opened: Evaluator[] = [];
const at = (object: string): string => `python:${join(pythonFixtures, 'hashing.py')}:${object}`;

async function open(object: string, options: OpenOptions = {}): Promise<Evaluator> {
  const evaluator = await openEvaluator(at(object), { home: scratch(), ...options });
  opened.push(evaluator);
  return evaluator;
}

async function refused(promise: Promise<unknown>): Promise<CaptiousError> {
  const error = await promise.catch((reason: unknown) => reason);
  assert.ok(error instanceof CaptiousError, `a CaptiousError was expected, not ${String(error)}`);
  return error;
}

function problemOf(outcome: Outcome<unknown>): string {
  assert.ok(!outcome.ok);
  return english(outcome.problem);
}

/** The values of a message with this code. */
function valuesOf(words: Words | undefined, code: Code): Words[] {
  assert.ok(typeof words === 'object' && words.code === code, JSON.stringify(words));
  return words.values;
}

/** The numbers that the fixture's Python script computes from the same data. */
function hashed(data: Uint8Array | string, count = 8): number[] {
  const digest = createHash('sha256').update(data).digest();
  return Array.from({ length: count }, (_, i) => Math.fround((digest[i] - 127.5) / 127.5));
}

describe('an evaluator in Python', function () {
  needsPython(this);
  this.timeout(60_000);

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
    await cleanUp();
  });

  it('embeds texts in the given order', async () => {
    const { embedTexts, info } = await open('Towers');
    const texts = ['a dog', 'ein Hund läuft', '\ud800', ''];
    const rows = await embedTexts!(texts);
    assert.deepEqual(Array.from(valueOf(rows[1])), hashed('ein Hund läuft'));
    assert.equal(rows.length, 4);
    assert.equal(info.kind, 'dual-encoder');
    assert.deepEqual(info.scores, ['text-text', 'image-text', 'image-image']);
    assert.equal(info.name, 'hashes');
  });

  it('receives transformed pixels, and leaves out images that cannot be decoded', async () => {
    const { embedImages } = await open('Towers');
    const [plain, flipped, missing, twice] = await embedImages!([
      imageItem('wide.png'),
      imageItem('wide.png', [{ op: 'hflip' }]),
      imageItem('nothing.png'),
      imageItem('wide.png', [{ op: 'hflip' }, { op: 'hflip' }]),
    ]);
    assert.equal(problemOf(missing), `nothing.png: ${sentence('native.noSuchFile')}`);
    assert.deepEqual(valueOf(plain), valueOf(twice));
    assert.notDeepEqual(valueOf(plain), valueOf(flipped));
  });

  it('scores pairs, each image once per batch', async () => {
    const { scorePairs, info } = await open('Pairs');
    const pairs = ['a', 'b', 'c'].flatMap((text) => [
      { image: imageItem('wide.png'), text },
      { image: imageItem('tall.png'), text },
    ]);
    const scores = (await scorePairs!(pairs)).map(valueOf);
    assert.equal(new Set(scores).size, 6);
    assert.deepEqual(info.scale, { name: 'own', low: -1, high: 1 });
    assert.deepEqual((await scorePairs!([...pairs].reverse())).map(valueOf).reverse(), scores);
  });

  it('receives paths if the evaluator opens files itself, and altered images as files', async () => {
    const { scorePairs } = await open('Paths');
    const [own, altered] = await scorePairs!([
      { image: imageItem('wide.png'), text: '' },
      { image: imageItem('wide.png', [{ op: 'vflip' }]), text: '' },
    ]);
    const source = imageItem('wide.png').source;
    assert.equal(valueOf(own), readFileSync('path' in source ? source.path : '').length);
    assert.ok(valueOf(altered) > 0);
  });

  it('gets the references of each pair, without the caption that the text was made from', async () => {
    const path = join(scratch(), 'references.json');
    writeFileSync(path, JSON.stringify({ 'wide.png': ['a dog', 'a brown dog'] }));
    const evaluator = await openEvaluator(`${at('Referenced')}?references=${path}`, { home: scratch() });
    opened.push(evaluator);
    const bench = createBench();
    const want = (image: string, text: string, origin?: string): Want => ({
      left: imageItem(image),
      right: { kind: 'text', text, ...(origin === undefined ? {} : { origin }) },
    });
    const [own, variant, other, none] = await bench.scores(evaluator, [
      want('wide.png', 'a dog'),
      want('wide.png', 'dog', 'a dog'),
      want('wide.png', 'dog'),
      want('tall.png', 'a dog'),
    ]);
    await bench.close();
    assert.deepEqual([own, variant, other].map(valueOf), [1, 2, 3]);
    assert.equal(problemOf(none), sentence('overlap.imageWithoutReferences'));
    assert.deepEqual((await refused(open('Referenced'))).what, say('python.referencesMissing'));
    const { what } = await refused(openEvaluator(`${at('Pairs')}?references=${path}`));
    assert.deepEqual(what, say('python.referencesParameterMissing'));
  });

  it('reports which captions the evaluator truncates', async () => {
    const { measureTexts } = await open('Towers');
    const sizes = await measureTexts!(['short', 'a '.repeat(30)]);
    assert.deepEqual(
      sizes.map(({ cut }) => cut),
      [false, true],
    );
  });

  it('leaves out only the example of one bad item', async () => {
    const { embedTexts } = await open('Faulty');
    const rows = await embedTexts!(['fine', 'raise', 'also fine']);
    assert.deepEqual(Array.from(valueOf(rows[2])), [9, 1]);
    assert.match(problemOf(rows[1]), /^ValueError: this text is refused \(hashing\.py:\d+\)$/);
    assert.match(problemOf((await embedTexts!(['raise']))[0]), /ValueError/);
  });

  it('fails with type, message and place if nothing can be embedded', async () => {
    const { embedTexts } = await open('Faulty');
    const { what, at } = await refused(embedTexts!(['raise', 'raise', 'raise', 'raise']));
    const [raised, , trace] = valuesOf(what, 'python.raised');
    assert.equal(raised, 'ValueError: this text is refused');
    assert.match([at, trace].join(), /hashing\.py:\d+,\n {2}.*hashing\.py:\d+ in embed_texts\n$/s);
    assert.equal((await embedTexts!(['fine'])).length, 1, 'continues');
    const exit = await refused((await open('Faulty')).embedTexts!(['exit']));
    const by = say('python.causedBy', 'SystemExit: 3');
    assert.deepEqual(valuesOf(exit.what, 'python.raised'), ['RuntimeError: sys.exit(3)', by, '']);
  });

  for (const [rows, what] of [
    ['none', say('python.rowsExpected', 'embed_texts', 'NoneType', '')],
    ['few', say('python.rowCountWrong', 'embed_texts', 1, 2)],
    ['ragged', say('python.rowLengthsDiffer', 'embed_texts', '[1, 2]')],
    ['words', say('python.noNumber', 'embed_texts', 'str')],
    ['dict', say('python.rowsExpected', 'embed_texts', 'dict', '')],
  ] as const)
    it(`rejects rows that are ${rows}`, async () => {
      const { embedTexts } = await open(`wrong`, {}).catch(() => openWrong(rows));
      const error = await refused(embedTexts!(['a', 'b']));
      assert.deepEqual([error.what, error.details.remedy], [what, say('python.readEvaluatorGuide')]);
    });

  async function openWrong(rows: string): Promise<Evaluator> {
    const evaluator = await openEvaluator(`${at('wrong')}?rows=${rows}`, { home: scratch() });
    opened.push(evaluator);
    return evaluator;
  }

  it('halves a batch that does not fit into memory, and says so', async () => {
    const { embedTexts, info } = await open('Greedy');
    const rows = await embedTexts!(['1', '22', '333', '4444', '55555', '666666', '7', '8']);
    assert.deepEqual(
      rows.map((row) => valueOf(row)[0]),
      [1, 2, 3, 4, 5, 6, 1, 1],
    );
    const reduced = info.notes.map((note) => findSaid(note, 'python.batchesReduced')).find(Boolean);
    assert.deepEqual(reduced, say('python.batchesReduced', 'embed_texts', 2));
  });

  it('is not disturbed by a flood of prints', async () => {
    const { embedTexts } = await open('Faulty');
    const rows = await embedTexts!(['print', 'x']);
    assert.deepEqual(Array.from(valueOf(rows[1])), [1, 1]);
  });

  for (const order of ['sleep', 'spin', 'deaf'])
    it(`can be cancelled while its code is at "${order}", and works afterwards`, async () => {
      const { embedTexts } = await open('Faulty', {
        engine: { killAfterMs: order === 'deaf' ? 100 : 60_000 },
      });
      const stop = new AbortController();
      const mark = join(scratch(), 'mark');
      const call = refused(embedTexts!([`${order} until ${mark}`], stop.signal));
      await until(() => existsSync(mark));
      stop.abort();
      assert.equal((await call).kind, 'interrupted');
      assert.equal(valueOf((await embedTexts!(['xy']))[0])[0], 2);
    });

  it('restarts once after a crash', async () => {
    const told: string[] = [];
    const mark = join(scratch(), 'mark');
    const { embedTexts } = await open('Faulty', { onNotice: (message) => told.push(message) });
    const rows = await embedTexts!([`crash once ${mark}`, 'x']);
    assert.equal(valueOf(rows[1])[0], 1);
    assert.ok(existsSync(mark));
    assert.match(told.join('\n'), /process ended and was restarted/);
  });

  it('fails with the last output of a process that crashes again', async () => {
    const { embedTexts } = await open('Faulty');
    const error = await refused(embedTexts!(['crash']));
    const [how, output] = valuesOf(error.what, 'python.processEnded');
    assert.deepEqual([error.kind, how], ['interrupted', say('native.exitSignal', 'SIGSEGV')]);
    assert.match(String(valuesOf(output, 'native.lastOutput')), /hashing\.py/);
  });

  it('stops a process that exceeds its memory limit, and does not start another', async () => {
    process.env.CAPTIOUS_MODEL_MEMORY = '0.001';
    const error = await refused(open('Towers')).finally(() => delete process.env.CAPTIOUS_MODEL_MEMORY);
    assert.deepEqual([error.kind, error.what], ['evaluator', say('native.memoryLimitExceeded', '0.0')]);
  });

  it('says that Python cannot be started', async () => {
    const python = join(scratch(), 'python');
    const error = await refused(open('Towers', { python: { asked: python } }));
    assert.deepEqual(error.what, say('python.notStarted', python));
    assert.deepEqual(error.details.remedy, say('python.nameOtherInterpreter'));
  });

  it('names the Python and the package if a module is missing', async () => {
    const path = join(scratch(), 'needy.py');
    writeFileSync(path, 'import no_such_package.part\n');
    const { what, details } = await refused(openEvaluator(`python:${path}`, { home: scratch() }));
    assert.equal(
      valuesOf(what, 'python.raised')[0],
      "ModuleNotFoundError: No module named 'no_such_package'",
    );
    assert.equal(valuesOf(details.remedy, 'python.installModule')[1], 'no_such_package');
  });

  it('names the place of a syntax error, and the available objects', async () => {
    const path = join(scratch(), 'broken.py');
    writeFileSync(path, 'class Evaluator:\n  def score(self:\n');
    const { what, at } = await refused(openEvaluator(`python:${path}`, { home: scratch() }));
    assert.match(String(valuesOf(what, 'python.raised')[0]), /^SyntaxError: /);
    assert.equal(at, `${path}:2`);
    const values = valuesOf((await refused(open('Missing'))).what, 'python.objectMissing');
    assert.deepEqual(values.slice(0, 2), ['Missing', 'hashing.py']);
    assert.ok(String(valuesOf(values[2], 'python.objectsFound')).startsWith('Towers, '));
  });

  it('changes its hash with code, arguments, modules or weights, not with its folder', async () => {
    const folder = scratch();
    const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
    write('weights.bin', 'one');
    write('helper.py', 'FACTOR = 1.0\n');
    write(
      'metric.py',
      'def late():\n    import lazily\nfrom helper import FACTOR\nclass Evaluator:\n    def __init__(self, k=1): pass\n' +
        '    def embed_texts(self, texts): return [[FACTOR, len(t)] for t in texts]\n' +
        '    def info(self): return {"weights": ["weights.bin"]}\n',
    );
    write('lazily.py', 'X = 1\n');
    const identity = async (query = ''): Promise<{ sha256: string; textKey?: string }> => {
      const evaluator = await openEvaluator(`python:${folder}/metric.py${query}`, { home: scratch() });
      await evaluator.close();
      return evaluator.info;
    };
    const first = await identity();
    assert.equal((await identity()).textKey, first.textKey);
    const seen = new Set([first.sha256, (await identity('?k=2')).sha256]);
    for (const [name, content] of [
      ['weights.bin', 'two'],
      ['helper.py', 'FACTOR = 2.0\n'],
      ['lazily.py', 'X = 2\n'],
    ]) {
      write(name, content);
      seen.add((await identity()).sha256);
    }
    assert.equal(seen.size, 5);
    rmSync(join(folder, 'weights.bin'));
    assert.match((await refused(identity())).describe(), /weights\.bin/);
  });

  it('stores nothing across runs if the weights are not named, and says so', async () => {
    const [one, two] = [await open('Forgetful'), await open('Forgetful')];
    assert.equal(one.kept, false);
    assert.equal(one.info.sha256, two.info.sha256);
    assert.notEqual(one.info.textKey, two.info.textKey);
    assert.ok(one.info.notes.some((note) => findSaid(note, 'python.weightsNotHashed')));
  });
});
