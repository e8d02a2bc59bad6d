import { CaptiousError, evaluatorError, messageOf, Reason } from '../../base/errors';
import { type JsonLimits, parseJson } from '../../base/files/readJson';
import { type Shape, ShapeError } from '../../base/shape';
import { say } from '../../base/say';
import { foreign } from './oipTensor';

/* Reads responses of Open Inference Protocol servers, and limits their size. */

export interface Answer {
  headers: Headers;
  body: Buffer;
}

/** The limits of a response with embeddings and of a response with metadata. Valid responses are far smaller. */
export const answerLimits = { bytes: 256 << 20, depth: 16, parts: 1 << 20 };
export const metadataLimits = { bytes: 1 << 20, depth: 16, parts: 1 << 14 };

/** A temporary failure that a retry may solve. */
export class Passing extends Reason {}

export function refusal(response: Response, body: Buffer, url: string): Error {
  const { status } = response;
  if (status >= 300 && status < 400) {
    const to = response.headers.get('location');
    if (to === null)
      return evaluatorError(say('fetch.redirectWithoutAddress'), say('remote.checkServer'), url);
    return evaluatorError(say('remote.serverRedirects', to), say('remote.useFinalEndpoint'), url);
  }
  const said = complaint(body);
  const words = said === undefined ? '' : `: ${said}`;
  if (status === 429 || status >= 500) return new Passing(say('remote.answeredStatus', status, words));
  return new CaptiousError('evaluator', say('remote.serverRejected', status, words), {
    at: url,
    remedy: status === 404 ? say('remote.checkModelVersion') : say('remote.checkFolderLowerBatch'),
  });
}

const longestComplaint = 300;

/** The server's error message on one line. The body may be { "error": "…" }, FastAPI's form, or plain text. */
function complaint(body: Buffer): string | undefined {
  const line = saidIn(body)
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(
      /\b(bearer|authorization|api[-_]?key|token|password|secret)\b["']? ?[ :=] ?["']?[\w.~+/=-]{6,}/gi,
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
    // A body that is not JSON is itself the message.
  }
  return body.toString('utf8', 0, 40_000);
}

export function split({ headers, body }: Answer, url: string): { json: Buffer; rest: Buffer } {
  const said = headers.get('inference-header-content-length');
  if (said === null) return { json: body, rest: Buffer.alloc(0) };
  const length = Number(said);
  if (!Number.isSafeInteger(length) || length < 0 || length > body.length)
    throw foreign(url, say('remote.responseHeaderTooLong', said, body.length));
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
      error instanceof CaptiousError ? messageOf(error).replace(/\.$/, '') : say('remote.responseNotJson'),
    );
  }
  try {
    return shape(value, '');
  } catch (error) {
    if (error instanceof ShapeError) throw foreign(url, error.message.replace(/\.$/, ''));
    throw error;
  }
}
