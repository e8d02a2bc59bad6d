import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fingerprints } from '../../../../../src/base/files/fingerprints';
import { ModelFolder } from '../../../../../src/evaluator/model/modelFolder';
import { readGraphHeader } from '../../../../../src/evaluator/model/onnx/onnxHeader';
import { type TensorSpec, graphAttribute, initializer, int, message, model } from '../../../../faults/onnx';
import { ids, lookUp, rows, step, table, tensor, tensorAttribute } from '../../../../faults/onnx';
import { cleanUp, scratch } from '../../fixtures';
import type { CaptiousError } from '../../../../../src/base/errors';
import { type Code, findSaid, say } from '../../../../../src/base/say';

interface Oracle {
  models: { bytes: string; walker: string[]; external: string[] }[];
}
const oracle = JSON.parse(
  readFileSync(join(__dirname, '../../../../oracle/onnx/external.json'), 'utf8'),
) as Oracle;

const weights: TensorSpec = { name: 'more', dims: [4], external: 'w.bin' };
const outside = (location: string | Buffer): Buffer =>
  message(13, message(1, 'location'), message(2, location as string));
const start = [int(1, 4), int(2, 1), message(8, 'more')];
/** A graph that returns embeddings, with more parts. */
const graphWith = (...parts: Buffer[]): Buffer[] => [
  initializer(table),
  lookUp('last_hidden_state'),
  ids,
  rows,
  ...parts,
];
const constant = (...attribute: Buffer[]): Buffer =>
  step({
    op: 'Constant',
    inputs: [],
    outputs: ['more'],
    attributes: [message(5, message(1, 'value'), ...attribute, int(20, 4))],
  });
const branch = (...parts: Buffer[]): Buffer =>
  step({ op: 'If', inputs: ['c'], outputs: ['o'], attributes: [graphAttribute('then_branch', parts)] });
const valueOnly = (...more: Buffer[]): Buffer => model(graphWith(...more));

/** Each place that may name a file, as the bytes of a model. */
const places: Record<string, Buffer> = {
  'an initializer': valueOnly(initializer(weights)),
  'a constant': valueOnly(
    step({ op: 'Constant', inputs: [], outputs: ['more'], attributes: [tensorAttribute('value', weights)] }),
  ),
  'a branch': valueOnly(branch(initializer(weights))),
  'a constant in a branch in a branch': valueOnly(branch(branch(constant(message(5, ...tensor(weights)))))),
  'the value before its key': valueOnly(
    message(5, ...start, message(13, message(2, 'w.bin'), message(1, 'location')), int(14, 1)),
  ),
  'an entry whose last key counts': valueOnly(
    message(
      5,
      ...start,
      message(13, message(1, 'offset'), message(2, '0'), message(1, 'location'), message(2, 'w.bin')),
      int(14, 1),
    ),
  ),
  'a tensor in two parts': valueOnly(
    constant(message(5, ...start), message(5, outside('w.bin'), int(14, 1))),
  ),
  'a subgraph in two parts': valueOnly(
    step({
      op: 'If',
      inputs: ['c'],
      outputs: ['o'],
      attributes: [message(5, message(1, 'g'), message(6), message(6, initializer(weights)))],
    }),
  ),
  'a graph in two parts': Buffer.concat([
    model(graphWith()),
    message(7, message(1, message(5, message(5, ...tensor(weights))))),
  ]),
  'lists of tensors': valueOnly(constant(message(10, ...tensor(weights)))),
  'a list of graphs': valueOnly(constant(message(11, initializer(weights)))),
  'sparse weights': valueOnly(message(15, message(1, ...tensor(weights)))),
  'a sparse attribute': valueOnly(constant(message(22, message(2, ...tensor(weights))))),
  'a function': Buffer.concat([
    model(graphWith()),
    message(25, message(1, 'own'), message(7, message(5, message(5, ...tensor(weights))))),
  ]),
  'a default of a function': Buffer.concat([
    model(graphWith()),
    message(25, message(1, 'own'), message(11, message(5, ...tensor(weights)))),
  ]),
  'training graphs': Buffer.concat([model(graphWith()), message(20, message(2, initializer(weights)))]),
};

function folderWith(bytes: Buffer): string {
  const path = scratch();
  writeFileSync(join(path, 'model.onnx'), bytes);
  writeFileSync(join(path, 'w.bin'), Buffer.alloc(16));
  return path;
}

function taken(path: string): ModelFolder {
  const folder = new ModelFolder(path);
  folder.take(folder.graph('model', 'float32')!);
  return folder;
}

const hashed = (folder: ModelFolder): Promise<string> => folder.sha256(new Fingerprints(undefined));

