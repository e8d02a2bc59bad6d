import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { modelsPath } from './fixtures';

interface Port {
  name: string;
  datatype: string;
  shape: number[];
}

export interface Model {
  /** The graph's path below test/fixtures/models. */
  graph: string;
  inputs: Port[];
  outputs: Port[];
}

export interface Served {
  method: string;
  url: string;
  binary: boolean;
  rows: number;
}

/** A function that may answer a request instead of the server. Returns true if it has answered. */
export type Mischief = (served: Served, response: ServerResponse) => boolean;

const widths: Record<string, number> = { INT64: 8, INT32: 4, FP32: 4, BOOL: 1 };
const kinds: Record<string, 'int64' | 'int32' | 'float32' | 'bool'> = {
  INT64: 'int64',
  INT32: 'int32',
  FP32: 'float32',
  BOOL: 'bool',
};

/** An inference server on this machine, with the small fixture models and the Open Inference Protocol. */
export class OipServer {
  readonly requests: Served[] = [];
  mischief: Mischief = () => false;
  binary = true;
  version = '1';
  /** Changes the numbers of an answer. */
  twist: (values: Float32Array) => void = () => undefined;
  /** Changes the JSON header of an answer. */
  reword: (json: Record<string, unknown>) => void = () => undefined;
  /** Whether to send null for optional fields. */
  silent = false;
  url = '';
  private server: Server | undefined;
  private readonly sessions = new Map<string, Promise<InferenceSession>>();

  constructor(private readonly models: Record<string, Model>) {}

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      void this.answer(request, response).catch((error: unknown) => {
        response.writeHead(400).end(JSON.stringify({ error: String(error) }));
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    const server = this.server;
    if (server === undefined) return;
    this.server = undefined;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (const session of this.sessions.values()) await (await session).release();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const length = request.headers['inference-header-content-length'];
    const served: Served = {
      method: request.method!,
      url: request.url!,
      binary: length !== undefined,
      rows: 0,
    };
    const head = length === undefined ? body : body.subarray(0, Number(length));
    const asked = request.method === 'POST' ? (JSON.parse(head.toString('utf8')) as Asked) : undefined;
    served.rows = asked?.inputs.at(-1)?.shape[0] ?? 0;
    this.requests.push(served);
    if (this.mischief(served, response)) return;
    const [, name, version] =
      /^\/v2\/models\/([^/]+)(?:\/versions\/([^/]+))?(?:\/infer)?$/.exec(request.url!) ?? [];
    if (request.url === '/v2') {
      const extensions = this.binary ? ['classification', 'binary_tensor_data'] : ['classification'];
      this.send(response, { name: 'pretend', version: '1', extensions });
      return;
    }
    const model = name === undefined ? undefined : this.models[name];
    if (model === undefined || (version !== undefined && version !== this.version)) {
      response.writeHead(404).end(JSON.stringify({ error: `unknown model ${name}` }));
      return;
    }
    if (asked === undefined) {
      this.send(response, {
        name,
        versions: this.silent ? null : [this.version],
        platform: this.silent ? null : 'onnxruntime_onnx',
        inputs: model.inputs,
        outputs: model.outputs,
      });
      return;
    }
    await this.infer(name, model, asked, body.subarray(head.length), response);
  }

  private async infer(
    name: string,
    model: Model,
    asked: Asked,
    rest: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const feeds: Record<string, Tensor> = {};
    let from = 0;
    for (const { name: input, datatype, shape, data, parameters } of asked.inputs) {
      const size = parameters?.binary_data_size;
      const bytes = size === undefined ? undefined : rest.subarray(from, from + size);
      from += size ?? 0;
      const values = bytes === undefined ? data! : numbersOf(datatype, bytes);
      if (values.length !== shape.reduce((product, dim) => product * dim, 1)) throw new Error('wrong size');
      feeds[input] = tensor(datatype, values, shape);
    }
    if (from !== rest.length) throw new Error(`${rest.length - from} bytes belong to no input`);
    let session = this.sessions.get(name);
    if (session === undefined) {
      session = InferenceSession.create(join(modelsPath, model.graph), { logSeverityLevel: 3 });
      this.sessions.set(name, session);
    }
    const [{ name: output, parameters }] = asked.outputs;
    const result = (await (await session).run(feeds, [output]))[output];
    const values = Float32Array.from(result.data as Float32Array);
    this.twist(values);
    const binary = parameters?.binary_data === true;
    const bytes = Buffer.from(values.buffer);
    const json: Record<string, unknown> = {
      model_name: name,
      model_version: this.version,
      outputs: [
        {
          name: output,
          datatype: 'FP32',
          shape: result.dims,
          ...(binary ? { parameters: { binary_data_size: bytes.length } } : { data: [...values] }),
        },
      ],
    };
    this.reword(json);
    if (!binary) {
      this.send(response, json);
      return;
    }
    const head = Buffer.from(JSON.stringify(json));
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'inference-header-content-length': head.length,
    });
    response.end(Buffer.concat([head, bytes]));
  }

  private send(response: ServerResponse, value: unknown): void {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }
}

interface Asked {
  inputs: {
    name: string;
    datatype: string;
    shape: number[];
    data?: (number | boolean)[];
    parameters?: { binary_data_size?: number };
  }[];
  outputs: { name: string; parameters?: { binary_data?: boolean } }[];
}

function numbersOf(datatype: string, bytes: Buffer): number[] {
  const width = widths[datatype];
  return Array.from({ length: bytes.length / width }, (_, i) => {
    if (datatype === 'INT64') return Number(bytes.readBigInt64LE(i * 8));
    if (datatype === 'INT32') return bytes.readInt32LE(i * 4);
    return datatype === 'FP32' ? bytes.readFloatLE(i * 4) : bytes[i];
  });
}

function tensor(datatype: string, values: readonly (number | boolean)[], dims: number[]): Tensor {
  const numbers = values.map(Number);
  if (datatype === 'INT64') return new Tensor('int64', BigInt64Array.from(numbers, BigInt), dims);
  if (datatype === 'FP32') return new Tensor('float32', Float32Array.from(numbers), dims);
  if (datatype === 'INT32') return new Tensor('int32', Int32Array.from(numbers), dims);
  return new Tensor(kinds[datatype] as 'bool', Uint8Array.from(numbers), dims);
}

const tokens = (name: string): Port => ({ name, datatype: 'INT64', shape: [-1, -1] });
const pixels: Port = { name: 'pixel_values', datatype: 'FP32', shape: [-1, 3, 32, 32] };
const rows = (name: string, width: number): Port => ({ name, datatype: 'FP32', shape: [-1, width] });

export const models: Record<string, Model> = {
  clip_text: {
    graph: 'clip-two-graphs/onnx/text_model.onnx',
    inputs: [tokens('input_ids'), tokens('attention_mask')],
    outputs: [rows('text_embeds', 16)],
  },
  clip_vision: {
    graph: 'clip-two-graphs/onnx/vision_model.onnx',
    inputs: [pixels],
    outputs: [rows('image_embeds', 16)],
  },
  clip: {
    graph: 'clip/onnx/model.onnx',
    inputs: [tokens('input_ids'), pixels, tokens('attention_mask')],
    outputs: [rows('text_embeds', 16), rows('image_embeds', 16)],
  },
  bert: {
    graph: 'bert-cls/onnx/model.onnx',
    inputs: [tokens('input_ids'), tokens('attention_mask'), tokens('token_type_ids')],
    outputs: [{ name: 'last_hidden_state', datatype: 'FP32', shape: [-1, -1, 32] }],
  },
};
