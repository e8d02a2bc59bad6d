import { CaptiousError, throwIfCancelled, evaluatorError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Runs } from '../native/engines';
import { checkRows, poolRows } from '../native/pooling';
import { pixelDims } from '../../protocol/imageSpec';
import type { ConstantFeed, Encoded, ImageJob, OutputSpec, Port, TextJob } from '../../protocol/native';
import type { ModelRef, OipClient } from './oip';
import type { InputTensor, OutputTensor, TensorType } from './oipTensor';

const typeNames = {
  int64: 'INT64',
  int32: 'INT32',
  float32: 'FP32',
  float16: 'FP16',
  bool: 'BOOL',
} as const satisfies Record<string, TensorType>;

/** A model on the server. `run` throws if the server switches to another version of the model. */
class RemoteModel {
  private version: string | undefined;

  constructor(
    private readonly client: OipClient,
    private readonly model: ModelRef,
  ) {}

  /** Sends inputs that have `rows` rows. Returns the embeddings of the first `count` rows. */
  async run(
    inputs: readonly InputTensor[],
    output: OutputSpec,
    mask: Uint8Array | undefined,
    rows: number,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<{ dimension: number; values: Float32Array }> {
    const answer = await this.client.infer(this.model, inputs, output.name, signal);
    this.expectVersion(answer.version);
    this.expectShape(answer, output, rows);
    return poolRows(answer.values, answer.shape, mask, output, count);
  }

  private expectVersion(version: string | undefined): void {
    if (version === undefined) return;
    this.version ??= version;
    if (version === this.version) return;
    throw new CaptiousError('interrupted', say('remote.versionChanged', this.version, version), {
      at: this.client.address(this.model),
      remedy: say('remote.setModelVersions'),
    });
  }

  private expectShape({ shape }: OutputTensor, output: OutputSpec, rows: number): void {
    const rank = output.pooling === 'none' ? 2 : 3;
    if (shape.length === rank && shape[0] === rows) return;
    throw evaluatorError(
      say('remote.outputShapeWrong', output.name, shape.join(', '), rank, rows),
      say('remote.setPooledOutput'),
      this.client.address(this.model),
    );
  }
}

/** Collects the embeddings of several requests in one table, each at its item's row. */
class Gathered {
  private values = new Float32Array(0);
  private dimension = 0;
  readonly problems: (Words | undefined)[];
  readonly unreadable: number[] = [];

  constructor(private readonly rows: number) {
    this.problems = new Array<Words | undefined>(rows).fill(undefined);
  }

  put(part: { dimension: number; values: Float32Array }, places: readonly number[], at: string): void {
    if (this.values.length === 0) {
      this.dimension = part.dimension;
      this.values = new Float32Array(this.rows * this.dimension);
    }
    if (part.dimension !== this.dimension) {
      throw new CaptiousError(
        'evaluator',
        say('remote.embeddingLengthsDiffer', this.dimension, part.dimension),
        { at },
      );
    }
    places.forEach((place, i) =>
      this.values.set(
        part.values.subarray(i * this.dimension, (i + 1) * this.dimension),
        place * this.dimension,
      ),
    );
  }

  done(): Encoded {
    checkRows(this.values, this.dimension, this.problems);
    const { dimension, values, problems, unreadable } = this;
    return { dimension, values, problems, unreadable };
  }
}

export class RemoteTexts implements Runs<'texts'> {
  private readonly remote: RemoteModel;

  constructor(
    private readonly client: OipClient,
    private readonly model: ModelRef,
    private readonly batch: number,
  ) {
    this.remote = new RemoteModel(client, model);
  }

