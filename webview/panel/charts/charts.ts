import { messageOf } from '../../../src/base/errors';
import { append } from '../../../src/base/lists';
import { Chart as Drawing } from 'chart.js';
import type { Chart } from '../../../src/protocol/parts/chart';
import { themeColours } from './colours';
import { button, el } from '../../base/dom';
import { percent, whole } from '../../base/format';
import { paperSvg } from './paper';
import { markdownOf, type PlotActions, sideWords } from './plotNumbers';
import { configure } from './plots';
import { tableOf } from './plotTable';
import { copyImage, svgAsPng } from '../../base/png';
import { sizeHandle } from '../../base/sizeHandle';
import { say } from '../../../src/base/say';
import { t, localized } from '../../base/words';

const heights = { least: 80, most: 600 };

export interface ChartActions extends PlotActions {
  save(name: string, image: Uint8Array): void;
  copy(text: string): void;
  fail(message: string): void;
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
  private areToolsOpen = false;
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
    const focused = this.root.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.drawing?.destroy();
    this.drawing = undefined;
    this.root.replaceChildren();
    const chart = this.charts.find(({ id }) => id === this.chosen);
    if (chart === undefined) return;
    this.root.append(el('div', { class: 'chart-head' }, this.choice(), ...this.toolsOf(chart)));
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
      const handle = sizeHandle({
        label: t('Height of the chart'),
        edge: 'bottom',
        ...heights,
        size: () => plot.clientHeight,
        set: (height) => {
          this.resize(height);
          this.actions.changed();
        },
      });
      this.root.append(el('div', {}, plot, legendOf(chart)), handle);
      this.drawing = new Drawing(canvas, configure(chart, themeColours(), this.actions, 11));
    }
    if (focused) document.getElementById(focused)?.focus();
  }

  private choice(): HTMLElement {
    const select = el('select', { id: 'chart', 'aria-label': t('Chart') });
    for (const { id, title } of this.charts) select.append(new Option(localized(title), id));
    select.value = this.chosen;
    select.addEventListener('change', () => this.choose(select.value));
    return select;
  }

  private toolsOf(chart: Chart): HTMLElement[] {
    const { save, copy, fail } = this.actions;
    const link = (id: string, label: string, act: () => void, title?: string) =>
      button(label, act, { class: 'link', id: `chart-${id}`, ...(title === undefined ? {} : { title }) });
    const png = () => svgAsPng(paperSvg(chart));
    const tools = el(
      'details',
      { class: 'tools' },
      el('summary', { id: 'chart-tools' }, t('Copy or save')),
      link(
        'copy',
        t('Copy table'),
        () => copy(markdownOf(chart)),
        t('Copy the numbers of this chart as Markdown'),
      ),
      link('copy-svg', t('Copy SVG'), () => copy(paperSvg(chart)), t('Copy this chart as a vector graphic')),
      link(
        'copy-png',
        t('Copy PNG'),
        () => void copyImage(png()).catch((error: unknown) => fail(messageOf(error))),
        t('Copy this chart at 600 dpi'),
      ),
      link(
        'svg',
        t('Save SVG'),
        () => save(`${chart.id}.svg`, new TextEncoder().encode(paperSvg(chart))),
        t('Save this chart as a vector graphic, for a paper'),
      ),
      link(
        'png',
        t('Save PNG'),
        () => void png().then((bytes) => save(`${chart.id}.png`, bytes)),
        t('Save this chart at 600 dpi, for a paper'),
      ),
    );
    tools.open = this.areToolsOpen;
    tools.addEventListener('toggle', () => (this.areToolsOpen = tools.open));
    return [link('table', this.asTable ? t('Show chart') : t('Show table'), () => this.toggle()), tools];
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
    const isPlain = chart.series.every(({ verdict }) => verdict === 'none');
    if (isPlain && chart.behind === undefined) return null;
    append(
      parts,
      chart.series.map(({ verdict }) => ({
        shape: verdict,
        words: verdict === 'wrong' && !chart.tied ? t('wrong') : legendWords[verdict],
      })),
    );
    if (chart.behind !== undefined)
      parts.push({ shape: 'behind', words: localized(say('panel.withoutFilter')) });
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
