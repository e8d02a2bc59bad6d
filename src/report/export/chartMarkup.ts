import { escapeXml as e } from '../../base/xml';
import type { Cell, Chart, Run } from '../../chart/chart';
import { draw, isText } from '../../chart/draw';
import { pageSvg } from '../../chart/svg';
import { htmlTable } from './page';
import { inEnglish, type Speech } from './speech';

/** Charts as markup. Empty charts are skipped. */
export function drawn(charts: readonly Chart[], speech: Speech = inEnglish): string[] {
  return charts.map((chart) => markup(translated(chart, speech), speech)).filter((made) => made !== '');
}

/** Translates a chart's texts. Texts that match no template, such as captions and file names, stay unchanged. */
function translated<T>(part: T, speech: Speech): T {
  if (speech === inEnglish) return part;
  const inside = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return key === 'type' ? value : speech.text(value);
    if (Array.isArray(value)) return value.map((item) => inside(item));
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, inside(own, name)]));
  };
  return inside(part) as T;
}

function markup(chart: Chart, speech: Speech): string {
  if (!isText(chart)) {
    const drawing = draw(chart);
    if (drawing === undefined) return '';
    const shapes = drawing.shapes.map((shape) =>
      shape.is === 'text' ? { ...shape, text: speech.text(shape.text) } : shape,
    );
    return pageSvg({ ...drawing, shapes });
  }
  const title = `<h3>${e(chart.title)}</h3>`;
  if (chart.type === 'table') {
    if (chart.rows.length === 0) return '';
    return `${title}${htmlTable(
      chart.columns,
      chart.rows.map((row) => row.map(cell)),
    )}`;
  }
  if (chart.texts.length === 0) return '';
  const items = chart.texts.map((runs) => `<li>${runs.map(run).join('')}</li>`);
  return `${title}<p>${e(chart.note)}</p><ul class="words">${items.join('\n')}</ul>`;
}

function cell(value: Cell): string {
  if (typeof value === 'string') return e(value);
  return 'lines' in value ? value.lines.map(e).join('<br>') : value.runs.map(run).join('');
}

function run(value: Run): string {
  if (typeof value === 'string') return e(value);
  if ('strong' in value) return `<strong>${e(value.strong)}</strong>`;
  if ('quiet' in value) return `<span class="quiet">${e(value.quiet)}</span>`;
  const below = value.below === undefined ? '' : `<sub>${e(value.below)}</sub>`;
  return `<span class="shade${value.shade}">${e(value.text)}${below}</span>`;
}
