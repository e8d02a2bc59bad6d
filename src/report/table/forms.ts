import { arrowTable } from './arrowTable';
import { parquetTable } from './parquetTable';
import type { Table } from './table';
import { tarTable } from './tarTable';

export type TableForm = 'parquet' | 'arrow' | 'webdataset';

export const tableWriters: Readonly<Record<TableForm, (table: Table) => AsyncIterable<Uint8Array>>> = {
  parquet: parquetTable,
  arrow: arrowTable,
  webdataset: tarTable,
};

export const tableForms = Object.keys(tableWriters) as TableForm[];

export function isTableForm(form: string): form is TableForm {
  return Object.hasOwn(tableWriters, form);
}

export function endingOf(form: TableForm): string {
  return form === 'webdataset' ? 'tar' : form;
}