  async run(_: 'texts', job: TextJob, signal?: AbortSignal): Promise<Encoded> {
    const gathered = new Gathered(job.rows);
    const fed = job.fixedRows ?? this.batch;
    for (let from = 0; from < job.rows; from += fed) {
      throwIfCancelled(signal);
      const count = Math.min(fed, job.rows - from);
      const mask = job.mask?.subarray(from * job.length, (from + count) * job.length);
      const part = await this.remote.run(
        textInputs(job, from, count, fed),
        job.output,
        mask,
        fed,
        count,
        signal,
      );
      gathered.put(
        part,
        Array.from({ length: count }, (_, i) => from + i),
        this.client.address(this.model),
      );
    }
    return gathered.done();
  }
}

function textInputs(job: TextJob, from: number, count: number, fed: number): InputTensor[] {
  const { length, inputs } = job;
  const shape = [fed, length];
  const spread = (source: ArrayLike<number> | undefined, fill: number): Int32Array =>
    Int32Array.from({ length: fed * length }, (_, i) => {
      const row = from + Math.min(Math.floor(i / length), count - 1);
      return source === undefined ? fill : source[row * length + (i % length)];
    });
  const tensor = ({ name, type }: Port, values: ArrayLike<number>): InputTensor => ({
    name,
    type: typeNames[type],
    shape,
    values,
  });
  return [
    ...constantInputs(job.constants),
    tensor(inputs.ids, spread(job.ids, 0)),
    ...(inputs.mask === undefined ? [] : [tensor(inputs.mask, spread(job.mask, 1))]),
    ...(inputs.types === undefined ? [] : [tensor(inputs.types, new Uint8Array(fed * length))]),
    ...(inputs.positions === undefined
      ? []
      : [
          tensor(
            inputs.positions,
            Int32Array.from({ length: fed * length }, (_, i) => i % length),
          ),
        ]),
  ];
}

function constantInputs(constants: readonly ConstantFeed[]): InputTensor[] {
  return constants.map(({ name, type, dims, fill }) => ({
    name,
    type: typeNames[type],
    shape: dims,
    values: new Float32Array(dims.reduce((product, dim) => product * dim, 1)).fill(fill),
  }));
}

export class RemoteImages implements Runs<'images'> {
  private readonly remote: RemoteModel;

  constructor(
    private readonly client: OipClient,
    private readonly model: ModelRef,
    private readonly batch: number,
    /** Decodes and preprocesses images. */
    private readonly local: Runs<'pixels'>,
  ) {
    this.remote = new RemoteModel(client, model);
  }

  async run(_: 'images', job: ImageJob, signal?: AbortSignal): Promise<Encoded> {
    const gathered = new Gathered(job.images.length);
    const fed = job.fixedRows ?? this.batch;
    const ready = (from: number): Promise<Encoded> => {
      const images = job.images.slice(from, from + fed);
      const pixels = this.local.run('pixels', { images, spec: job.spec }, signal);
      // After a cancel, nothing awaits this promise. Its failure must not count as unhandled.
      pixels.catch(() => undefined);
      return pixels;
    };
    let next = ready(0);
    for (let from = 0; from < job.images.length; from += fed) {
      throwIfCancelled(signal);
      const pixels = await next;
      // Preprocesses the next images while the server works.
      if (from + fed < job.images.length) next = ready(from + fed);
      pixels.problems.forEach((problem, i) => (gathered.problems[from + i] = problem));
      for (const i of pixels.unreadable ?? []) gathered.unreadable.push(from + i);
      const good = pixels.problems.flatMap((problem, i) => (problem === undefined ? [i] : []));
      if (good.length === 0) continue;
      const inputs = [...constantInputs(job.constants), pixelInput(job, pixels, good, fed)];
      const part = await this.remote.run(inputs, job.output, undefined, fed, good.length, signal);
      gathered.put(
        part,
        good.map((i) => from + i),
        this.client.address(this.model),
      );
    }
    return gathered.done();
  }
}

function pixelInput(
  job: ImageJob,
  { dimension, values }: Encoded,
  good: readonly number[],
  fed: number,
): InputTensor {
  const out = new Float32Array(fed * dimension);
  for (let row = 0; row < fed; row++) {
    const from = good[Math.min(row, good.length - 1)] * dimension;
    out.set(values.subarray(from, from + dimension), row * dimension);
  }
  return {
    name: job.input,
    type: typeNames[job.inputType ?? 'float32'],
    shape: [fed, ...pixelDims(job.spec)],
    values: out,
  };
}
