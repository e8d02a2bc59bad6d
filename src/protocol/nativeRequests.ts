import {
  bytes,
  choice,
  count,
  flag,
  holding,
  instance,
  list,
  nullable,
  object,
  optional,
  type Shape,
  ShapeError,
  text,
} from '../base/shape';
import type { Outcome } from '../base/outcome';
import type { ImageItem } from './item';
import type { Encoded, GraphRef, JobName, Jobs, Port, TextJob, TokenRow, TokenRules } from './native';

/* Requests to the process that runs models. Answers are checked on arrival. */

const encoded: Shape<Encoded> = object({
  dimension: count,
  values: instance(Float32Array),
  problems: list(optional(text)),
});

function outcomes<T>(value: Shape<T>): Shape<Outcome<T>[]> {
  const good = object({ ok: flag });
  const whole = (one: unknown, at: string): Outcome<T> =>
    good(one, at).ok
      ? { ok: true, value: value((one as { value?: unknown }).value, `${at}.value`) }
      : { ok: false, problem: object({ problem: text })(one, at).problem };
  return list(whole);
}

/** NaN and infinity are accepted, because the caller checks a graph's output. */
const double: Shape<number> = (value, at) => {
  if (typeof value !== 'number') throw new ShapeError(at, 'a number');
  return value;
};

function job<K extends JobName>(
  fields: { [F in keyof Jobs[K]['ask']]-?: Shape<unknown> },
  answer: Shape<Jobs[K]['answer']>,
): { ask: Shape<Jobs[K]['ask']>; answer: Shape<Jobs[K]['answer']> } {
  return { ask: holding<Jobs[K]['ask']>(fields), answer };
}

const plain = holding<object>({});
const graph = holding<GraphRef>({
  path: text,
  threads: count,
  provider: text,
  profile: optional(text),
});
const port = holding<Port>({ name: text, type: choice('int64', 'int32', 'float32', 'bool') });
const inputs = holding<TextJob['inputs']>({
  ids: port,
  mask: optional(port),
  types: optional(port),
  positions: optional(port),
});
const source = holding<{ name: string }>({ name: text });
const images = list(holding<ImageItem>({ kind: choice('image'), source, transforms: list(plain) }));
const constants = list(plain);
const rules = holding<TokenRules>({
  max: count,
  fixed: optional(count),
  attendPadding: flag,
  padLeft: optional(flag),
  prompt: text,
});
const tokenRow = holding<TokenRow>({ ids: instance(Int32Array), real: count, cut: flag });
const ranked = { queries: count, gallery: count, top: count };
const orders = { families: instance(Int32Array), pairs: instance(Int32Array), sizes: instance(Int32Array) };
const stability = object({
  rho: instance(Float64Array),
  listwise: instance(Float64Array),
  shared: instance(Int32Array),
  edgeTies: instance(Uint8Array),
  tied: instance(Int32Array),
  topItems: instance(Int32Array),
});

const none: Shape<null> = (value, at) => {
  if (value !== null) throw new ShapeError(at, 'null');
  return value;
};

export const nativeRequests = {
  open: job<'open'>({ graph }, none),
  tokens: job<'tokens'>(
    { folder: text, rules, texts: list(text) },
    object({
      ids: instance(Int32Array),
      lengths: instance(Int32Array),
      real: instance(Int32Array),
      cut: instance(Uint8Array),
      promptTokens: count,
    }),
  ),
  texts: job<'texts'>(
    {
      ...{ graph, rows: count, length: count, ids: instance(Int32Array) },
      mask: optional(instance(Uint8Array)),
      ...{ inputs, constants, output: plain, fixedRows: optional(count) },
    },
    encoded,
  ),
  images: job<'images'>(
    {
      ...{ graph, images, spec: plain, input: text, inputType: optional(choice('float16')) },
      ...{ patchInputs: optional(plain), constants, output: plain },
      ...{ fixedRows: optional(count), perRun: count },
    },
    encoded,
  ),
  pixels: job<'pixels'>({ images, spec: plain }, encoded),
  seams: job<'seams'>(
    { images },
    outcomes(
      object({
        background: nullable(double),
        seam: nullable(double),
        surroundings: optional(nullable(double)),
        shade: optional(nullable(double)),
      }),
    ),
  ),
  pairs: job<'pairs'>(
    {
      ...{ graph, images, pictures: list(count), texts: list(tokenRow), inputs },
      maskCovers: choice('text', 'all'),
      ...{ pixels: optional(plain), regions: optional(plain), output: plain },
      ...{ fixedRows: optional(count), perRun: count },
    },
    outcomes(double),
  ),
  decoded: job<'decoded'>({ images }, outcomes(object({ width: count, height: count, data: bytes }))),
  sendable: job<'sendable'>({ images, side: count, format: choice('png', 'jpeg') }, outcomes(bytes)),
  thumbnail: job<'thumbnail'>({ source, side: count, transforms: optional(list(plain)) }, bytes),
  galleryPart: job<'galleryPart'>(
    {
      ...{ gallery: count, count, dimension: count, from: count },
      ...{ data: instance(Float32Array), last: flag },
    },
    none,
  ),
  galleryDrop: job<'galleryDrop'>({ gallery: count }, none),
  galleryCount: job<'galleryCount'>(
    { ...ranked, thresholds: instance(Float64Array), offsets: instance(Int32Array) },
    object({
      greater: instance(Int32Array),
      equal: instance(Int32Array),
      topItems: instance(Int32Array),
      topScores: instance(Float64Array),
    }),
  ),
  galleryStability: job<'galleryStability'>({ ...ranked, ...orders }, stability),
  scoreStability: job<'scoreStability'>(
    { ...orders, count, top: count, scores: instance(Float64Array) },
    stability,
  ),
};
