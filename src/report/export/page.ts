import { escapeXml as e } from '../../base/xml';
import { inkStyles } from '../../chart/inks';
import type { Column } from '../../chart/chart';

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); --bar: light-dark(#1a66c2, #6cb2ff); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } td.n { white-space: nowrap; }
.claims { font-size: 1.1rem; } .claims small, .quiet { opacity: .75; font-size: .85rem; display: block; } .id { opacity: .6; font-size: .8rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
figure { display: inline-block; margin: .5rem 1.5rem .5rem 0; vertical-align: top; } figcaption { font-weight: 600; margin-bottom: .3rem; }
svg { display: block; max-width: 100%; height: auto; } td svg { margin-top: .2rem; } svg text { fill: currentColor; font: 12px system-ui, sans-serif; }
${inkStyles({ text: 'currentColor', blue: 'var(--bar)', orange: 'light-dark(#f0b27a, #b5713a)', line: 'var(--line)', paper: 'Canvas' })}
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } td img { display: block; max-width: 100%; height: auto; border-radius: .2rem; }
@media (max-width: 640px) {
  table, tbody, tr { display: block; } thead { display: none; } .scroll { overflow-x: visible; }
  tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .1rem 0; flex: 1 1 100%; overflow-wrap: anywhere; } td.n { flex: 0 1 auto; text-align: left; white-space: normal; } td:empty { display: none; }
  td[data-title]::before { content: attr(data-title) ' '; opacity: .75; font-size: .85rem; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } ul { padding-left: 1.2rem; }
}
summary { cursor: pointer; padding: .5rem 0; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { tr, figure { break-inside: avoid; } }
.words sub { opacity: .7; } .words span { padding: 0 .15em; border-radius: .2em; }
${[1, 2, 3, 4, 5].map((shade) => `.shade${shade} { background: color-mix(in srgb, var(--bar) ${shade * 13}%, transparent); }`).join(' ')}
`;

/**
 * A page that works without Captious. It loads nothing from a network, contains its images, and runs only scripts
 * whose hashes are in `scriptHashes`.
 */
export function page(
  title: string,
  body: readonly string[],
  { scriptHashes = [], language = 'en' }: { scriptHashes?: readonly string[]; language?: string } = {},
): string {
  const scripts =
    scriptHashes.length === 0 ? '' : `; script-src ${scriptHashes.map((hash) => `'${hash}'`).join(' ')}`;
  return `<!doctype html>
<html lang="${e(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'${scripts}">
<title>${e(title)}</title><style>${style}</style></head><body>
<h1>${e(title)}</h1>
${body.filter((part) => part !== '').join('\n')}
</body></html>
`;
}

/** A heading and a list; an empty text if there are no items. */
export function listSection(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h2>${e(title)}</h2>\n<ul>${items.map((item) => `<li>${e(item)}</li>`).join('\n')}</ul>`;
}

/** A table whose cells contain markup. */
export function htmlTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const kind = (i: number) => (columns[i].number ? ' class="n"' : '');
  // A narrow window shows each row as a block, in which numbers need their titles.
  const named = (i: number) =>
    columns[i].number ? `${kind(i)} data-title="${e(columns[i].title)}"` : kind(i);
  const head = columns.map(({ title }, i) => `<th${kind(i)}>${e(title)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell, i) => `<td${named(i)}>${cell}</td>`).join('')}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}
