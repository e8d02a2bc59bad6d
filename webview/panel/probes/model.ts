import type { PanelMetric, ReportView } from '../../../src/protocol/panel';

export interface Card {
  title: string;
  /** Cards of one group stand together under its name. */
  group?: string;
  metric: string;
  /** How the value is written. */
  style: 'percent' | 'number';
  /** What guessing would give, marked on the scale. */
  chance?: number;
  /** The scale of the interval's picture. */
  range: readonly [number, number];
  about: string;
}

/** What the panel says about the reports of one probe. */
export interface ProbeModel {
  /** Words for the two columns of captions. */
  before: string;
  after: string;
  cards(report: Figures): Card[];
}

/** What cards are made of: a report's figures, or those of a run that still goes on. */
export type Figures = Pick<ReportView, 'probe' | 'evaluator' | 'metrics'>;

export function metricNamed(report: Figures, id: string): PanelMetric | undefined {
  return report.metrics.find((metric) => metric.id === id && metric.slice === undefined);
}

/** Of a fixed choice, those that the report has. */
export function fixedCards(cards: readonly Card[]): ProbeModel['cards'] {
  return (report) => cards.filter(({ metric }) => metricNamed(report, metric) !== undefined);
}
