import { draw } from '../../src/chart/draw';
import {
  type FromScatter,
  type ScatterAxis,
  type ScatterState,
  type Side,
  toScatter,
  type ToScatter,
} from '../../src/protocol/scatter';
import { bridgeOf } from '../base/bridge';
import { button, el, table } from '../base/dom';
import { drawingColours, svgOf } from '../base/drawing';
import { t } from '../base/words';

const bridge = bridgeOf<ToScatter, FromScatter, Record<never, never>>(toScatter, {});

/** The limits of the chart's width in pixels. A wider chart has more room between its points, but equal text size. */
const [narrowest, widest] = [320, 860];

/** The page with a chart of robustness and agreement with people, one point per evaluator, and a table. */
class Scatter {
  private state: ScatterState | undefined;
  private readonly chart = el('div', { class: 'chart' });
  private readonly values = el('div', { class: 'values' });
  private readonly note = el('p', { class: 'quiet' });
  private readonly selects: Record<Side, HTMLSelectElement> = { x: this.select('x'), y: this.select('y') };

  start(): void {
    document.adoptedStyleSheets = [drawingColours()];
    document.getElementById('scatter')!.append(
      el('h1', {}, t('Robustness and agreement with people')),
      el(
        'div',
        { class: 'toolbar' },
        el('label', {}, t('Robustness'), this.selects.x),
        el('label', {}, t('Agreement'), this.selects.y),
        button(t('Export…'), () => bridge.post({ type: 'export' })),
      ),
      this.chart,
      this.note,
      this.values,
    );
    new ResizeObserver(() => this.draw()).observe(this.chart);
    bridge.listen(({ state, memory }) => {
      bridge.remember(memory);
      this.show(state);
    });
    bridge.post({ type: 'ready' });
  }

  private select(side: Side): HTMLSelectElement {
    const element = el('select');
    element.addEventListener('change', () => bridge.post({ type: 'choose', side, key: element.value }));
    return element;
  }

  private show(state: ScatterState): void {
    this.state = state;
    for (const side of ['x', 'y'] as const) {
      this.selects[side].replaceChildren(...groupsOf(state.axes[side]));
      this.selects[side].value = state[side];
    }
    this.draw();
    const [x, y] = [this.axis('x'), this.axis('y')];
    const cell = (point: number, side: Side, words: string): HTMLElement =>
      button(words, () => bridge.post({ type: 'open', point, side }), {
        class: 'link',
        title: t('Open the report with this value'),
      });
    this.values.replaceChildren(
      table(
        [t('Evaluator'), x === undefined ? '' : titleOf(x), y === undefined ? '' : titleOf(y)],
        state.points.map(({ name, xText, yText }, i) => [name, cell(i, 'x', xText), cell(i, 'y', yText)]),
      ),
    );
    this.values.hidden = state.points.length === 0;
  }

  private axis(side: Side): ScatterAxis | undefined {
    return this.state?.axes[side].find(({ key }) => key === this.state?.[side]);
  }

  private draw(): void {
    const { state } = this;
    const [x, y] = [this.axis('x'), this.axis('y')];
    if (state === undefined || x === undefined || y === undefined) return;
    const drawing = draw(
      {
        type: 'tradeOff',
        title: t('{0} against {1}', y.name, x.name),
        ...{ x: titleOf(x), y: titleOf(y), points: state.points },
        better: { x: x.better, y: y.better },
      },
      Math.min(widest, Math.max(narrowest, this.chart.clientWidth)),
    );
    this.note.textContent =
      drawing === undefined
        ? t('No evaluator has both metrics.')
        : x.better === undefined || y.better === undefined
          ? t(
              'For one of these metrics, neither low nor high values are better. Therefore, the chart has no line.',
            )
          : t(
              'The line connects the evaluators that no other evaluator beats on both axes. Bars are 95 % intervals.',
            );
    this.chart.replaceChildren(...svgOf(drawing));
  }
}

function groupsOf(axes: readonly ScatterAxis[]): HTMLOptGroupElement[] {
  const groups = new Map<string, HTMLOptGroupElement>();
  for (const { key, group, name, metric } of axes) {
    const own = groups.get(group) ?? el('optgroup');
    own.label = group;
    groups.set(group, own);
    const option = el('option', {}, name === metric ? name : `${name} (${metric})`);
    option.value = key;
    own.append(option);
  }
  return [...groups.values()];
}

function titleOf({ name, better }: ScatterAxis): string {
  if (better === undefined) return name;
  return better === 'lower' ? t('{0} (lower is better)', name) : t('{0} (higher is better)', name);
}

new Scatter().start();
