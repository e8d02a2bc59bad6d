/* The paper kit: tables of reports in a paper's layout, macros, a methods paragraph and BibTeX. */
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import { page } from '../export/page';
import { escapeXml as e } from '../../base/xml';
import { makeFolder, writeWhole } from '../output';

import { type Entry, readEntries } from './entry';
import { figuresOf, printedSvg } from './figures';
import { layoutsNamed } from './layouts/list';
import { methods } from './methods';
import { bibtex } from './references';
import { isNumber, type PaperTable } from './table';
import { macros } from './write/macros';
import { csvTable, htmlPaperTable, markdownTable } from './write/plain';
import type { Spread } from './write/spread';
import { texTable } from './write/tex';
import { tex } from './write/texText';

export const tableForms = ['tex', 'md', 'html', 'csv', 'svg'] as const;
export type TableForm = (typeof tableForms)[number];

export interface PaperRequest {
  reports: readonly string[];
  layout: string;
  to: TableForm;
  spread: Spread;
  out: string;
  signal?: AbortSignal;
}

/** Writes the kit into a folder; returns the paths of its files. */
export async function writePaper(request: PaperRequest): Promise<string[]> {
  const entries = await readEntries(request.reports, request.signal);
  if (request.to === 'svg') return writeFigures(entries, request.out);
  const tables: PaperTable[] = [];
  for (const { probe, build } of layoutsNamed(request.layout, entries))
    tables.push(await build(entries.filter(({ report }) => report.probe === probe)));
  const used = usedBy(tables, entries);
  const files = filesOf(tables, used, request);
  await makeFolder(request.out);
  for (const [name, text] of files) await writeWhole(join(request.out, name), text);
  return [...files.keys()].map((name) => join(request.out, name));
}

async function writeFigures(entries: readonly Entry[], out: string): Promise<string[]> {
  const files = figuresOf(entries).flatMap(({ name, chart }) => {
    const svg = printedSvg(chart);
    return svg === undefined ? [] : [{ path: join(out, `${name}.svg`), svg }];
  });
  if (files.length === 0)
    throw new CaptiousError('input', say`The reports have no metric for a figure.`, {
      remedy: say`Audit with other probes or more examples.`,
    });
  await makeFolder(out);
  for (const { path, svg } of files) await writeWhole(path, svg);
  return files.map(({ path }) => path);
}

function usedBy(tables: readonly PaperTable[], entries: readonly Entry[]): Entry[] {
  const found = new Set(
    tables.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) =>
        cells
          .filter(isNumber)
          .flatMap(({ entry, after }) => (after === undefined ? [entry] : [entry, after.entry])),
      ),
    ),
  );
  return entries.filter((entry) => found.has(entry));
}

function filesOf(
  tables: readonly PaperTable[],
  entries: readonly Entry[],
  { to, spread }: PaperRequest,
): Map<string, string> {
  const files = new Map<string, string>();
  const hasTests = tables.some(({ notes }) => notes.some((note) => note.includes('paired t-test')));
  const paragraph = methods(entries, hasTests);
  const named = (text: (table: PaperTable) => string) => {
    for (const table of tables) files.set(`${table.id}.${to}`, text(table));
  };
  switch (to) {
    case 'tex':
      named((table) => texTable(table, spread));
      files.set('macros.tex', macros(tables));
      files.set('methods.tex', texMethods(paragraph));
      files.set('references.bib', bibtex(entries, hasTests));
      break;
    case 'md':
      named((table) => markdownTable(table, spread));
      files.set('methods.md', `${paragraph}\n`);
      files.set('references.bib', bibtex(entries, hasTests));
      break;
    case 'html':
      named((table) =>
        page(table.id, [htmlPaperTable(table, spread), `<h2>Methods</h2><p>${e(paragraph)}</p>`]),
      );
      break;
    case 'csv':
      named(csvTable);
      break;
    case 'svg':
      break;
  }
  return files;
}

/**
 * LaTeX cannot break the line inside a hash, so the text has its first digits, and a comment has all of them.
 */
function texMethods(paragraph: string): string {
  const hashes = paragraph.match(/\b[0-9a-f]{40,}\b/g) ?? [];
  const text = paragraph.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1…');
  return `${[...new Set(hashes)].map((hash) => `% SHA-256 ${hash}\n`).join('')}{\\emergencystretch=4em\\tolerance=2000\\hbadness=2000\n${tex(text)}\\par}\n`;
}
