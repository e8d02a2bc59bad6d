// Generates the schemas/*.json that derive from the code's checks: npm run schemas
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { jsonSchemaOf } from '../src/base/schema';
import { evaluatorFileSchemas } from '../src/evaluator/evaluatorFile';
import { attributeFileSchema } from '../src/probe/prsm/attributeFile';
import {
  checkpointsKind,
  checkpointsObject,
  evaluatorObject,
  experimentSchema,
} from '../src/experiment/shape';
import { reportViews } from '../src/probe/views';
import { reportFileSchema } from '../src/report/reportShape';

const checkpointsEntry: [string, typeof checkpointsObject] = [checkpointsKind, checkpointsObject];

const draft = { $schema: 'http://json-schema.org/draft-07/schema#' };

/** Each kind of evaluator file has its own schema, because an editor should offer only the kind's keys. */
function evaluatorSchema(schemas = evaluatorFileSchemas()): object {
  const kinds = schemas.map(([kind]) => kind);
  return {
    type: 'object',
    required: ['kind'],
    properties: {
      $schema: { type: 'string' },
      kind: { enum: kinds, description: 'The kind of evaluator, which decides how scores are computed.' },
      name: { type: 'string', description: 'The name of the evaluator in reports.' },
    },
    allOf: schemas.map(([kind, schema]) => ({
      if: { properties: { kind: { const: kind } }, required: ['kind'] },
      then: jsonSchemaOf(schema),
    })),
  };
}

/** Evaluators have the form of evaluator files, and a name. A pattern of checkpoints has none. */
function experimentJsonSchema(): object {
  const isPattern = { properties: { kind: { const: checkpointsKind } }, required: ['kind'] };
  const needed = { if: isPattern, else: { required: ['kind', 'name'] } };
  return jsonSchemaOf(experimentSchema, {
    reused: 'ref',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema !== evaluatorObject) return;
      delete jsonSchema.oneOf;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, evaluatorSchema([...evaluatorFileSchemas(), checkpointsEntry]), needed);
    },
  });
}

/** The schema of a row of any probe. A row does not name its probe; the report does. */
function rowSchema(): object {
  return {
    anyOf: reportViews().map(({ id }) => ({ $ref: `#/definitions/${id}` })),
    definitions: Object.fromEntries(reportViews().map(({ id, rows }) => [id, jsonSchemaOf(rows.row.schema)])),
  };
}

/** References start at the root of a file, so definitions of a part move there. */
function withSharedDefinitions(schema: object): object {
  const shared: Record<string, unknown> = {};
  const moved = JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('definitions' in value)) return value;
    const { definitions, ...rest } = value;
    Object.assign(shared, definitions);
    return rest;
  }) as object;
  return Object.keys(shared).length === 0 ? moved : { ...moved, definitions: shared };
}

/** The text of each schema, by file name. */
export async function generatedSchemas(): Promise<Record<string, string>> {
  const schemas = {
    'report.schema.json': { title: 'A report of Captious', ...jsonSchemaOf(reportFileSchema) },
    'row.schema.json': { title: "A line of a report's rows file", ...rowSchema() },
    'attributes.schema.json': {
      title: "Attributes and their synonyms, for PRSM's option attributeFile",
      ...jsonSchemaOf(attributeFileSchema),
    },
    'evaluator.schema.json': {
      title: 'An evaluator file of Captious',
      ...evaluatorSchema(),
    },
    'experiment.schema.json': {
      title: 'An experiment file of Captious',
      ...experimentJsonSchema(),
    },
  };
  const texts = Object.entries(schemas).map(async ([name, schema]) => [
    name,
    await format(JSON.stringify({ ...draft, ...withSharedDefinitions(schema) }, undefined, 2), {
      parser: 'json',
      printWidth: 110,
    }),
  ]);
  return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
}

async function main(): Promise<void> {
  for (const [name, text] of Object.entries(await generatedSchemas()))
    writeFileSync(join(__dirname, '../schemas', name), text);
}

if (require.main === module) void main();
