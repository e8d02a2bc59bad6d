import { draw } from '../../src/chart/draw';
import type { BoardTrend, BoardTrends } from '../../src/protocol/board';
import { choiceOf } from '../base/choices';
import { button, el, table } from '../base/dom';
import { drawingColours, svgOf } from '../base/drawing';
import { localized, localNumber, t } from '../base/words';

/** The limits of a chart's width in pixels. */
const [narrowest, widest] = [320, 860];

/** The charts of checkpoints and runs: a metric against the step or run with its bands, and a table of them. */
export class TrendCharts {
  readonly element = el('section', { class: 'trends' });
  private trends: readonly BoardTrend[] = [];
  private readonly charts: HTMLElement[] = [];

  /** The trend whose metric was chosen last. Its new list gets the focus. */
  private chosen: string | undefined;

  constructor(
    private readonly open: (trend: number, step: number) => void,
    private readonly choose: (key: string, metric: string) => void,
  ) {
    document.adoptedStyleSheets = [drawingColours()];
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show({ trends, missing }: BoardTrends): void {
    this.trends = trends;
    this.charts.length = 0;
    const choices = trends.map((trend) => this.choice(trend));
    const parts = trends.map((trend, i) => {
      const chart = el('div', { class: 'chart' });
      this.charts.push(chart);
      return [choices[i], chart, el('p', { class: 'quiet' }, notesOf(trend)), this.steps(trend, i)];
    });
    const why = missing.map(({ series, why: words }) =>
      el('p', { class: 'quiet' }, t('No trend of {0}: {1}', series, localized(words))),
    );
    this.element.replaceChildren(...parts.flat(), ...why);
    this.element.hidden = parts.length === 0 && why.length === 0;
    this.draw();
    const at = trends.findIndex(({ key }) => key === this.chosen);
    if (at >= 0) choices[at].focus();
    this.chosen = undefined;
  }

  private choice({ key, metric, metrics, series }: BoardTrend): HTMLElement {
    const options = metrics.map((id) => [id, id] as const);
    return choiceOf(t('Metric of {0}', series), options, metric, (id) => {
      this.chosen = key;
      this.choose(key, id);
    });
  }

  private steps({ steps, best, ofRuns }: BoardTrend, at: number): HTMLElement {
    const stateOf = ({ step, groundless, inBest, doubt }: BoardTrend['steps'][number]): string => {
      if (doubt !== undefined) return localized(doubt);
      if (groundless) return t('at chance level');
      if (step === best) return ofRuns === undefined ? t('best step') : t('best run');
      return inBest ? t('not apart from the best') : '';
    };
    const verdicts =
      ofRuns === undefined
        ? { better: t('better than the step before'), worse: t('worse than the step before') }
        : { better: t('better than the run before'), worse: t('worse than the run before') };
    // Without tests, the last two columns would be empty, and look like "no change".
    const columns = ofRuns?.untested === undefined ? 5 : 3;
    const heads = [
      axisOf({ ofRuns }),
      ...[t('Value'), columns === 5 ? t('95 % band') : t('95 % interval'), t('Change'), t('Best')],
    ];
    return table(
      heads.slice(0, columns),
      steps.map((own, i) =>
        [
          own.at === undefined ? localNumber(String(own.step)) : `${own.step} · ${dateOf(own.at)}`,
          button(localNumber(own.text), () => this.open(at, i), {
            class: 'link',
            title: t('Open the report with this value'),
          }),
          // Without tests, there is no column for it.
          [
            localNumber(own.interval),
            ...(columns === 3 && own.doubt !== undefined ? [localized(own.doubt)] : []),
          ].join(' · '),
          own.verdict === undefined ? '' : verdicts[own.verdict],
          stateOf(own),
        ].slice(0, columns),
      ),
    );
  }

  private draw(): void {
    const width = Math.min(widest, Math.max(narrowest, this.element.clientWidth));
    for (const [i, trend] of this.trends.entries()) {
      const { metric, steps, ofRuns } = trend;
      // A line would join runs that no test compares, such as those on different data.
      const afterGap = ofRuns?.untested !== undefined;
      const points = steps.map(({ step, value, band }) => ({
        ...{ x: step, y: value, afterGap },
        ...(band === undefined ? {} : { ci: [band.low, band.high] as const }),
      }));
      const drawing = draw(
        {
          ...{ type: 'curves', title: titleOf(trend) },
          // There is no step between two steps, so each tick is one.
          axes: { x: axisOf(trend), y: metric, ticks: steps.map(({ step: x }) => ({ x, name: String(x) })) },
          curves: [{ name: '', points }],
        },
        width,
      );
      this.charts[i].replaceChildren(...svgOf(drawing));
    }
  }
}

function titleOf({ metric, series, dataset }: BoardTrend): string {
  return `${metric} · ${dataset} · ${series}`;
}

function axisOf({ ofRuns }: Pick<BoardTrend, 'ofRuns'>): string {
  return ofRuns === undefined ? t('Step') : t('Run');
}

function dateOf(time: number): string {
  return new Date(time).toLocaleString(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
}

/** What a trend of runs shows and which tests it has, or the best of the steps. */
function notesOf(trend: BoardTrend): string {
  const { ofRuns, best, steps } = trend;
  if (ofRuns === undefined) return bestOf(trend);
  const { of, untested } = ofRuns;
  const shown = of > steps.length ? [t('The newest {0} of {1} runs.', steps.length, of)] : [];
  const bands = t('The bands hold for all runs together with 95 %.');
  const tested =
    untested !== undefined
      ? [t('Each interval holds for its run alone, and no test compares the runs: {0}', localized(untested))]
      : best === undefined
        ? [t('All runs are at chance level, so there is no best run.'), bands]
        : [...(isDoubted(trend) ? [] : [t('Best run: {0}.', localNumber(String(best)))]), bands];
  return [...shown, ...tested].join(' ');
}

/** Whether the report of the best step has no verdict. */
function isDoubted({ best, steps }: BoardTrend): boolean {
  return steps.some(({ step, doubt }) => step === best && doubt !== undefined);
}

function bestOf(trend: BoardTrend): string {
  const { best } = trend;
  const bands = t('The bands hold for all steps together with 95 %.');
  if (best === undefined) return `${t('All steps are at chance level, so there is no best step.')} ${bands}`;
  if (isDoubted(trend)) return bands;
  return `${t('Best step: {0}.', localNumber(String(best)))} ${bands}`;
}
