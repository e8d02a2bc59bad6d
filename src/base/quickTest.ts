import * as z from 'zod/mini';
import { valueIn } from './lists';

type Schema = z.ZodMiniType;
type Test = (value: unknown) => boolean;

/**
 * Compiles a schema into a test that copies nothing, because reports have hundreds of thousands of rows. Of objects,
 * rules in code (`z.refine`) are left out. What it does not know, zod tests.
 */
export function quickTest<S extends Schema>(schema: S): (value: unknown) => value is z.output<S> {
  let test: Test | undefined;
  return (value): value is z.output<S> => (test ??= testOf(schema))(value);
}

/** The limits of the numbers that `between` made. Other checks are left to zod, which takes ten times as long. */
const limits = new WeakMap<object, readonly [low: number, high: number]>();

export function between<S extends z.ZodMiniNumber>(
  number: S,
  low: number,
  high = Infinity,
  expected?: string,
): S {
  const limited = number.check(z.minimum(low, expected), ...(high < Infinity ? [z.maximum(high)] : []));
  limits.set(limited, [low, high]);
  return limited;
}

const known = new WeakMap<object, Test>();

/** Zod declares the parts of a schema as schemas of its core, although all are of the kind that made them. */
function testOf(schema: object): Test {
  const test = valueIn(known, schema, () => made(schema as Schema));
  return test;
}

function made(schema: Schema): Test {
  const byZod: Test = (value) => z.safeParse(schema, value).success;
  const { def } = schema as Schema & { def: z.core.$ZodTypes['_zod']['def'] };
  if (def.type === 'object') return objectTest(def.shape);
  const [low, high] = limits.get(schema) ?? [-Infinity, Infinity];
  if ((def.checks ?? []).length > 0 && !limits.has(schema)) return byZod;
  switch (def.type) {
    case 'null':
      return (value) => value === null;
    case 'string':
      return 'format' in def ? byZod : (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
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
    case 'union': {
      const options = def.options.map(testOf);
      return (value) => options.some((option) => option(value));
    }
    case 'intersection': {
      const [left, right] = [testOf(def.left), testOf(def.right)];
      return (value) => left(value) && right(value);
    }
    case 'array': {
      const item = testOf(def.element);
      return (value) => Array.isArray(value) && value.every((one) => item(one));
    }
    case 'tuple': {
      const items = def.items.map(testOf);
      return (value) =>
        Array.isArray(value) && value.length === items.length && value.every((item, i) => items[i](item));
    }
    case 'record': {
      const item = testOf(def.valueType);
      return (value) => isRecord(value) && Object.values(value).every(item);
    }
    default:
      return byZod;
  }
}

/** Fields are compiled when they are first needed, because an object may contain itself. */
function objectTest(shape: Readonly<Record<string, object>>): Test {
  let fields: (readonly [key: string, test: Test])[] | undefined;
  return (value) => {
    if (!isRecord(value)) return false;
    fields ??= Object.keys(shape).map((key) => [key, testOf(shape[key])]);
    for (const [key, test] of fields) if (!test(value[key])) return false;
    return true;
  };
}

/** Whether a value is an object with fields, so neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
