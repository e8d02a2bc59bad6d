import { draw } from '../../src/chart/draw';
import type { ScatterAxis, ScatterState, Side } from '../../src/protocol/scatter';
import { button, el, table } from '../base/dom';
import { svgOf } from '../base/drawing';
import { localized, t } from '../base/words';

/** The limits of the chart's width in pixels. A wider chart has more room between its points, but equal text size. */
const [narrowest, widest] = [320, 860];

interface Actions {
  choose: (side: Side, key: string) => void;
  open: (point: number, side: Side) => void;
  export: () => void;
}

/** A chart of robustness and agreement with people, one point per evaluator, and a table. */
export class AgreementChart {
  readonly element = el('section', { class: 'agreement' });
  private state: ScatterState | undefined;
  private readonly chart = el('div', { class: 'chart' });
  private readonly values = el('div', { class: 'points' });
  private readonly note = el('p', { class: 'quiet' });
  private readonly selects: Record<Side, HTMLSelectElement> = { x: this.select('x'), y: this.select('y') };

  constructor(private readonly actions: Actions) {
    this.element.hidden = true;
    this.element.append(
      el('h2', {}, t('Robustness and agreement with people')),
      el(
        'div',
        { class: 'toolbar' },
        el('label', {}, t('Robustness'), this.selects.x),
        el('label', {}, t('Agreement'), this.selects.y),
        button(t('Export…'), actions.export),
      ),
      this.chart,
      this.note,
      this.values,
    );
    new ResizeObserver(() => this.draw()).observe(this.chart);
  }

  /** Without a state, no evaluator has both metrics, and the section is hidden. */
  show(state: ScatterState | undefined): void {
    this.state = state;
    this.element.hidden = state === undefined;
    if (state === undefined) return;
    for (const side of ['x', 'y'] as const) {
      this.selects[side].replaceChildren(...groupsOf(state.axes[side]));
      this.selects[side].value = state.chosen[side];
    }
    this.draw();
    const [x, y] = [this.axis('x'), this.axis('y')];
    const cell = (point: number, side: Side): HTMLElement =>
      button(
        localized(side === 'x' ? state.points[point].xText : state.points[point].yText),
        () => this.actions.open(point, side),
        {
          class: 'link',
          title: t('Open the report with this value'),
        },
      );
    this.values.replaceChildren(
      table(
        [t('Evaluator'), x === undefined ? '' : titleOf(x), y === undefined ? '' : titleOf(y)],
        state.points.map(({ name }, i) => [name, cell(i, 'x'), cell(i, 'y')]),
      ),
    );
    this.values.hidden = state.points.length === 0;
  }

  private select(side: Side): HTMLSelectElement {
    const element = el('select');
    element.addEventListener('change', () => this.actions.choose(side, element.value));
    return element;
  }

  private axis(side: Side): ScatterAxis | undefined {
    return this.state?.axes[side].find(({ key }) => key === this.state?.chosen[side]);
  }

  private draw(): void {
    const { state } = this;
    const [x, y] = [this.axis('x'), this.axis('y')];
    if (state === undefined || x === undefined || y === undefined) return;
    const drawing = draw(
      {
        type: 'tradeOff',
        title: t('{0} against {1}', localized(y.name), localized(x.name)),
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
    const shown = localized(name);
    const option = el('option', {}, shown === metric ? shown : `${shown} (${metric})`);
    option.value = key;
    own.append(option);
  }
  return [...groups.values()];
}

function titleOf({ name, better }: ScatterAxis): string {
  const shown = localized(name);
  if (better === undefined) return shown;
  return better === 'lower' ? t('{0} (lower is better)', shown) : t('{0} (higher is better)', shown);
}
