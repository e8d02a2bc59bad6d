import * as z from 'zod/mini';

type Test = (value: unknown) => boolean;

/**
 * Compiles a schema into a test that copies nothing, because reports have hundreds of thousands of rows. For parts
 * of a schema that this file does not support, the test calls zod.
 */
export function quickTest<S extends z.ZodMiniType>(schema: S): (value: unknown) => value is z.output<S> {
  const test = testOf(schema);
  return (value): value is z.output<S> => test(value);
}

function testOf(schema: z.core.$ZodType): Test {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const test = plainTest(def);
  const limits = (def.checks ?? []).map((check) => limitOf(check._zod.def));
  if (test === undefined || limits.includes(undefined)) return (value) => z.safeParse(schema, value).success;
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? test : (value) => test(value) && known.every((limit) => limit(value));
}

/** The test for one check of a schema. Undefined for checks that this file does not support. */
function limitOf(def: z.core.$ZodCheckDef): Test | undefined {
  switch (def.check) {
    case 'greater_than': {
      const { value: low, inclusive } = def as z.core.$ZodCheckGreaterThanDef;
      return (value) => Number(value) > Number(low) || (inclusive && value === low);
    }
    case 'less_than': {
      const { value: high, inclusive } = def as z.core.$ZodCheckLessThanDef;
      return (value) => Number(value) < Number(high) || (inclusive && value === high);
    }
    case 'custom': {
      const { fn } = def as z.core.$ZodCustomDef;
      return (value) => Boolean(fn(value));
    }
    case 'describe':
      return () => true;
    default:
      return undefined;
  }
}

function plainTest(def: z.core.$ZodTypes['_zod']['def']): Test | undefined {
  switch (def.type) {
    case 'string':
      return 'format' in def ? undefined : (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    case 'number':
      if (!('format' in def)) return Number.isFinite;
      return def.format === 'safeint' ? Number.isSafeInteger : undefined;
    case 'literal':
      return oneOf(def.values);
    case 'enum':
      return oneOf(Object.values(def.entries));
    case 'optional': {
      const inner = testOf(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'readonly':
      return testOf(def.innerType);
    case 'nullable': {
      const inner = testOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'array': {
      const element = testOf(def.element);
      return (value) => Array.isArray(value) && value.every(element);
    }
    case 'tuple': {
      if (def.rest !== null) return undefined;
      const items = def.items.map(testOf);
      return (value) =>
        Array.isArray(value) && value.length === items.length && items.every((item, i) => item(value[i]));
    }
    case 'object':
      return def.catchall === undefined ? objectTest(def.shape) : undefined;
    case 'record': {
      if ((def.keyType as z.core.$ZodTypes)._zod.def.type !== 'string') return undefined;
      const item = testOf(def.valueType);
      return (value) => isObject(value) && Object.values(value).every(item);
    }
    case 'union': {
      const options = def.options.map(testOf);
      return (value) => options.some((option) => option(value));
    }
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): Test {
  return (value) => values.includes(value);
}

function objectTest(shape: z.core.$ZodShape): Test {
  const keys = Object.keys(shape);
  const tests = keys.map((key) => testOf(shape[key]));
  return (value) => {
    if (!isObject(value)) return false;
    for (let i = 0; i < keys.length; i++) if (!tests[i](value[keys[i]])) return false;
    return true;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
