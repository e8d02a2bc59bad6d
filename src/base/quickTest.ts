import type * as z from 'zod/mini';

type Schema = z.core.$ZodType;
type Test = (value: unknown) => boolean;

/**
 * Compiles a schema into a test that copies nothing, because reports have hundreds of thousands of rows. Rules in
 * code (`z.refine`) are left out. The test throws for schemas and checks that it does not know.
 */
export function quickTest<S extends z.ZodMiniType>(schema: S): (value: unknown) => value is z.output<S> {
  let test: Test | undefined;
  return (value): value is z.output<S> => (test ??= testOf(schema))(value);
}

const known = new WeakMap<Schema, Test>();

function testOf(schema: Schema): Test {
  let test = known.get(schema);
  if (test === undefined) known.set(schema, (test = made(schema)));
  return test;
}

function made(schema: Schema): Test {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [low, high] = limitsOf(schema);
  switch (def.type) {
    case 'null':
      return (value) => value === null;
    case 'string':
    case 'boolean':
      if ('format' in def) throw unknown(`the format ${String(def.format)}`);
      return (value) => typeof value === def.type;
    case 'number': {
      const isNumber: Test = 'format' in def ? Number.isSafeInteger : Number.isFinite;
      return (value) => isNumber(value) && (value as number) >= low && (value as number) <= high;
    }
    case 'literal':
      return (value) => def.values.includes(value as string);
    case 'enum':
      return (value) => Object.values(def.entries).includes(value as string);
    case 'optional':
    case 'nullable': {
      const [none, inner] = [def.type === 'optional' ? undefined : null, testOf(def.innerType)];
      return (value) => value === none || inner(value);
    }
    case 'readonly':
      return testOf(def.innerType);
    case 'lazy':
      return (value) => testOf(def.getter())(value);
    case 'union':
      return oneOf(def.options.map(testOf));
    case 'intersection': {
      const [left, right] = [testOf(def.left), testOf(def.right)];
      return (value) => left(value) && right(value);
    }
    case 'array': {
      const item = testOf(def.element);
      return (value) =>
        Array.isArray(value) &&
        value.length >= low &&
        value.length <= high &&
        value.every((one) => item(one));
    }
    case 'tuple': {
      const items = def.items.map(testOf);
      return (value) =>
        Array.isArray(value) && value.length === items.length && value.every((item, i) => items[i](item));
    }
    case 'object':
      return objectTest(def.shape);
    case 'record': {
      const item = testOf(def.valueType);
      return (value) => isObject(value) && Object.values(value).every(item);
    }
    default:
      throw unknown(def.type);
  }
}

/** The limits of a number, or of the length of a list. */
function limitsOf(schema: Schema): [low: number, high: number] {
  let [low, high] = [-Infinity, Infinity];
  for (const { _zod } of schema._zod.def.checks ?? []) {
    const def = (_zod as z.core.$ZodChecks['_zod']).def;
    switch (def.check) {
      case 'greater_than':
      case 'less_than':
        if (!def.inclusive) throw unknown(`${def.check} without the limit`);
        if (def.check === 'less_than') high = Math.min(high, Number(def.value));
        else low = Math.max(low, Number(def.value));
        break;
      case 'min_length':
        low = Math.max(low, def.minimum);
        break;
      case 'max_length':
        high = Math.min(high, def.maximum);
        break;
      default:
        if ((def.check as string) !== 'custom') throw unknown(def.check);
    }
  }
  if (schema._zod.def.type === 'string' && (low > -Infinity || high < Infinity))
    throw unknown('the length of a text');
  return [low, high];
}

function oneOf(tests: readonly Test[]): Test {
  return (value) => tests.some((test) => test(value));
}

/** Fields are compiled when they are first needed, because an object may contain itself. */
function objectTest(shape: Readonly<Record<string, Schema>>): Test {
  let fields: (readonly [key: string, test: Test])[] | undefined;
  return (value) => {
    if (!isObject(value)) return false;
    fields ??= Object.keys(shape).map((key) => [key, testOf(shape[key])]);
    for (const [key, test] of fields) if (!test(value[key])) return false;
    return true;
  };
}

function unknown(what: string): Error {
  return new Error(`The quick test of rows does not know ${what}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
