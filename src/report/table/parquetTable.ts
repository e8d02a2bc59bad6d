import type { DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnKind, groupsOf, notesOf, type Table } from './table';

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;

const elements: Record<ColumnKind, (name: string) => SchemaElement[]> = {
  number: (name) => [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }],
  boolean: (name) => [{ name, type: 'BOOLEAN', repetition_type: 'OPTIONAL' }],
  string: (name) => [{ name, ...text }],
  texts: (name) => [
    { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', ...text },
  ],
  image: (name) => [
    { name, repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    { name: 'path', ...text },
  ],
};

/** A table as Parquet, with one row group at a time in memory. */
export async function* parquetTable(table: Table): AsyncGenerator<Uint8Array> {
  const { columns, createdBy } = table;
  const schema: SchemaElement[] = [{ name: 'root', num_children: columns.size }];
  for (const [name, kind] of columns) for (const element of elements[kind](name)) schema.push(element);
  const bytes = new ByteWriter();
  const kvMetadata = notesOf(table).map(([key, value]) => ({ key, value }));
  const writer = new ParquetWriter({ writer: bytes, schema, kvMetadata, createdBy });
  for await (const group of groupsOf(table)) {
    const columnData = [...columns.keys()].map((name, i) => ({
      name,
      data: group.map((row) => row[i]) as DecodedArray,
    }));
    await writer.write({ columnData, rowGroupSize: group.length });
    yield taken(bytes);
  }
  await writer.finish();
  yield taken(bytes);
}

/** Returns the written bytes and empties the buffer. Offsets still count from the start of the file. */
function taken(bytes: ByteWriter): Uint8Array {
  const out = bytes.getBytes().slice();
  bytes.index = 0;
  return out;
}
