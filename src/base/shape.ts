import { english } from './english';
import { type Said, say, type Words } from './say';

/** Returns an external value with its type, or throws a `ShapeError` that names the place. */
export type Shape<T> = (value: unknown, at: string) => T;

export type Shaped<S> = S extends Shape<infer T> ? T : never;

export class ShapeError extends Error {
  readonly what: Words;

  constructor(
    readonly at: string,
    readonly expected: Words,
  ) {
    const what = at === '' ? say('base.shapeValueWrong', expected) : say('base.shapeWrong', at, expected);
    super(english(what));
    this.what = what;
    this.name = 'ShapeError';
  }
}

export const text: Shape<string> = (value, at) => {
  if (typeof value !== 'string') throw new ShapeError(at, say('base.shapeText'));
  return value;
};

/** A plain text or a translatable text. */
export const words: Shape<Words> = (value, at) => {
  if (typeof value === 'string') return value;
  return said(value, at);
};

const said: Shape<Said> = (value, at) => object({ code: text, values: list(words) })(value, at);

/** A finite number, because JSON has no others. */
export const number: Shape<number> = (value, at) => {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new ShapeError(at, say('probe.numberExpected'));
  return value;
};

/** A non-negative integer, such as an index. */
export const count: Shape<number> = (value, at) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new ShapeError(at, say('base.shapeCount'));
  return value as number;
};

export const integer: Shape<number> = (value, at) => {
  if (!Number.isSafeInteger(value)) throw new ShapeError(at, say('base.shapeInteger'));
  return value as number;
};

export const countOrText: Shape<number | string> = (value, at) =>
  typeof value === 'string' ? value : count(value, at);

export const flag: Shape<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new ShapeError(at, say('probe.booleanExpected'));
  return value;
};

/** A JSON value that is no array and no object, such as a default or the value of a slice. */
export const scalar: Shape<string | number | boolean | null> = (value, at) => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(at, say('base.shapeScalar'));
  return value;
};

export const bytes: Shape<Uint8Array> = (value, at) => {
  if (!(value instanceof Uint8Array)) throw new ShapeError(at, say('base.shapeBytes'));
  return value;
};

/** An instance of a class, such as a typed array. The content is not checked. */
export function instance<T>(of: abstract new (...args: never[]) => T): Shape<T> {
  return (value, at) => {
    if (!(value instanceof of)) throw new ShapeError(at, say('base.shapeInstance', of.name));
    return value;
  };
}

/** Accepts any value. It is for values that another check covers, or that Captious wrote. */
export function anything<T = unknown>(): Shape<T> {
  return (value) => value as T;
}

export const nothing: Shape<null> = (value, at) => {
  if (value !== null) throw new ShapeError(at, 'null');
  return value;
};

export function choice<const T extends string>(...values: readonly T[]): Shape<T> {
  return (value, at) => {
    if (!values.includes(value as T))
      throw new ShapeError(at, say('probe.choiceExpected', values.join(', ')));
    return value as T;
  };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, at) => (value === null ? null : shape(value, at));
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === undefined ? undefined : shape(value, at));
}

/** An optional value that may also be null, because many servers write null for an absent value. */
export function optionalOrNull<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === undefined || value === null ? undefined : shape(value, at));
}

export function list<T>(shape: Shape<T>): Shape<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new ShapeError(at, say('base.shapeList'));
    return value.map((item, i) => shape(item, `${at}[${i}]`));
  };
}

export function pair<A, B>(first: Shape<A>, second: Shape<B>): Shape<[A, B]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length !== 2) throw new ShapeError(at, say('base.shapePair'));
    return [first(value[0], `${at}[0]`), second(value[1], `${at}[1]`)];
  };
}

export function record<T>(shape: Shape<T>): Shape<Record<string, T>> {
  return (value, at) =>
    Object.fromEntries(
      Object.entries(asObject(value, at)).map(([key, item]) => [key, shape(item, `${at}.${key}`)]),
    );
}

type Optionals<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type Simplify<T> = { [K in keyof T]: T[K] };
/** Makes a key optional if its value may be undefined. */
type Loose<T> = Simplify<Omit<T, Optionals<T>> & { [K in Optionals<T>]?: Exclude<T[K], undefined> }>;

type Fields = Record<string, Shape<unknown>>;
type Value<F extends Fields> = Loose<{ [K in keyof F]: Shaped<F[K]> }>;

/** An object with these fields. Unknown keys are dropped. */
export function object<F extends Fields>(fields: F): Shape<Value<F>> {
  const shapes = Object.entries(fields);
  return (value, at) => {
    const given = asObject(value, at);
    const out: Record<string, unknown> = {};
    for (const [key, shape] of shapes) {
      const item = shape(
        Object.hasOwn(given, key) ? given[key] : undefined,
        at === '' ? key : `${at}.${key}`,
      );
      if (item !== undefined) out[key] = item;
    }
    return out as Value<F>;
  };
}

/** Checks fields of an object without copying, because the object may be large. */
export function holding<F extends Fields>(fields: F): Shape<Value<F>> {
  const shapes = Object.entries(fields);
  return (value, at) => {
    const given = asObject(value, at);
    for (const [key, shape] of shapes)
      shape(Object.hasOwn(given, key) ? given[key] : undefined, `${at}.${key}`);
    return value as Value<F>;
  };
}

/** Like `holding`, for a value whose other fields only Captious itself can have set. */
export function partly<T extends object>(fields: { [K in keyof T]?: Shape<unknown> } = {}): Shape<T> {
  return holding(fields as Fields) as Shape<object> as Shape<T>;
}

type Tagged<V extends Record<string, Fields>> = {
  [K in keyof V]: Simplify<{ type: K } & Value<V[K]>>;
}[keyof V];

/** A union discriminated by `type`. */
export function union<V extends Record<string, Fields>>(variants: V): Shape<Tagged<V>> {
  const shapes = new Map(Object.entries(variants).map(([type, fields]) => [type, object(fields)]));
  return (value, at) => {
    const { type } = asObject(value, at);
    const shape = typeof type === 'string' ? shapes.get(type) : undefined;
    if (shape === undefined) throw new ShapeError(at === '' ? 'type' : `${at}.type`, say('base.shapeKnown'));
    const out: Record<string, unknown> = { type, ...shape(value, at) };
    return out as Tagged<V>;
  };
}

function asObject(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShapeError(at, say('base.shapeObject'));
  return value as Record<string, unknown>;
}
