import type * as z from 'zod/mini';
import { jsonSchemaOf } from './schema';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Test = (value: unknown) => boolean;

const known = (
  'type const enum anyOf oneOf minimum maximum items additionalItems minItems maxItems properties required ' +
  'additionalProperties propertyNames description readOnly $ref definitions allOf'
).split(' ');

/**
 * Compiles a schema into a test that copies nothing, because reports have hundreds of thousands of rows. It reads
 * zod's JSON Schema, which leaves out rules in code (`z.refine`). The test throws for unknown keywords.
 */
export function quickTest<S extends z.ZodMiniType>(schema: S): (value: unknown) => value is z.output<S> {
  let test: Test | undefined;
  return (value): value is z.output<S> => (test ??= wholeTest(jsonSchemaOf(schema)))(value);
}

function wholeTest(schema: JsonSchema): Test {
  const tests = new Map<string, Test>();
  // A definition may contain itself, so its test is made when it is first needed.
  const named = (ref: string): Test => {
    const { definitions } = schema as { definitions?: Readonly<Record<string, JsonSchema>> };
    const definition = definitions![ref.replace('#/definitions/', '')];
    return (value) => {
      let test = tests.get(ref);
      if (test === undefined) tests.set(ref, (test = testOf(definition, named)));
      return test(value);
    };
  };
  return testOf(schema, named);
}

type Named = (ref: string) => Test;

function testOf(schema: JsonSchema, named: Named): Test {
  const unknown = Object.keys(schema).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`The quick test of rows does not know ${unknown}.`);
  if (schema.$ref !== undefined) return named(schema.$ref);
  if (schema.allOf !== undefined) {
    const tests = schema.allOf.map((one) => testOf(one, named));
    return (value) => tests.every((test) => test(value));
  }
  const { type, const: only, enum: values, minimum = -Infinity, maximum = Infinity } = schema;
  if (Array.isArray(type))
    return anyOf(
      type.map((one) => ({ ...schema, type: one })),
      named,
    );
  if (values !== undefined) return (value) => values.includes(value as string);
  if (only !== undefined) return (value) => value === only;
  switch (type) {
    case undefined:
      return anyOf(schema.anyOf ?? schema.oneOf ?? [], named);
    case 'null':
      return (value) => value === null;
    case 'number':
    case 'integer': {
      const isNumber: Test = type === 'number' ? Number.isFinite : Number.isSafeInteger;
      return (value) => isNumber(value) && (value as number) >= minimum && (value as number) <= maximum;
    }
    case 'array':
      return arrayTest(schema, named);
    case 'object':
      return schema.additionalProperties === undefined
        ? objectTest(schema, named)
        : recordTest(schema, named);
    default:
      return (value) => typeof value === type;
  }
}

function anyOf(schemas: readonly JsonSchema[], named: Named): Test {
  const tests = schemas.map((schema) => testOf(schema, named));
  return (value) => tests.some((test) => test(value));
}

/** A list or a tuple. zod gives the length of a tuple as both limits. */
function arrayTest({ items, minItems = 0, maxItems = Infinity }: JsonSchema, named: Named): Test {
  const tests = [items].flat().map((item) => testOf(item as JsonSchema, named));
  const test = Array.isArray(items) ? (item: unknown, i: number) => tests[i](item) : tests[0];
  return (value) =>
    Array.isArray(value) && value.length >= minItems && value.length <= maxItems && value.every(test);
}

function objectTest({ properties = {}, required = [] }: JsonSchema, named: Named): Test {
  const keys = Object.keys(properties);
  const tests = keys.map((key) => testOf(properties[key] as JsonSchema, named));
  const isNeeded = keys.map((key) => required.includes(key));
  return (value) => {
    if (!isObject(value)) return false;
    for (let i = 0; i < keys.length; i++) {
      const item = value[keys[i]];
      if (item === undefined ? isNeeded[i] : !tests[i](item)) return false;
    }
    return true;
  };
}

function recordTest({ additionalProperties }: JsonSchema, named: Named): Test {
  const test = testOf(additionalProperties as JsonSchema, named);
  return (value) => isObject(value) && Object.values(value).every(test);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