describe('external weights of an ONNX file', () => {
  afterEach(cleanUp);

  it("are those that onnx's walker and protobuf's reflection find, in 300 generated models", () => {
    const path = join(scratch(), 'model.onnx');
    let beyond = 0;
    for (const [at, { bytes, walker, external }] of oracle.models.entries()) {
      writeFileSync(path, Buffer.from(bytes, 'base64'));
      const found = readGraphHeader(path).external;
      assert.deepEqual([...found].sort(), [...new Set(external)].sort(), `model ${at}`);
      for (const location of walker) assert.ok(found.includes(location), `model ${at}: ${location}`);
      if (external.length > 0) beyond++;
    }
    assert.ok(beyond > 200, `${beyond}`);
  });

  for (const [place, bytes] of Object.entries(places))
    it(`change the hash, and end a run: ${place}`, async () => {
      const path = folderWith(bytes);
      const folder = taken(path);
      const before = await hashed(folder);
      assert.equal(await hashed(taken(path)), before);
      writeFileSync(join(path, 'w.bin'), Buffer.alloc(16, 1));
      assert.throws(() => folder.unchanged(), { kind: 'interrupted', at: join(path, 'w.bin') });
      assert.notEqual(await hashed(taken(path)), before);
    });

  it('change the hash with the same size and time', async () => {
    const path = folderWith(places['a constant']);
    const file = join(path, 'w.bin');
    const { atime, mtime } = statSync(file);
    const folder = taken(path);
    const before = await hashed(folder);
    writeFileSync(file, Buffer.alloc(16, 1));
    utimesSync(file, atime, mtime);
    assert.throws(() => folder.unchanged(), { kind: 'interrupted' });
    assert.notEqual(await hashed(taken(path)), before);
  });

  it('are read from the place where ONNX Runtime reads them', () => {
    const path = folderWith(valueOnly(initializer({ ...weights, external: 'link/../w.bin' })));
    const elsewhere = join(path, 'a', 'b');
    mkdirSync(elsewhere, { recursive: true });
    symlinkSync(elsewhere, join(path, 'link'), 'junction');
    writeFileSync(join(path, 'a', 'w.bin'), 'other');
    assert.throws(() => taken(path), { what: say('model.weightsLocationAmbiguous', 'link/../w.bin') });
  });

  it('may be anywhere in the model folder', () => {
    for (const location of ['part/../w.bin', './w.bin', '..w.bin']) {
      const path = folderWith(valueOnly(initializer({ ...weights, external: location })));
      mkdirSync(join(path, 'part'));
      writeFileSync(join(path, '..w.bin'), 'w');
      taken(path);
    }
  });

  it('are rejected outside the folder, and without a name', () => {
    const at = (location: string): Buffer => valueOnly(initializer({ ...weights, external: location }));
    for (const location of ['../w.bin', '/w.bin', '\\w.bin', 'C:w.bin', 'c:\\w.bin', '//host/w.bin'])
      assert.throws(() => taken(folderWith(at(location))), {
        what: say('model.weightsOutsideFolder', location),
      });
    for (const location of ['', '.', 'w.bin\0', '*/_ORT_MEM_ADDR_/*'])
      assert.throws(() => taken(folderWith(at(location))), {
        what: say('model.weightsFileMissing', location),
      });
  });
});

describe('an unknown form of an ONNX file', () => {
  afterEach(cleanUp);

  const refused: Record<string, [Buffer, Code]> = {
    'a new field of the model': [
      Buffer.concat([model(graphWith()), message(30, ...tensor(weights))]),
      'model.onnxFieldUnknown',
    ],
    'a new field of a tensor': [
      valueOnly(message(5, ...start, message(17, 'w.bin'))),
      'model.onnxFieldUnknown',
    ],
    'a new field of an entry': [
      valueOnly(message(5, ...start, message(13, message(1, 'location'), message(3, 'w.bin')))),
      'model.onnxFieldUnknown',
    ],
    'a number instead of a message': [valueOnly(constant(int(5, 1))), 'model.onnxFieldUnknown'],
    'a new data location': [valueOnly(message(5, ...start, int(14, 2))), 'model.onnxTensorMisplaced'],
    'a location that is not UTF-8': [
      valueOnly(message(5, ...start, outside(Buffer.from([0x77, 0xff])), int(14, 1))),
      'model.protoNameNotUnicode',
    ],
    'a compiled graph in another file': [
      valueOnly(step({ op: 'EPContext', inputs: [], outputs: ['o'] })),
      'model.onnxForOtherHardware',
    ],
  };
  for (const [form, [bytes, reason]] of Object.entries(refused))
    it(`is rejected: ${form}`, () => {
      assert.throws(
        () => taken(folderWith(bytes)),
        ({ what }: CaptiousError) =>
          findSaid(what, 'model.onnxIncomplete') !== undefined && findSaid(what, reason) !== undefined,
      );
    });
});

describe('a file of a model folder that changes', () => {
  afterEach(cleanUp);

  it('between reading and hashing ends the run', async () => {
    const path = folderWith(places['an initializer']);
    const folder = taken(path);
    writeFileSync(join(path, 'model.onnx'), valueOnly());
    await assert.rejects(hashed(folder), { kind: 'interrupted', at: join(path, 'model.onnx') });
  });

  it('by appearing ends the run', async () => {
    const path = folderWith(valueOnly());
    const folder = taken(path);
    assert.equal(folder.json('tokenizer_config.json'), undefined);
    await hashed(folder);
    writeFileSync(join(path, 'tokenizer_config.json'), '{}');
    assert.throws(() => folder.unchanged(), { at: join(path, 'tokenizer_config.json') });
  });
});
