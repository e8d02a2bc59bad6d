import { english } from '../../../src/base/english';
import { say, type Words } from '../../../src/base/say';
import type { Chart } from '../../../src/protocol/parts/chart';
import { escapeMarkdown, inEnglish } from '../../base/format';

const { percent, plain, whole } = inEnglish;

/** The actions of clicks on a chart and on the buttons of its table. */
export interface PlotActions {
  filterFacet(facet: string, value: string): void;
  filterRange(low: number, high: number, judged?: boolean): void;
  open(index: number): void;
}

interface Table {
  caption: string;
  heads: string[];
  rows: { cells: string[]; act?: () => void }[];
  /** The label of the button in each row. */
  verb: string;
}

/** The numbers of a chart as a Markdown table, in English. */
export function markdownOf(chart: Chart): string {
  const nothing: PlotActions = {
    filterFacet: () => undefined,
    filterRange: () => undefined,
    open: () => undefined,
  };
  const { caption, heads, rows } = numbersOf(chart, nothing, english);
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    `**${escapeMarkdown(caption)}**`,
    '',
    line(heads),
    `|${heads.map(() => '---|').join('')}`,
    ...rows.map(({ cells }) => line(cells)),
    '',
  ].join('\n');
}

const pointsTold = 200;
export const verdictWords = {
  right: say('visla.right'),
  wrong: say('panel.wrong'),
  none: say('panel.noVerdict'),
} as const;

/** Which of two compared evaluators are right. Here, x and y mean the evaluators on the axes of the chart. */
export const sideWords = {
  both: say('panel.bothRight'),
  onlyFirst: say('panel.onlyHorizontalRight'),
  onlySecond: say('panel.onlyVerticalRight'),
  neither: say('panel.neitherRight'),
} as const;

/** The numbers of a chart as a table. `localized` translates its words. */
export function numbersOf(chart: Chart, actions: PlotActions, localized: (words: Words) => string): Table {
  switch (chart.type) {
    case 'histogram':
      return {
        caption: localized(chart.title),
        heads: [
          localized(say('panel.rangeFrom')),
          localized(say('panel.rangeTo')),
          ...chart.series.map(({ verdict }) => localized(verdictWords[verdict])),
          ...(chart.behind === undefined ? [] : [localized(say('panel.withoutFilter'))]),
        ],
        verb: localized(say('panel.filter')),
        rows: chart.edges.slice(1).map((edge, i) => ({
          cells: [
            ...[plain(chart.edges[i]), plain(edge)],
            ...chart.series.map(({ counts }) => whole(counts[i])),
            ...(chart.behind === undefined ? [] : [whole(chart.behind[i])]),
          ],
          act: () => actions.filterRange(chart.edges[i], edge, chart.judged),
        })),
      };
    case 'shares':
      return {
        caption: localized(chart.title),
        heads: [localized(chart.title), localized(say('panel.shareRight')), localized(say('export.ci')), 'n'],
        verb: localized(say('panel.filter')),
        rows: chart.values.map(({ value, name, share, interval, n }) => ({
          cells: [localized(name ?? value), percent(share, 1), intervalText(interval), whole(n)],
          ...filterBy(chart.facet, value, actions),
        })),
      };
    case 'points':
      return pointsTable(chart, actions, localized, ({ right }) =>
        chart.isJudged ? verdictWords[right ? 'right' : 'wrong'] : verdictWords.none,
      );
    case 'versus':
      return pointsTable(chart, actions, localized, ({ side }) =>
        side === undefined ? verdictWords.none : sideWords[side],
      );
  }
}

function filterBy(facet: string | undefined, value: string, actions: PlotActions): { act?: () => void } {
  return facet === undefined ? {} : { act: () => actions.filterFacet(facet, value) };
}

/** What charts of points have in common. */
interface PointsOf<P> {
  title: Chart['title'];
  x: { title: Words };
  y: { title: Words };
  points: readonly P[];
  of: number;
}

/** The first points of a chart. `resultOf` says what became of a point. */
function pointsTable<P extends { x: number; y: number; index: number }>(
  { title, x, y, points, of }: PointsOf<P>,
  actions: PlotActions,
  localized: (words: Words) => string,
  resultOf: (point: P) => Words,
): Table {
  const told = points.slice(0, pointsTold);
  return {
    caption: localized(say('panel.pointsShown', title, whole(told.length), whole(of))),
    heads: [localized(x.title), localized(y.title), localized(say('panel.result'))],
    verb: localized(say('panel.open')),
    rows: told.map((point) => ({
      cells: [plain(point.x), plain(point.y), localized(resultOf(point))],
      act: () => actions.open(point.index),
    })),
  };
}

/** The interval in percent; empty if it does not exist. A filtered selection has no intervals. */
export function intervalText(interval: readonly [number, number] | undefined): string {
  return interval === undefined ? '' : `[${interval.map((end) => percent(end, 1)).join(', ')}]`;
}
