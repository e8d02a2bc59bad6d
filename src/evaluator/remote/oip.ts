import { setTimeout as sleep } from 'node:timers/promises';
import { CaptiousError, throwIfCancelled, wordsOf, Reason } from '../../base/errors';
import { anything, count, integer, list, object, optionalOrNull, record, text } from '../../base/shape';
import { say } from '../../base/say';
import { bodyOf, reasonOf } from '../network';
import { type Answer, answerLimits, metadataLimits, Passing, refusal, shaped, split } from './oipAnswer';
import { foreign, type InputTensor, type OutputTensor, toBytes, toData, valuesOf } from './oipTensor';
import { withoutEnd } from '../../base/text/ends';

/* A client for the Open Inference Protocol v2 over HTTP, which Triton, OpenVINO Model Server and KServe use. */

export interface ModelPort {
  name: string;
  datatype: string;
  shape: number[];
}

export interface ModelMetadata {
  name: string;
  versions?: string[];
  platform?: string;
  inputs: ModelPort[];
  outputs: ModelPort[];
}

export interface ModelRef {
  name: string;
  version?: string;
}

export interface OipOptions {
  /** The time limit of one request in milliseconds, including its response body. */
  deadlineMs?: number;
  /** The most attempts per request. */
  attempts?: number;
  /** The wait before the second attempt in milliseconds. It doubles before each further attempt. */
  firstWaitMs?: number;
  /** Whether to send tensors as binary data. By default, they are binary if the server supports that. */
  binary?: boolean;
}

const port = object({ name: text, datatype: text, shape: list(integer) });
const metadataShape = object({
  name: text,
  versions: optionalOrNull(list(text)),
  platform: optionalOrNull(text),
  inputs: list(port),
  outputs: list(port),
});
const serverShape = object({ name: optionalOrNull(text), extensions: optionalOrNull(list(text)) });
const answerShape = object({
  model_name: optionalOrNull(text),
  model_version: optionalOrNull(text),
  outputs: list(
    object({
      name: text,
      datatype: text,
      shape: list(count),
      parameters: optionalOrNull(record(anything())),
      data: optionalOrNull(list(anything())),
    }),
  ),
});

export class OipClient {
  private binary: boolean | undefined;
  private answered = false;

  constructor(
    readonly endpoint: URL,
    private readonly options: OipOptions = {},
  ) {
    this.binary = options.binary;
  }

  address({ name, version }: ModelRef): string {
    const at = version === undefined ? '' : `/versions/${encodeURIComponent(version)}`;
    return this.url(`v2/models/${encodeURIComponent(name)}${at}`);
  }

  async metadata(model: ModelRef, signal?: AbortSignal): Promise<ModelMetadata> {
    const url = this.address(model);
    const metadata = shaped(metadataShape, await this.ask(url, undefined, signal), url, metadataLimits);
    if (metadata.name !== model.name)
      throw foreign(url, say('remote.metadataOfOtherModel', metadata.name, model.name));
    this.binary ??= await this.knowsBinary(signal);
    return metadata;
  }

  async infer(
    model: ModelRef,
    inputs: readonly InputTensor[],
    output: string,
    signal?: AbortSignal,
  ): Promise<OutputTensor & { version?: string }> {
    const url = `${this.address(model)}/infer`;
    const answer = await this.ask(url, this.request(inputs, output), signal);
    const { json, rest } = split(answer, url);
    const said = shaped(answerShape, json, url, answerLimits);
    if (said.model_name !== undefined && said.model_name !== model.name)
      throw foreign(url, say('remote.responseOfOtherModel', said.model_name, model.name));
    if (
      model.version !== undefined &&
      said.model_version !== undefined &&
      said.model_version !== model.version
    )
      throw foreign(url, say('remote.responseOfOtherVersion', said.model_version, model.version));
    let from = 0;
    for (const one of said.outputs) {
      const size = one.parameters?.binary_data_size;
      const bytes = typeof size === 'number' ? rest.subarray(from, from + size) : undefined;
      from += bytes === undefined ? 0 : (size as number);
      if (one.name !== output) continue;
      if (bytes !== undefined && bytes.length !== size) throw foreign(url, say('remote.binaryPartTruncated'));
      const values = valuesOf(one.datatype, bytes, one.data, url);
      const wanted = one.shape.reduce((product, dim) => product * dim, 1);
      if (values.length !== wanted)
        throw foreign(url, say('remote.valueCountMismatch', values.length, one.shape.join(', ')));
      return {
        shape: one.shape,
        values,
        ...(said.model_version === undefined ? {} : { version: said.model_version }),
      };
    }
    throw foreign(url, say('remote.outputMissing', output));
  }

