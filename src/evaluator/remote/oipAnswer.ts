import { CaptiousError, messageOf } from '../../base/errors';
import { type JsonLimits, parseJson } from '../../base/files/readJson';
import { type Shape, ShapeError } from '../../base/shape';
import { foreign } from './oipTensor';

/** What a server of the Open Inference Protocol answers, read within bounds. */

export interface Answer {
  headers: Headers;
  body: Buffer;
}

/** More than any batch of embeddings is, and than what a server tells of itself. */
export const answerLimits = { bytes: 256 << 20, depth: 16, parts: 1 << 20 };
export const metadataLimits = { bytes: 1 << 20, depth: 16, parts: 1 << 14 };

/** A failure that may pass. */
export class Passing extends Error {}

export function refusal(response: Response, body: Buffer, url: string): Error {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const to = response.headers.get('location');
    return new CaptiousError(
      'evaluator',
      `The server sends requests on to ${to ?? 'nowhere'}, which is not followed.`,
      {
        at: url,
        remedy: 'Name the address that it should go to as the endpoint, if that is right.',
      },
    );
  }
  const said = complaint(body);
  const words = said === undefined ? '' : `: ${said}`;
  if (status === 429 || status >= 500) return new Passing(`answered ${status}${words}`);
  return new CaptiousError('evaluator', `The server answered ${status}${words}.`, {
    at: url,
    remedy:
      status === 404
        ? 'Check the name and the version of the model.'
        : 'Check that the local folder belongs to the model on the server; "batch" sets how many rows are sent at a time.',
  });
}

const longestComplaint = 300;

/** What the server says is wrong, on one line: { "error": "…" }, as FastAPI says it, or plain text. */
function complaint(body: Buffer): string | undefined {
  const line = saidIn(body)
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(
      /\b(bearer|authorization|api[-_]?key|token|password|secret)\b["']?\s*[ :=]\s*["']?[\w.~+/=-]{6,}/gi,
      '$1 [withheld]',
    )
    .trim()
    .replace(/\.$/, '');
  if (line === '') return undefined;
  return line.length > longestComplaint ? `${line.slice(0, longestComplaint)}…` : line;
}

function saidIn(body: Buffer): string {
  try {
    const value = parseJson(body, metadataLimits) as Record<string, unknown> | null;
    const said = value?.error ?? value?.detail ?? value?.message;
    const inner = (said as { message?: unknown } | undefined)?.message ?? said;
    if (inner !== undefined) return typeof inner === 'string' ? inner : JSON.stringify(inner);
  } catch {
    // No JSON: shown as it is.
  }
  return body.toString('utf8', 0, 40_000);
}

export function split({ headers, body }: Answer, url: string): { json: Buffer; rest: Buffer } {
  const said = headers.get('inference-header-content-length');
  if (said === null) return { json: body, rest: Buffer.alloc(0) };
  const length = Number(said);
  if (!Number.isSafeInteger(length) || length < 0 || length > body.length)
    throw foreign(url, `its header is said to take ${said} of ${body.length} bytes`);
  return { json: body.subarray(0, length), rest: body.subarray(length) };
}

export function shaped<T>(shape: Shape<T>, source: Answer | Buffer, url: string, limits: JsonLimits): T {
  const bytes = Buffer.isBuffer(source) ? source : source.body;
  let value: unknown;
  try {
    value = parseJson(bytes, limits);
  } catch (error) {
    throw foreign(
      url,
      error instanceof CaptiousError ? messageOf(error).replace(/\.$/, '') : 'it is no JSON',
    );
  }
  try {
    return shape(value, '');
  } catch (error) {
    if (error instanceof ShapeError) throw foreign(url, error.message.replace(/\.$/, ''));
    throw error;
  }
}
