import * as z from 'zod/mini';
import { between } from './quickTest';
import { sentences } from './english';
import { type Code, inARow, say, type Words } from './say';
import { ShapeError } from './shape';

/*
 * Schemas of file contents. They check values and provide types; `npm run schemas` exports them as JSON
 * Schema.
 */

/** A non-negative integer, such as an index. */
export const wholeNumber = between(z.int(), 0, Infinity, 'base.shapeCount' satisfies Code);

/** A message, which becomes a sentence where it is shown, or a text that is never translated. */
export const wordsSchema: z.ZodMiniType<Words, Words> = z
  .union([
    z.string(),
    z
      .object({
        code: z.string(),
        get values() {
          return z.array(wordsSchema);
        },
      })
      .register(z.globalRegistry, { id: 'message' }),
  ])
  .register(z.globalRegistry, { id: 'words' });

/** A schema with a description, which editors show. */
export function described<S extends z.ZodMiniType>(schema: S, about: string): S {
  return schema.check(z.describe(about));
}

export function optionalKey<S extends z.ZodMiniType>(schema: S, about: string): z.ZodMiniOptional<S> {
  return z.optional(described(schema, about));
}

/** A value of an example's attribute. */
export const scalarValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Begins a message of zod, which is one string, before the values that are possible. */
const oneOf = 'one of ';

/** An object without unknown keys, because an unknown key may be a typing error. */
export function exactObject<F extends z.core.$ZodShape>(fields: F): z.ZodMiniObject<F, z.core.$strict> {
  const keys = `${oneOf}${Object.keys(fields).join(', ')}`;
  return z.strictObject(fields, { error: ({ code }) => (code === 'unrecognized_keys' ? keys : undefined) });
}

/** JSON Schema draft 7, which editors support best, without its `$schema` key. */
export function jsonSchemaOf(
  schema: z.ZodMiniType,
  more: Pick<NonNullable<Parameters<typeof z.toJSONSchema>[1]>, 'reused' | 'override'> = {},
): z.core.JSONSchema.BaseSchema {
  const written = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', ...more });
  delete written.$schema;
  return written;
}

/** Replaces zod's own messages, which depend on zod's language. `expectedBy` then chooses the message. */
const noWords = 'Invalid input';

/** The checked value without unknown keys. Throws a ShapeError at the first invalid place. */
export function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value, { error: () => noWords });
  if (result.success) return result.data;
  throw wrongPlace(result.error.issues[0]);
}

/** Describes the first invalid place of a value. Undefined if the value is valid. */
export function faultIn(schema: z.ZodMiniType, value: unknown): Words | undefined {
  const result = z.safeParse(schema, value, { error: () => noWords });
  return result.success ? undefined : wrongPlace(result.error.issues[0]).what;
}

function wrongPlace(issue: z.core.$ZodIssue): ShapeError {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path;
  const at = path.reduce<string>(
    (at, key) =>
      typeof key === 'number' ? `${at}[${key}]` : at === '' ? String(key) : `${at}.${String(key)}`,
    '',
  );
  return new ShapeError(at, expectedBy(issue));
}

/** Completes the message "kind is not known.", for a union whose discriminator has an unknown value. */
export const known: Code = 'base.shapeKnown';

const typeNames: Readonly<Record<string, Words>> = {
  string: say('base.shapeText'),
  number: say('probe.numberExpected'),
  int: say('base.shapeInteger'),
  boolean: say('probe.booleanExpected'),
  array: say('base.shapeList'),
  tuple: say('base.shapeListOfLength'),
};

export function expectedBy(issue: z.core.$ZodIssue): Words {
  const { message } = issue;
  if (message.startsWith(oneOf)) return say('probe.choiceExpected', message.slice(oneOf.length));
  if (message !== noWords)
    return Object.hasOwn(sentences(), message) ? { code: message, values: [] } : message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'null' ? 'null' : (typeNames[issue.expected] ?? say('base.shapeObject'));
    case 'invalid_value':
      return say('probe.choiceExpected', issue.values.map(String).join(', '));
    case 'too_small':
      if (issue.origin === 'array') return say('base.shapeListFrom', Number(issue.minimum));
      if (issue.origin === 'string') return say('base.shapeTextFilled');
      return issue.inclusive === true
        ? say('base.shapeNumberFrom', String(issue.minimum))
        : say('base.shapeNumberAbove', String(issue.minimum));
    case 'too_big':
      return issue.origin === 'array'
        ? say('base.shapeListTo', String(issue.maximum))
        : say('base.shapeNumberTo', String(issue.maximum));
    case 'invalid_union':
      return issue.errors.length === 0 ? say('base.shapeKnown') : unionOf(issue.errors);
    default:
      return message;
  }
}

function unionOf(errors: z.core.$ZodIssue[][]): Words {
  const all = errors.map((issues) =>
    issues[0].path.length === 0 ? expectedBy(issues[0]) : say('base.shapeFields'),
  );
  const different = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  const last = different.pop()!;
  return different.length === 0 ? last : say('base.shapeOr', inARow(different, ', '), last);
}
