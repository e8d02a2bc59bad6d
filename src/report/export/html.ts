import type { Metric, Row } from '../../probe/probe';
import { figure, interval, metricName } from '../figures';
import type { Report } from '../report';
import { worstFaults } from './faults';
import { provenance } from './markdown';
import { escapeXml as e } from './xml';

const faultsShown = 200;

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); --bar: light-dark(#1a66c2, #6cb2ff); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.claims { font-size: 1.1rem; } .claims small, .quiet { opacity: .75; font-size: .85rem; display: block; }
svg { display: block; } .mark { fill: var(--bar); } .span { stroke: var(--bar); stroke-width: 3; } .axis { stroke: var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
`;

/** One file that opens without Captious and asks nothing of any network. */
export async function html(report: Report, rows: AsyncIterable<Row>): Promise<string> {
  const { dataset, evaluator, metrics } = report;
  const faults = await worstFaults(report.probe, rows, faultsShown);
  const title = e(`${report.probe} · ${evaluator.name}`);
  const whole = metrics.filter((metric) => metric.slice === undefined);
  const sliced = metrics.filter((metric) => metric.slice !== undefined);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
<p>${dataset.examples} examples of <code>${e(dataset.path)}</code> took part, ${dataset.skipped} were left out.</p>
${section(
  'What it says',
  report.claims.map(({ text, rule }) => `<li>${e(text)}<small>${e(rule)}</small></li>`),
  'ul class="claims"',
)}
<h2>Metrics</h2>
${metricTable(whole)}
${sliced.length === 0 ? '' : `<h2>By slice</h2>${metricTable(sliced)}`}
<h2>Worst first</h2>
<p>${faults.count} faults in ${faults.faultyRows} of ${report.rowCount} rows${faults.count > faults.worst.length ? `; the ${faults.worst.length} worst` : ''}.</p>
${faults.worst.length === 0 ? '' : faultTable(faults.worst)}
${section(
  'Left out',
  dataset.leftOut.map(({ reason, count }) => `<li>${count}: ${e(reason)}</li>`),
)}
${section(
  'Notes',
  report.warnings.map((warning) => `<li>${e(warning)}</li>`),
)}
<h2>How this was made</h2>
<dl>${provenance(report)
    .map(([key, value]) => `<dt>${e(key)}</dt><dd>${e(value)}</dd>`)
    .join('\n')}</dl>
</body></html>
`;
}

function section(title: string, items: readonly string[], list = 'ul'): string {
  return items.length === 0 ? '' : `<h2>${title}</h2>\n<${list}>${items.join('\n')}</${list.split(' ')[0]}>`;
}

function metricTable(metrics: readonly Metric[]): string {
  const rows = metrics.map(
    (metric) =>
      `<tr><td>${e(metricName(metric))}${metric.note ? `<span class="quiet">${e(metric.note)}</span>` : ''}</td>` +
      `<td class="n">${figure(metric.value)}</td><td class="n">${interval(metric)}</td><td>${picture(metric)}</td>` +
      `<td class="n">${metric.n}</td><td class="n">${metric.ties ?? ''}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th>metric</th><th class="n">value</th><th class="n">95 % interval</th><th></th>
<th class="n">n</th><th class="n">ties</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** The interval on a scale from 0 to 1; figures that go beyond it have none. */
function picture({ value, ci }: Metric): string {
  if (value === null || value < 0 || value > 1) return '';
  const at = (x: number) => (Math.min(1, Math.max(0, x)) * 160 + 4).toFixed(1);
  const span = ci ? `<line class="span" x1="${at(ci[0])}" x2="${at(ci[1])}" y1="8" y2="8"/>` : '';
  return `<svg width="168" height="16" role="img" aria-label="${figure(value)} on a scale from 0 to 1"><line class="axis" x1="4" x2="164" y1="8" y2="8"/>${span}<circle class="mark" cx="${at(value)}" cy="8" r="4"/></svg>`;
}

function faultTable(faults: readonly { message: string; size: number; row: Row }[]): string {
  const rows = faults.map(
    ({ message, size, row }) =>
      `<tr><td class="n">${row.place ? row.place.line : row.row + 1}</td><td>${e(row.image ?? '')}</td>` +
      `<td>${e(message)}</td><td class="n">${size.toFixed(4)}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th class="n">line</th><th>photo</th><th>what went wrong</th><th class="n">by</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}
