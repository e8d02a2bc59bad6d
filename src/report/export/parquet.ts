import type { DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Row } from '../../probe/metric';
import type { Report } from '../report';
import { type Cell, type CellType, columnsOf, flatten } from './flat';
import { withoutFolders } from './withoutFolders';

const rowsPerGroup = 10_000;

const elements: Record<CellType, Omit<SchemaElement, 'name'>> = {
  number: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  boolean: { type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
};

/** Rows as Parquet, with one row group at a time in memory. The metadata contains the report. */
export async function* parquet(report: Report, rows: () => AsyncIterable<Row>): AsyncGenerator<Uint8Array> {
  const columns = await columnsOf(rows());
  const schema: SchemaElement[] = [{ name: 'root', num_children: columns.size }];
  for (const [name, type] of columns) schema.push({ name, ...elements[type] });
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
    kvMetadata: [{ key: 'captious.report', value: JSON.stringify(withoutFolders(report)) }],
    createdBy: `captious ${report.versions.captious}`,
  });
  const group = new Map<string, (Cell | null)[]>([...columns.keys()].map((name) => [name, []]));
  let size = 0;
  const writeGroup = async (): Promise<Uint8Array> => {
    const columnData = [...group].map(([name, data]) => ({ name, data: data as DecodedArray }));
    await writer.write({ columnData, rowGroupSize: rowsPerGroup });
    for (const data of group.values()) data.length = 0;
    size = 0;
    return taken(bytes);
  };
  for await (const row of rows()) {
    const flat = flatten(row);
    for (const [name, data] of group) {
      const cell = flat.get(name) ?? null;
      data.push(columns.get(name) === 'string' && cell !== null ? String(cell) : cell);
    }
    if (++size === rowsPerGroup) yield await writeGroup();
  }
  if (size > 0) yield await writeGroup();
  await writer.finish();
  yield taken(bytes);
}

/** Returns the written bytes and empties the buffer. Offsets still count from the start of the file. */
function taken(bytes: ByteWriter): Uint8Array {
  const out = bytes.getBytes().slice();
  bytes.index = 0;
  return out;
}
