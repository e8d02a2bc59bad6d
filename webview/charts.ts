import { Chart as Drawing } from 'chart.js';
import type { Chart } from '../src/protocol/rows';
import { themeColours } from './colours';
import { button, el } from './dom';
import { percent, whole } from './format';
import { paperSvg } from './paper';
import { markdownOf, type PlotActions } from './plotNumbers';
import { configure } from './plots';
import { tableOf } from './plotTable';
import { paperPng } from './raster';

export interface ChartActions extends PlotActions {
  save(name: string, picture: Uint8Array): void;
  copy(text: string): void;
}

/** The plots of a selection: one is seen at a time, each has its table behind it, a click filters what is below. */
export class Charts {
  readonly root = el('section', { class: 'charts', 'aria-label': 'Plots' });
  private charts: readonly Chart[] = [];
  private chosen = '';
  private drawing: Drawing | undefined;
  private asTable = false;

  constructor(private readonly actions: ChartActions) {
    new MutationObserver(() => {
      this.draw();
    }).observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  }

  show(charts: readonly Chart[]): void {
    this.charts = charts;
    if (!charts.some(({ id }) => id === this.chosen)) this.chosen = charts.at(0)?.id ?? '';
    this.draw();
  }

  private draw(): void {
    const hadFocus = this.root.contains(document.activeElement)
      ? document.activeElement?.textContent
      : undefined;
    this.drawing?.destroy();
    this.drawing = undefined;
    this.root.replaceChildren();
    const chart = this.charts.find(({ id }) => id === this.chosen);
    if (chart === undefined) return;
    const tabs = this.charts.map((other) =>
      button(
        other.title,
        () => {
          this.choose(other.id);
        },
        {
          class: 'tab',
          'aria-pressed': String(other === chart),
        },
      ),
    );
    const tools = [
      button(
        this.asTable ? 'As a plot' : 'As a table',
        () => {
          this.toggle();
        },
        { class: 'link' },
      ),
      button(
        'Copy table',
        () => {
          this.actions.copy(markdownOf(chart));
        },
        { class: 'link', title: 'Copy the numbers of this plot as Markdown' },
      ),
      button(
        'Save SVG',
        () => {
          this.actions.save(`${chart.id}.svg`, new TextEncoder().encode(paperSvg(chart)));
        },
        { class: 'link', title: 'Save this plot as vectors, for a paper' },
      ),
      button(
        'Save PNG',
        () => {
          void paperPng(chart).then((bytes) => {
            this.actions.save(`${chart.id}.png`, bytes);
          });
        },
        { class: 'link', title: 'Save this plot with 600 dots per inch, for a paper' },
      ),
    ];
    this.root.append(el('div', { class: 'bar-of-tabs' }, ...tabs, el('span', { class: 'tools' }, ...tools)));
    if (this.asTable) this.root.append(tableOf(chart, this.actions));
    else {
      const canvas = el('canvas', {
        role: 'img',
        'aria-label': `${chart.title}. The same numbers are in the table behind it.`,
      });
      this.root.append(el('div', {}, el('div', { class: 'plot' }, canvas), legendOf(chart)));
      this.drawing = new Drawing(canvas, configure(chart, themeColours(), this.actions, 11));
    }
    if (hadFocus)
      [...this.root.querySelectorAll('button')].find(({ textContent }) => textContent === hadFocus)?.focus();
  }

  private choose(id: string): void {
    this.chosen = id;
    this.draw();
  }

  private toggle(): void {
    this.asTable = !this.asTable;
    this.draw();
    [...this.root.querySelectorAll('button')]
      .find(({ textContent }) => textContent?.startsWith('As a'))
      ?.focus();
  }
}

const legendWords = {
  right: 'right',
  wrong: 'wrong or tie',
  none: 'not judged: only moved',
} as const;

/** What the colours and shapes stand for; the whiskers and dashed lines, too. */
function legendOf(chart: Chart): HTMLElement | null {
  const parts: [string, string][] = [];
  if (chart.type === 'histogram') {
    if (chart.series.every(({ verdict }) => verdict === 'none')) return null;
    parts.push(...chart.series.map(({ verdict }): [string, string] => [verdict, legendWords[verdict]]));
  } else if (chart.type === 'points') {
    parts.push(['right dot', 'right'], ['wrong peak', 'wrong or tie']);
    if (chart.points.length < chart.of)
      parts.push(['', `${whole(chart.points.length)} of ${whole(chart.of)} drawn`]);
  } else {
    parts.push(['right', 'share that is right'], ['whisker', '95 % interval']);
    if (chart.chance !== undefined) parts.push(['dashes', `guessing: ${percent(chart.chance)}`]);
  }
  return el(
    'div',
    { class: 'legend quiet' },
    ...parts.map(([shape, words]) =>
      el(
        'span',
        {},
        shape === '' ? null : el('span', { class: `swatch ${shape}`, 'aria-hidden': 'true' }),
        words,
      ),
    ),
  );
}
