/* Writes the tables that make.py reads with pyarrow, polars, datasets and webdataset: npx tsx test/oracle/export/write.ts */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAll } from '../../unit/report/table/written';

rmSync(join(__dirname, 'results'), { recursive: true, force: true });
void writeAll(__dirname);
