import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError, evaluatorError, Reason, wordsOf } from '../../base/errors';
import type { Outcome } from '../../base/outcome';
import { openRegularSync } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { count, list, object, pair, text } from '../../base/shape';
import { say, type Words } from '../../base/say';
import { floatsOf } from '../half';
import { booleanAt, type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import { problemOf } from '../native/pooling';

/** A Dense module of sentence-transformers: a matrix product and an activation. Store keys include these fields. */
export interface DenseLayer {
  /** The path of the weights within the folder. */
  weights: string;
  inputs: number;
  outputs: number;
  bias: boolean;
  activation: Activation;
}

const activations = {
  Identity: (value: number) => value,
  Tanh: Math.tanh,
  ReLU: (value: number) => Math.max(0, value),
  Sigmoid: (value: number) => 1 / (1 + Math.exp(-value)),
};
type Activation = keyof typeof activations;

/** The most inputs or outputs of a layer. Known models have fewer. `Math.hypot` accepts this many arguments. */
const widest = 1 << 16;

export function readDense(folder: ModelFolder, path: string): DenseLayer {
  const name = `${path}/config.json`;
  const config = folder.require(name);
  const ask = (question: Words, remedy: Words): never => {
    throw evaluatorError(question, remedy, join(folder.path, name));
  };
  const activation = stringAt(config, 'activation_function')?.split('.').pop() ?? 'Tanh';
  if (!Object.hasOwn(activations, activation))
    return ask(
      say('model.activationUnknown', activation),
      say('fetch.chooseFrom', Object.keys(activations).join(', ')),
    );
  const input = stringAt(config, 'module_input_name') ?? 'sentence_embedding';
  if (input !== 'sentence_embedding') return ask(say('model.denseInputWrong', input), exportIt);
  const inputs = numberAt(config, 'in_features');
  const outputs = numberAt(config, 'out_features');
  if (inputs === undefined || outputs === undefined)
    return ask(say('model.denseSizeMissing'), say('model.addDenseSizes'));
  if (Math.max(inputs, outputs) > widest)
    return ask(say('model.denseTooWide', widest), say('model.checkDenseSizes'));
  const weights = `${path}/model.safetensors`;
  folder.expect(weights);
  return {
    weights,
    inputs,
    outputs,
    bias: booleanAt(config, 'bias') ?? true,
    activation: activation as Activation,
  };
}

const exportIt =
  'Export the model with all its modules inside the graph and an output named sentence_embedding.';

/** Applies the layers in order. If `normalise` is true, scales the result to length 1. */
export class DenseHead {
  private loaded: { weight: Float32Array; bias: Float32Array | undefined }[] | undefined;

  constructor(
    private readonly folder: ModelFolder,
    private readonly layers: readonly DenseLayer[],
    private readonly normalise: boolean,
  ) {}

  apply(row: Outcome<Float32Array>): Outcome<Float32Array> {
    if (!row.ok) return row;
    this.loaded ??= this.layers.map((layer) => loadLayer(this.folder, layer));
    let values = row.value;
    for (const [i, layer] of this.layers.entries()) {
      if (values.length !== layer.inputs) {
        throw evaluatorError(
          say('model.denseInputLengthDiffers', layer.inputs, values.length),
          say('model.checkGraphOfFolder'),
          join(this.folder.path, layer.weights),
        );
      }
      values = forward(values, layer, this.loaded[i]);
    }
    if (this.normalise) scaleToOne(values);
    const problem = problemOf(values);
    return problem === undefined ? { ok: true, value: values } : { ok: false, problem };
  }
}

/** Sums in double precision in a fixed order, so results do not depend on the batch. */
function forward(
  values: Float32Array,
  { inputs, outputs, activation }: DenseLayer,
  { weight, bias }: { weight: Float32Array; bias: Float32Array | undefined },
): Float32Array {
  const act = activations[activation];
  return Float32Array.from({ length: outputs }, (_, o) => {
    let sum = bias?.[o] ?? 0;
    for (let i = 0; i < inputs; i++) sum += values[i] * weight[o * inputs + i];
    return act(sum);
  });
}

function scaleToOne(values: Float32Array): void {
  const norm = Math.hypot(...values);
  if (norm > 0) for (let i = 0; i < values.length; i++) values[i] /= norm;
}

/** The longest accepted header, in bytes. The headers of known models are shorter. */
const longestHeader = 64 << 20;

function loadLayer(
  folder: ModelFolder,
  { weights, inputs, outputs, bias }: DenseLayer,
): { weight: Float32Array; bias: Float32Array | undefined } {
  const path = join(folder.path, weights);
  const wrong = (message: Words, remedy: Words, cause?: unknown): CaptiousError =>
    evaluatorError(message, remedy, path, cause);
  let file: number | undefined;
  try {
    file = openRegularSync(path);
    const tensors = new Safetensors(file);
    const take = (name: string, shape: readonly number[]): Float32Array => {
      const found = tensors.shapeOf(name);
      if (String(found) === String(shape)) return tensors.values(name);
      throw wrong(
        found === undefined
          ? say('model.tensorMissing', name)
          : say('model.tensorShapeWrong', name, found.join(', '), shape.join(', ')),
        say('model.checkWeightsMatchConfig'),
      );
    };
    return {
      weight: take('linear.weight', [outputs, inputs]),
      bias: bias ? take('linear.bias', [outputs]) : undefined,
    };
  } catch (error) {
    if (error instanceof CaptiousError) throw error;
    throw wrong(say('model.weightsUnreadable', wordsOf(error)), say('model.downloadFileAgain'), error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const tensorShape = object({ dtype: text, shape: list(count), data_offsets: pair(count, count) });

/** Reads single tensors from a safetensors file, in which a JSON header and its length precede the data. */
class Safetensors {
  private readonly header: Json;
  private readonly from: number;

  constructor(private readonly file: number) {
    const length = Number(this.bytes(0, 8).readBigUInt64LE(0));
    if (length > longestHeader) throw new Reason(say('model.weightsHeaderTooLong', length));
    this.header = parseJson(this.bytes(8, length)) as Json;
    this.from = 8 + length;
  }

  shapeOf(name: string): number[] | undefined {
    return objectAt(this.header, name) === undefined ? undefined : this.place(name).shape;
  }

  values(name: string): Float32Array {
    const { dtype, shape, data_offsets: range } = this.place(name);
    const values = shape.reduce((product, dim) => product * dim, 1);
    if (range[1] - range[0] !== values * (dtype === 'F32' ? 4 : 2))
      throw new Reason(say('model.tensorLengthMismatch', name));
    return numbersOf(dtype, this.bytes(this.from + range[0], range[1] - range[0]));
  }

  private place(name: string): ReturnType<typeof tensorShape> {
    return tensorShape(objectAt(this.header, name), name);
  }

  private bytes(from: number, length: number): Buffer {
    if (from + length > fstatSync(this.file).size) throw new Reason(say('model.tensorBeyondFile'));
    const bytes = Buffer.allocUnsafe(length);
    readSync(this.file, bytes, 0, length, from);
    return bytes;
  }
}

function numbersOf(type: string, bytes: Buffer): Float32Array {
  const each = type === 'F32' ? 4 : 2;
  const length = bytes.length / each;
  switch (type) {
    case 'F32':
      return Float32Array.from({ length }, (_, i) => bytes.readFloatLE(i * 4));
    case 'F16':
      return floatsOf(Uint16Array.from({ length }, (_, i) => bytes.readUInt16LE(i * 2)));
    case 'BF16':
      // A bfloat16 is the upper half of a float32.
      return new Float32Array(Uint32Array.from({ length }, (_, i) => bytes.readUInt16LE(i * 2) << 16).buffer);
    default:
      throw new Reason(say('model.tensorTypeUnknown', type));
  }
}
