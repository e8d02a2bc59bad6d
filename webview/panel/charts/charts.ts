import { append } from '../../../src/base/lists';
import { Chart as Drawing } from 'chart.js';
import type { Chart } from '../../../src/protocol/parts/chart';
import { themeColours } from './colours';
import { button, el } from '../../base/dom';
import { percent, whole } from '../../base/format';
import { paperSvg } from './paper';
import { heightHandle } from './heightHandle';
import { markdownOf, type PlotActions, sideWords } from './plotNumbers';
import { configure } from './plots';
import { tableOf } from './plotTable';
import { svgAsPng } from '../../base/png';
import { t, localized } from '../../base/words';

export interface ChartActions extends PlotActions {
  save(name: string, picture: Uint8Array): void;
  copy(text: string): void;
  /** Called when the user chooses another chart or another height. */
  changed(): void;
}

/**
 * Charts of the selected rows. Shows one of them, as a chart or as a table. A click on a bar filters the list of
 * examples, and a click on a point opens an example.
 */
export class Charts {
  readonly root = el('section', { class: 'charts', 'aria-label': t('Charts') });
  private charts: readonly Chart[] = [];
  private chosen = '';
  private drawing: Drawing | undefined;
  private asTable = false;
  private height: number | undefined;

  constructor(private readonly actions: ChartActions) {
    new MutationObserver(() => this.draw()).observe(document.body, {
      attributeFilter: ['class', 'data-vscode-theme-id'],
    });
  }

  get view(): { chart: string; chartHeight?: number } {
    return { chart: this.chosen, ...(this.height === undefined ? {} : { chartHeight: this.height }) };
  }

  restore({ chart, chartHeight }: { chart?: string; chartHeight?: number }): void {
    this.chosen = chart ?? this.chosen;
    if (chartHeight !== undefined) this.resize(chartHeight);
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
      button(localized(other.title), () => this.choose(other.id), {
        class: 'tab',
        'aria-pressed': String(other === chart),
      }),
    );
    const tools = [
      button(this.asTable ? t('Show chart') : t('Show table'), () => this.toggle(), { class: 'link toggle' }),
      button(t('Copy table'), () => this.actions.copy(markdownOf(chart)), {
        class: 'link',
        title: t('Copy the numbers of this chart as Markdown'),
      }),
      button(
        t('Save SVG'),
        () => this.actions.save(`${chart.id}.svg`, new TextEncoder().encode(paperSvg(chart))),
        { class: 'link', title: t('Save this chart as a vector graphic, for a paper') },
      ),
      button(
        t('Save PNG'),
        () => {
          void svgAsPng(paperSvg(chart)).then((bytes) => this.actions.save(`${chart.id}.png`, bytes));
        },
        { class: 'link', title: t('Save this chart at 600 dpi, for a paper') },
      ),
    ];
    this.root.append(el('div', { class: 'bar-of-tabs' }, ...tabs, el('span', { class: 'tools' }, ...tools)));
    if (this.asTable) this.root.append(tableOf(chart, this.actions));
    else {
      const canvas = el('canvas', {
        role: 'img',
        'aria-label': t('{0}. "Show table" lists the same numbers.', localized(chart.title)),
      });
      const plot = el(
        'div',
        { class: chart.type === 'histogram' || chart.type === 'shares' ? 'plot' : 'plot square' },
        canvas,
      );
      if (chart.type === 'shares') plot.style.setProperty('--bars', String(chart.values.length));
      const handle = heightHandle(
        t('Height of the chart'),
        () => plot.clientHeight,
        (height) => {
          this.resize(height);
          this.actions.changed();
        },
      );
      this.root.append(el('div', {}, plot, legendOf(chart)), handle);
      this.drawing = new Drawing(canvas, configure(chart, themeColours(), this.actions, 11));
    }
    if (hadFocus)
      [...this.root.querySelectorAll('button')].find(({ textContent }) => textContent === hadFocus)?.focus();
  }

  private resize(height: number): void {
    this.height = height;
    this.root.style.setProperty('--chart', `${height}px`);
  }

  private choose(id: string): void {
    this.chosen = id;
    this.draw();
    this.actions.changed();
  }

  private toggle(): void {
    this.asTable = !this.asTable;
    this.draw();
    this.root.querySelector<HTMLElement>('.toggle')?.focus();
  }
}

const legendWords = { right: t('right'), wrong: t('wrong or tie'), none: t('no verdict') } as const;

const sideShapes = [
  { side: 'both', shape: 'right dot' },
  { side: 'onlyFirst', shape: 'right' },
  { side: 'onlySecond', shape: 'wrong peak' },
  { side: 'neither', shape: 'wrong diamond' },
] as const;

/** The legend of a chart: its colours, shapes, intervals and chance level. Null if the chart needs no legend. */
function legendOf(chart: Chart): HTMLElement | null {
  const parts: { shape: string; words: string }[] = [];
  if (chart.type === 'histogram') {
    if (chart.series.every(({ verdict }) => verdict === 'none')) return null;
    append(
      parts,
      chart.series.map(({ verdict }) => ({ shape: verdict, words: legendWords[verdict] })),
    );
  } else if (chart.type === 'points') {
    if (chart.isJudged)
      parts.push(
        { shape: 'right dot', words: legendWords.right },
        { shape: 'wrong peak', words: legendWords.wrong },
      );
    if (chart.points.length < chart.of)
      parts.push({
        shape: '',
        words: t('{0} of {1} points shown', whole(chart.points.length), whole(chart.of)),
      });
  } else if (chart.type === 'versus') {
    const used = new Set(chart.points.map(({ side }) => side));
    for (const { side, shape } of sideShapes)
      if (used.has(side)) parts.push({ shape, words: localized(sideWords[side]) });
  } else {
    parts.push({ shape: 'right', words: t('share right') });
    if (chart.values.some(({ pale }) => pale))
      parts.push({ shape: 'none', words: t('not shown to be better than chance') });
    if (chart.values.some(({ interval }) => interval !== undefined))
      parts.push({ shape: 'whisker', words: t('95 % interval') });
    if (chart.chance !== undefined)
      parts.push({ shape: 'dashes', words: t('chance level: {0}', percent(chart.chance)) });
  }
  return el(
    'div',
    { class: 'legend quiet' },
    ...parts.map(({ shape, words }) =>
      el(
        'span',
        {},
        shape === '' ? null : el('span', { class: `swatch ${shape}`, 'aria-hidden': 'true' }),
        words,
      ),
    ),
  );
}