  private request(
    inputs: readonly InputTensor[],
    output: string,
  ): { headers: Record<string, string>; body: Buffer } {
    const parts = this.binary === true ? inputs.map(toBytes) : [];
    const json = Buffer.from(
      JSON.stringify({
        inputs: inputs.map(({ name, type, shape, values }, i) => ({
          name,
          shape,
          datatype: type,
          ...(this.binary === true
            ? { parameters: { binary_data_size: parts[i].length } }
            : { data: toData(type, values) }),
        })),
        outputs: [{ name: output, ...(this.binary === true ? { parameters: { binary_data: true } } : {}) }],
      }),
    );
    if (this.binary !== true) return { headers: { 'content-type': 'application/json' }, body: json };
    return {
      headers: {
        'content-type': 'application/octet-stream',
        'inference-header-content-length': String(json.length),
      },
      body: Buffer.concat([json, ...parts]),
    };
  }

  private async knowsBinary(signal: AbortSignal | undefined): Promise<boolean> {
    const url = this.url('v2');
    const { extensions } = shaped(serverShape, await this.ask(url, undefined, signal), url, metadataLimits);
    return extensions?.includes('binary_tensor_data') ?? false;
  }

  private url(path: string): string {
    return `${this.endpoint.origin}${withoutEnd(this.endpoint.pathname, /\//)}/${path}`;
  }

  private async ask(
    url: string,
    sent: { headers: Record<string, string>; body: Buffer } | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const { attempts = 4, firstWaitMs = 250 } = this.options;
    for (let attempt = 1; ; attempt++) {
      throwIfCancelled(signal);
      try {
        const answer = await this.once(url, sent, signal);
        this.answered = true;
        return answer;
      } catch (error) {
        throwIfCancelled(signal);
        if (error instanceof CaptiousError) throw error;
        if (!(error instanceof Passing) || attempt >= attempts)
          throw new CaptiousError(
            this.answered ? 'interrupted' : 'evaluator',
            say('remote.serverProblem', wordsOf(error)),
            {
              at: url,
              remedy: this.answered ? say('native.runToResume') : say('remote.checkServer'),
              cause: error,
            },
          );
        await sleep(firstWaitMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async once(
    url: string,
    sent: { headers: Record<string, string>; body: Buffer } | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const { deadlineMs = 60_000 } = this.options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), deadlineMs);
    const either = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    try {
      const response = await fetch(url, {
        method: sent === undefined ? 'GET' : 'POST',
        // A redirect would send data to an address that the user did not name.
        redirect: 'manual',
        signal: either,
        ...(sent === undefined ? {} : { headers: sent.headers, body: sent.body as Uint8Array<ArrayBuffer> }),
      });
      const { bytes } = sent === undefined ? metadataLimits : answerLimits;
      const body = await bodyOf(response, bytes, () => foreign(url, say('remote.responseTooLong', bytes)));
      if (response.status === 200) return { headers: response.headers, body };
      throw refusal(response, body, url);
    } catch (error) {
      if (error instanceof CaptiousError || error instanceof Reason) throw error;
      if (late.signal.aborted)
        throw new Reason(say('remote.serverTimeout', deadlineMs / 1000), { cause: error });
      throw new Passing(say('remote.serverUnreachable', reasonOf(error)), { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}
