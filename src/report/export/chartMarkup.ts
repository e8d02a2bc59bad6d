import type { Said, Words } from '../../base/say';
import { escapeXml as e } from '../../base/xml';
import type { Cell, Chart, Run } from '../../chart/chart';
import { draw, type Drawn, isText } from '../../chart/draw';
import { pageSvg } from '../../chart/svg';
import { htmlTable } from './page';
import { inEnglish, type Speech } from './speech';

/** Charts as markup. Empty charts are skipped. */
export function drawn(charts: readonly Chart<Words>[], speech: Speech = inEnglish): string[] {
  return charts.map((chart) => markup(translated(chart, speech), speech)).filter((made) => made !== '');
}

/** A chart with its texts in a language. */
export function translated(chart: Drawn<Words>, speech: Speech): Drawn;
export function translated(chart: Chart<Words>, speech: Speech): Chart;
export function translated(chart: Chart<Words>, speech: Speech): Chart {
  const inside = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return key === 'type' ? value : speech.say(value);
    if (Array.isArray(value)) return value.map((item) => inside(item));
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    if ('code' in value) return speech.say(value as Said);
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, inside(own, name)]));
  };
  return inside(chart) as Chart;
}

function markup(chart: Chart, speech: Speech): string {
  if (!isText(chart)) {
    const drawing = draw(chart);
    if (drawing === undefined) return '';
    const shapes = drawing.shapes.map((shape) =>
      shape.is === 'text' ? { ...shape, text: speech.say(shape.text) } : shape,
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
