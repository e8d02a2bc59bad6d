import type { PanelMetric, ReportView } from '../../src/protocol';

export interface Card {
  title: string;
  metric: string;
  /** How the value is written. */
  style: 'percent' | 'number';
  /** What guessing would give, marked on the scale. */
  chance?: number;
  /** The scale of the interval's picture. */
  range: readonly [number, number];
  about: string;
}

/** A part of the sentence, with the rule by which it was earned. */
export interface Claim {
  text: string;
  rule: string;
}

/** What the panel says about the reports of one probe. */
export interface ProbeModel {
  /** Words for the two columns of captions. */
  before: string;
  after: string;
  cards(report: ReportView): Card[];
  claims(report: ReportView): Claim[];
}

export function metricNamed(report: ReportView, id: string): PanelMetric | undefined {
  return report.metrics.find((metric) => metric.id === id && metric.slice === undefined);
}

/** The interval of a metric where it has one: no claim is made without. */
export function intervalOf(report: ReportView, id: string): readonly [number, number] | undefined {
  const metric = metricNamed(report, id);
  return metric?.value === null ? undefined : metric?.ci;
}

/** Where an interval lies against a value: wholly above it, wholly below it, or across. */
export function against([low, high]: readonly [number, number], value: number): 'above' | 'below' | 'across' {
  if (low > value) return 'above';
  return high < value ? 'below' : 'across';
}
