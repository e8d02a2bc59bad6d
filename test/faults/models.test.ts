import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { english } from '../../src/base/english';
import { say } from '../../src/base/say';
import { saying, sentence } from '../sentence';
import { captious, model as fixture, scratch } from './command';
import * as onnx from './onnx';

const words =
  'filename\tcaption\tsecond positive\tnegative_caption\na.jpg\tone two\ttwo one two\tone three\n';

describe('broken or hostile models', function () {
  this.timeout(120_000);
  const place = scratch();

  before(async () => {
    await writeFile(place.in('words.tsv'), words);
  });

  /** A folder with one graph, in the hub's layout. */
  async function folderOf(name: string, graph: Buffer): Promise<string> {
    const path = place.in(name);
    await cp(fixture('odd-table'), path, { recursive: true });
    await rm(join(path, 'onnx'), { recursive: true });
    await mkdir(join(path, 'onnx'));
    await writeFile(join(path, 'onnx', 'model.onnx'), graph);
    return path;
  }

  async function audit(path: string, env: NodeJS.ProcessEnv = {}): ReturnType<typeof captious> {
    const out = `${path}-out`;
    const ended = await captious(
      [
        'audit',
        place.in('words.tsv'),
        '--probe',
        'visla',
        '--evaluator',
        path,
        '--out',
        out,
        '--threads',
        '1',
      ],
      { home: place.home, env },
    );
    if (ended.code !== 0) assert.deepEqual(await readdir(out).catch(() => []), []);
    return ended;
  }

  const { step, initializer, ids, rows, lookUp, table } = onnx;
  const sound = [lookUp('last_hidden_state'), initializer(table), ids, rows];

  it('the unmodified graph is valid', async () => {
    const { code, err } = await audit(await folderOf('sound', onnx.model(sound)));
    assert.equal(code, 0, err);
  });

  const whole = onnx.model(sound);
  const million = 1_000_000;
  /** A graph that adds the tensor `more` to the table's embeddings. Most callers define `more` in `parts`. */
  const added = (...parts: Buffer[]): Buffer[] => [
    lookUp('found'),
    ...parts,
    step({ op: 'Add', inputs: ['found', 'more'], outputs: ['last_hidden_state'] }),
    initializer(table),
    ids,
    rows,
  ];
  const elsewhere = { name: 'more', dims: [4], external: '../../outside.bin' };
  const branch = (name: string, outside: boolean): Buffer =>
    onnx.graphAttribute(name, [
      ...(outside ? [initializer({ ...elsewhere, name: `${name}_more` })] : []),
      ...(outside ? [] : [initializer(onnx.floats(`${name}_more`, [4], [0, 0, 0, 0]))]),
      step({ op: 'Identity', inputs: [`${name}_more`], outputs: [`${name}_out`] }),
      onnx.message(2, name),
      onnx.port(12, `${name}_out`, 'float32', [4]),
    ]);

  const cases: { name: string; graph: Buffer; says: RegExp }[] = [
    {
      name: 'empty',
      graph: Buffer.alloc(0),
      says: saying('model.onnxIncomplete', sentence('model.onnxWithoutGraph')),
    },
    {
      name: 'cut off',
      graph: whole.subarray(0, whole.length >> 1),
      says: saying('model.onnxIncomplete'),
    },
    {
      name: 'random bytes',
      graph: Buffer.from(
        Array.from({ length: 65_536 }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 13) & 255),
      ),
      says: saying('model.onnxIncomplete'),
    },
    {
      name: 'nested a hundred thousand deep',
      graph: onnx.model([nest(100_000), ...sound]),
      says: saying('model.onnxIncomplete'),
    },
    {
      name: 'tokens of texts',
      graph: onnx.model([
        lookUp('last_hidden_state'),
        initializer(table),
        onnx.port(11, 'input_ids', 'string', ['b', 'n']),
        rows,
      ]),
      says: /Input input_ids has the type string; expected int32/,
    },
    {
      name: 'an output of whole numbers',
      graph: onnx.model([
        lookUp('last_hidden_state'),
        initializer(
          onnx.integers(
            'table',
            [7, 4],
            Array.from({ length: 28 }, (_, i) => i),
          ),
        ),
        ids,
        onnx.port(12, 'last_hidden_state', 'int64', ['b', 'n', 4]),
      ]),
      says: /last_hidden_state is .*int64.*float32/,
    },
    {
      name: 'an output of another rank',
      graph: onnx.model([
        lookUp('found'),
        step({ op: 'Unsqueeze', inputs: ['found', 'axis'], outputs: ['last_hidden_state'] }),
        initializer(onnx.integers('axis', [1], [0])),
        initializer(table),
        ids,
        onnx.port(12, 'last_hidden_state', 'float32', [1, 'b', 'n', 4]),
      ]),
      says: /last_hidden_state.* 4 axes|last_hidden_state is float32\[1, /,
    },
    {
      name: 'an unknown input',
      graph: onnx.model([...added(), onnx.port(11, 'more', 'float32', [4])]),
      says: /more/,
    },
    {
      name: 'no output',
      graph: onnx.model([lookUp('last_hidden_state'), initializer(table), ids]),
      says: saying('model.onnxIncomplete', sentence('model.onnxWithoutGraph')),
    },
    {
      name: 'weights outside its folder',
      graph: onnx.model(added(initializer(elsewhere))),
      says: saying('model.weightsOutsideFolder', '../../outside.bin'),
    },
    {
      name: 'weights at an absolute path',
      graph: onnx.model(added(initializer({ ...elsewhere, external: '/etc/hostname' }))),
      says: /etc\/hostname/,
    },
    {
      name: 'weights outside its folder, in a step',
      graph: onnx.model(
        added(
          step({
            op: 'Constant',
            inputs: [],
            outputs: ['more'],
            attributes: [onnx.tensorAttribute('value', elsewhere)],
          }),
        ),
      ),
      says: /outside\.bin/,
    },
    {
      name: 'weights outside its folder, in a branch',
      graph: onnx.model(
        added(
          initializer({
            name: 'yes',
            type: 'int64',
            dims: [1],
            raw: Buffer.from(BigInt64Array.of(1n).buffer),
          }),
          step({
            op: 'Cast',
            inputs: ['yes'],
            outputs: ['go'],
            attributes: [onnx.message(5, onnx.message(1, 'to'), onnx.int(3, 9), onnx.int(20, 2))],
          }),
          step({
            op: 'If',
            inputs: ['go'],
            outputs: ['more'],
            attributes: [branch('then_branch', true), branch('else_branch', false)],
          }),
        ),
      ),
      says: /outside\.bin/,
    },
    {
      name: 'a tensor of 4 TB of which 16 bytes are there',
      graph: onnx.model(
        added(initializer({ name: 'more', dims: [million, million], raw: Buffer.alloc(16) })),
      ),
      says: /cannot be loaded/,
    },
    {
      name: 'a tensor of 4 TB made while it runs',
      graph: onnx.model(
        added(
          initializer(onnx.integers('shape', [2], [million, million])),
          step({ op: 'ConstantOfShape', inputs: ['shape'], outputs: ['vast'] }),
          step({ op: 'ReduceMax', inputs: ['vast'], outputs: ['more'] }),
        ),
      ),
      says: /The model (cannot be loaded|failed) \(.*alloc/i,
    },
    {
      name: 'a custom operator',
      graph: onnx.model(
        added(step({ op: 'Evil', inputs: ['found'], outputs: ['more'], domain: 'com.evil' })),
        ['com.evil'],
      ),
      says: /cannot be loaded \(.*Evil.*supports its operators/s,
    },
  ];

  before(() => writeFile(place.in('outside.bin'), Buffer.alloc(16)));

  for (const { name, graph, says } of cases) {
    it(`${name}: exits with 2, names the file, writes nothing`, async () => {
      const path = await folderOf(name.replace(/\W+/g, '-'), graph);
      const { code, err, peakMb } = await audit(path);
      assert.equal(code, 2, err);
      assert.match(err, says);
      assert.ok(err.includes(path), err);
      assert.ok(peakMb < 600, `${peakMb} MB`);
    });
  }

  it('rows that are not numbers: leaves out and counts the examples, keeps the others', async () => {
    const lines = ['one two', 'one nan', 'infinite', 'three'].map(
      (text) => `a.jpg\t${text}\ttwo one two\tone three`,
    );
    await writeFile(place.in('nan.tsv'), `${words.split('\n')[0]}\n${lines.join('\n')}\n`);
    const { code, out, err } = await captious(
      [
        'audit',
        place.in('nan.tsv'),
        '--probe',
        'visla',
        '--evaluator',
        fixture('odd-table'),
        '--out',
        place.in('nan'),
        '--json',
      ],
      { home: place.home },
    );
    assert.equal(code, 0, err);
    const [{ dataset }] = JSON.parse(out) as {
      dataset: { examples: number; skipped: number; leftOut: unknown };
    }[];
    assert.equal(dataset.examples, 2);
    assert.equal(dataset.skipped, 2);
    assert.match(JSON.stringify(dataset.leftOut), /not finite.*"lines":\[3,4\]/);
  });

  for (const [name, id] of [
    ['a negative one', -3],
    ['one beyond the table', 99],
    ['one beyond 32 bits', 2 ** 40],
    ['one that is no whole number', 1.5],
  ] as const) {
    it(`a tokenizer with the id ${id}, ${name}: exits with 2, never uses another word's row`, async () => {
      const path = await folderOf(`id${id}`, onnx.model(sound));
      const file = join(path, 'tokenizer.json');
      const json = JSON.parse(await readFile(file, 'utf8')) as { model: { vocab: Record<string, number> } };
      json.model.vocab.one = id;
      await writeFile(file, JSON.stringify(json));
      const { code, err } = await audit(path);
      assert.equal(code, 2, err);
      assert.ok(err.includes(path), err);
    });
  }

  it('a model over its memory limit: stops its process, the command line survives and says so', async () => {
    const path = await folderOf(
      'greedy',
      onnx.model(
        added(
          // The size depends on the input, so the runtime cannot compute this part while it loads the graph.
          step({ op: 'Shape', inputs: ['input_ids'], outputs: ['size'] }),
          initializer(onnx.integers('times', [2], [30_000, 30_000])),
          step({ op: 'Mul', inputs: ['size', 'times'], outputs: ['shape'] }),
          step({ op: 'ConstantOfShape', inputs: ['shape'], outputs: ['vast'] }),
          step({ op: 'Sin', inputs: ['vast'], outputs: ['waves'] }),
          step({ op: 'ReduceMax', inputs: ['waves'], outputs: ['more'] }),
        ),
      ),
    );
    const { code, err, peakMb } = await audit(path, { CAPTIOUS_MODEL_MEMORY: '1' });
    assert.equal(code, 2, err);
    assert.ok(err.includes(english(say('native.memoryLimitExceeded', '1.0'))), err);
    assert.ok(err.includes(english(say('native.shrinkModelOrRaise', 'CAPTIOUS_MODEL_MEMORY'))), err);
    assert.ok(peakMb < 4000, `${peakMb} MB`);
  });
});

/** Nodes nested to this depth, each in a branch of the next outer one. */
function nest(levels: number): Buffer {
  // Built from the inside, because a field's length precedes its content.
  let inner = onnx.step({ op: 'Identity', inputs: ['a'], outputs: ['b'] });
  const parts: Buffer[] = [inner];
  let length = inner.length;
  const heads: Buffer[] = [];
  for (let i = 0; i < levels; i++) {
    for (const field of [6, 5, 1]) {
      const head = onnx.message(field).subarray(0, 1);
      const size = onnx.int(0, length).subarray(1);
      heads.push(Buffer.concat([head, size]));
      length += head.length + size.length;
    }
  }
  inner = Buffer.concat([...heads.reverse(), ...parts]);
  return inner;
}
