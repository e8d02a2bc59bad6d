/* What the user asks "captious explain" for. */
import { usageError } from '../../../base/errors';
import { type ExplainOptions, fills, largestGrid, smallestGrid } from '../../../explain/explain';
import type { Grid } from '../../../explain/regions';
import { unitKinds } from '../../../explain/units';
import { methods } from '../../../explain/words';
import { usualFill, type WhatToExplain } from '../../../audit/explain/explainFile';
import type { Wanted } from '../../../audit/explain/find';
import { oneOf, text, type Values, wholeNumber } from '../../arguments';

export const targets = ['html', 'svg', 'pdf', 'json', 'tex'] as const;
export type To = (typeof targets)[number];

export function wantedOf(values: Values): Wanted {
  const [line, id] = [text(values, 'line'), text(values, 'id')];
  if ((line === undefined) === (id === undefined))
    throw usageError(
      'Name one example, either by --line or by --id.',
      'Example: captious explain captions.jsonl --line 12 --evaluator starter.',
    );
  const caption = wholeNumber(values, 'caption', 1);
  const nth = caption === undefined ? {} : { caption };
  if (id !== undefined) return { id, ...nth };
  const cut = line!.lastIndexOf(':');
  const number = line!.slice(cut + 1);
  if (!/^[1-9]\d{0,14}$/.test(number) || cut === 0)
    throw usageError(
      `--line ${line}: expected a line number of 1 or more.`,
      'In a dataset of several files, name the file, too: --line part-1.jsonl:12.',
    );
  return { line: Number(number), ...(cut < 0 ? {} : { part: line!.slice(0, cut) }), ...nth };
}

export function optionsOf(values: Values): Partial<ExplainOptions> {
  const method = oneOf('method', text(values, 'method'), methods);
  const units = oneOf('units', text(values, 'units'), unitKinds);
  const permutations = wholeNumber(values, 'permutations', 4);
  const seed = wholeNumber(values, 'seed');
  const grid = gridOf(values);
  return {
    ...(method === undefined ? {} : { method }),
    ...(units === undefined ? {} : { units }),
    ...(permutations === undefined ? {} : { permutations }),
    ...(seed === undefined ? {} : { seed }),
    ...(grid === undefined ? {} : { grid: grid === 'none' ? undefined : grid }),
    ...(values.table === true ? { table: true } : {}),
  } as Partial<ExplainOptions>;
}

export function targetOf(values: Values): To | undefined {
  return values.json === true ? 'json' : oneOf('to', text(values, 'to'), targets);
}

/** What hides objects, if the user asks for objects instead of a grid. */
export function objectsOf(values: Values): WhatToExplain['objects'] {
  const instances = text(values, 'instances');
  if (oneOf('regions', text(values, 'regions'), ['grid', 'objects']) !== 'objects') {
    if (instances === undefined) return undefined;
    throw usageError(
      '--instances needs --regions objects.',
      'Add --regions objects, or leave out --instances.',
    );
  }
  if (text(values, 'grid') !== undefined)
    throw usageError('--grid and --regions objects cannot be combined.', 'Leave out one of them.');
  return { fill: oneOf('fill', text(values, 'fill'), fills) ?? usualFill, instances };
}

function gridOf(values: Values): Grid | 'none' | undefined {
  const given = text(values, 'grid');
  const fill = oneOf('fill', text(values, 'fill'), fills) ?? usualFill;
  if (given === undefined)
    return text(values, 'fill') === undefined ? undefined : { rows: 7, columns: 7, fill };
  if (given === 'none') return given;
  const sides = /^(\d{1,2})(?:x(\d{1,2}))?$/.exec(given)?.slice(1);
  const rows = Number(sides?.[0]);
  const columns = Number(sides?.[1] ?? rows);
  if (![rows, columns].every((side) => side >= smallestGrid && side <= largestGrid))
    throw usageError(
      `--grid ${given}: expected ${smallestGrid} to ${largestGrid} rows and columns, or "none".`,
      'Examples: --grid 7, --grid 4x6.',
    );
  return { rows, columns, fill };
}
