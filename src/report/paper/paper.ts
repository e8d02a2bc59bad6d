/* Writes the paper kit: tables in a paper's layout, macros, a methods paragraph, BibTeX and figures. */
import { translated } from '../export/chartMarkup';
import { inEnglish } from '../export/speech';
import { join } from 'node:path';
import { inputError, throwIfCancelled } from '../../base/errors';
import { fileName } from '../../base/files/fileName';
import { say } from '../../base/say';
import { markdownText } from '../../base/text/markdown';
import { page } from '../export/page';
import { escapeXml as e } from '../../base/xml';
import { draw, isWide } from '../../chart/draw';
import { withTitle } from '../../chart/title';
import { columns, svgFile } from '../../chart/svg';
import { makeFolder } from '../../base/files/cannotWrite';
import { writeWhole } from '../output';
import type { ImageSource } from '../imageSource';

import { type Entry, readEntries } from './entry';
import { readFacts } from './facts';
import { chosenFigures, type FigureChoice } from './figures/choose';
import { figuresOf } from './figures/figures';
import { layoutsNamed } from './layouts/list';
import { methods } from './methods';
import { bibtex, citations } from './references';
import { isNumber, type PaperTable } from './table';
import { macros } from './write/macros';
import { pdfFile } from './write/pdf';
import { csvTable, htmlPaperTable, markdownTable } from './write/plain';
import type { Spread } from './write/spread';
import { texTable } from './write/tex';
import { tex } from './write/texText';

export const paperForms = ['tex', 'md', 'html', 'csv', 'svg', 'pdf'] as const;
export type PaperForm = (typeof paperForms)[number];

export interface PaperRequest {
  reports: readonly string[];
  layout: string;
  to: PaperForm;
  spread: Spread;
  out: string;
  /** The evaluators' names in tables and figures, by the position of the report. */
  labels?: ReadonlyMap<number, string>;
  /** Provides images for contact sheets. If it is absent, there are no contact sheets. */
  images?: ImageSource;
  /** A file of facts about evaluators that reports do not have. */
  facts?: string;
  /** The figures to write; by default at most eight. */
  figures?: FigureChoice;
  /** Receives the names of the figures that the default choice leaves out. */
  onLeftOut?: (names: readonly string[]) => void;
  signal?: AbortSignal;
}

/** Writes one format of the kit into a folder. Returns the files' paths. */
export async function writePaper(request: PaperRequest): Promise<string[]> {
  const facts = request.facts === undefined ? undefined : await readFacts(request.facts);
  const entries = await readEntries(request.reports, request.signal, request.labels, facts);
  if (request.to === 'svg' || request.to === 'pdf') return writeFigures(entries, request, request.to);
  const tables: PaperTable[] = [];
  for (const { probe, build } of layoutsNamed(request.layout, entries))
    tables.push(await build(entries.filter(({ report }) => report.probe === probe)));
  const used = usedBy(tables, entries);
  const files = filesOf(tables, used, request);
  throwIfCancelled(request.signal);
  await makeFolder(request.out);
  for (const [name, text] of files) await writeWhole(join(request.out, name), text);
  return [...files.keys()].map((name) => join(request.out, name));
}

async function writeFigures(
  entries: readonly Entry[],
  { out, images, signal, figures: choice = 'default', onLeftOut }: PaperRequest,
  to: 'svg' | 'pdf',
): Promise<string[]> {
  const { figures, most } = chosenFigures(figuresOf(entries, images), choice);
  const written: string[] = [];
  for (const [i, { name, draw: make }] of figures.entries()) {
    if (written.length >= most) {
      onLeftOut?.(figures.slice(i).map((figure) => figure.name));
      break;
    }
    throwIfCancelled(signal);
    const figure = await make();
    if (figure === undefined) continue;
    const { titled } = figure;
    const chart = translated(figure.chart, inEnglish);
    const column = isWide(chart) ? columns.double : columns.single;
    const untitled = draw(chart, column.units);
    if (untitled === undefined) continue;
    const drawing = titled === true ? withTitle(untitled) : untitled;
    if (written.length === 0) await makeFolder(out);
    const path = join(out, `${fileName(name)}.${to}`);
    const content =
      to === 'pdf'
        ? await pdfFile(drawing, column)
        : `<?xml version="1.0" encoding="UTF-8"?>\n${svgFile(drawing, column)}\n`;
    await writeWhole(path, content);
    written.push(path);
  }
  if (written.length === 0 && choice !== 'none')
    throw inputError(say('paper.noFigurePossible'), say('paper.auditMore'));
  return written;
}

/** The reports behind the numbers. A table over a part of the images has entries of its own for the same reports. */
function usedBy(tables: readonly PaperTable[], entries: readonly Entry[]): Entry[] {
  const found = new Set(
    tables.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) =>
        cells
          .filter(isNumber)
          .flatMap(({ entry, after }) => (after === undefined ? [entry] : [entry, after.entry]))
          .map(({ path }) => path),
      ),
    ),
  );
  // A table of facts has no numbers, but it is about all reports.
  return found.size === 0 ? [...entries] : entries.filter(({ path }) => found.has(path));
}

function filesOf(
  tables: readonly PaperTable[],
  entries: readonly Entry[],
  { to, spread }: PaperRequest,
): Map<string, string> {
  const files = new Map<string, string>();
  const hasTests = tables.some(({ notes }) => notes.some((note) => note.includes('paired t-test')));
  const paragraph = methods(entries, hasTests);
  const { versions } = entries[0].report;
  const named = (text: (table: PaperTable) => string) => {
    for (const table of tables) files.set(`${table.id}.${to}`, text(table));
  };
  switch (to) {
    case 'tex':
      named((table) => texTable(table, spread));
      files.set('macros.tex', macros(tables));
      files.set('methods.tex', texMethods(paragraph));
      files.set('references.bib', bibtex(paragraph, versions));
      break;
    case 'md':
      named((table) => markdownTable(table, spread));
      files.set('methods.md', `${withCitations(paragraph, markdownText, (key) => ` [@${key}]`)}\n`);
      files.set('references.bib', bibtex(paragraph, versions));
      break;
    case 'html':
      named((table) =>
        page(table.id, [
          htmlPaperTable(table, spread),
          `<h2>Methods</h2><p>${e(paragraph.replace(citations, ''))}</p>`,
        ]),
      );
      break;
    case 'csv':
      named(csvTable);
      break;
    case 'svg':
    case 'pdf':
      break;
  }
  return files;
}

/** LaTeX cannot break a hash, so the text has its first digits and a comment has all digits. */
function texMethods(paragraph: string): string {
  const hashes = paragraph.match(/\b[0-9a-f]{40,}\b/g) ?? [];
  const text = paragraph.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1…');
  return `${[...new Set(hashes)].map((hash) => `% SHA-256 ${hash}\n`).join('')}{\\emergencystretch=4em\\tolerance=2000\\hbadness=2000\n${withCitations(text, tex, (key) => `~\\cite{${key}}`)}\\par}\n`;
}

/** Escapes a text between its citations. Escaping trims a part, so its spaces are put back. */
function withCitations(text: string, escape: (text: string) => string, as: (key: string) => string): string {
  return text
    .split(citations)
    .map((part, i) => {
      if (i % 2 === 1) return as(part);
      const [, before, own, after] = /^(\s?)(.*?)(\s?)$/s.exec(part)!;
      return `${before}${escape(own)}${after}`;
    })
    .join('');
}
