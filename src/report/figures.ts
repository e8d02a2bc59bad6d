import { metricText, scoreText } from '../base/pValue';
import { observationCount } from '../base/text/observations';
import { say, withValues, type Words } from '../base/say';
import { isCount } from '../probe/benchmark/faultNames';
import { observationsIn, type Metric } from '../probe/metric';
import { lostWords } from '../probe/refused/lost';
import { leastImages } from '../stats/decisions/smallSample';
import { standardDeviation } from '../stats/summary';
import type { Report } from './report';

/** A value for display, with as many decimals as its interval needs and at least four, or a dash for null. */
export function figure(value: number | null, ci?: readonly [number, number]): string {
  return value === null ? '–' : scoreText(value, ci);
}

/** The ends of an interval for display; a dash if there is none. */
export function endsOf(ci: readonly [number, number] | undefined): string {
  return ci === undefined ? '–' : `[${ci.map((end) => figure(end, ci)).join(', ')}]`;
}

/** A metric's value. A p value is never rounded to 0.0000, and a number of items has no decimals. */
export function valueOf({ id, value, ci }: Pick<Metric, 'id' | 'value' | 'ci'>): string {
  if (value !== null && isCount(id)) return String(value);
  return value === null ? figure(null) : metricText(id, value, ci);
}

export function interval(metric: Metric): string {
  return metric.ci === undefined ? '' : endsOf(metric.ci);
}

/**
 * The parts of a metric's interval, as the halves of 95 % intervals: what varies between images, and what varies between
 * draws of the same images. Undefined for one draw.
 */
export function partsOfInterval({
  ci,
  draws = [],
}: Pick<Metric, 'ci' | 'draws'>): { images: number; draws: number } | undefined {
  const values = draws.filter((value) => value !== null);
  if (ci === undefined || values.length < 2 || values.length < draws.length) return undefined;
  const whole = (ci[1] - ci[0]) / 2;
  const ofDraws = Math.min(whole, (quantile * standardDeviation(values)) / Math.sqrt(values.length));
  return { images: Math.sqrt(whole ** 2 - ofDraws ** 2), draws: ofDraws };
}

/** The parts of an interval in words; empty for one draw. */
export function partsWords(metric: Pick<Metric, 'ci' | 'draws'>): Words {
  const parts = partsOfInterval(metric);
  return parts === undefined
    ? ''
    : say('report.intervalParts', figure(parts.images, metric.ci), figure(parts.draws, metric.ci));
}

/** The evaluator's name, with a mark if its metrics are a draft. */
export function markedName({ name, draft }: Pick<Report['evaluator'], 'name' | 'draft'>): Words {
  return draft === true ? say('draft.marked', name) : name;
}

/** The seed, or the seeds of several draws. */
export function seedsWords(report: Pick<Report, 'seed' | 'draws' | 'defaultDraws'>): Words {
  const { seed, draws, defaultDraws } = report;
  if (draws === undefined) return say('report.seed', seed);
  if (draws === 1) return say('report.oneDraw', seed);
  const last = seed + draws - 1;
  return defaultDraws === undefined
    ? say('report.draws', draws, seed, last)
    : say('report.drawsByDefault', draws, seed, last);
}

/** The normal quantile for 97.5 %. */
const quantile = 1.959963984540054;

/** A metric's interval for tables, boards and figures, which need more images than a report. */
export function firmInterval(metric: Pick<Metric, 'n' | 'images' | 'texts' | 'ci'>): Metric['ci'] {
  return observationsIn(metric) < leastImages ? undefined : metric.ci;
}

/** The number of rows behind a value and, if several are one observation, such as an image, the number of observations. */
export function countOf({ n, images }: Pick<Metric, 'n' | 'images'>, cluster: string | undefined): Words {
  return images === undefined || images === n
    ? n.toLocaleString('en')
    : say(
        'probe.nameWithDetail',
        n.toLocaleString('en'),
        observationCount(images.toLocaleString('en'), cluster),
      );
}

/** A metric's chance level; empty if unknown. */
export function chanceOf({ chance }: Pick<Metric, 'chance'>): string {
  return chance === undefined ? '' : figure(chance);
}

/** A metric's name with its slice: "visla.t2t" or "lgip.pr (caption length: 8–11)". */
export function metricName(metric: Metric): string {
  const slice = Object.entries(metric.slice ?? {}).map(([key, value]) => `${key}: ${value}`);
  return slice.length === 0 ? metric.id : `${metric.id} (${slice.join(', ')})`;
}

/** A metric's name. Without a slice, the kind of altered entries is added: "rococo.t2i.rsms (mix-0.9)". */
export function metricNameWithKind(metric: Metric): string {
  return metric.kind === undefined ? metricName(metric) : `${metricName(metric)} (${metric.kind})`;
}

/** How many examples were used and left out, and what of the used ones has no score. */
export function usedOf({ examples, skipped, lost }: Report['dataset']): Words {
  const used = say('report.examplesUsed', examples, skipped);
  return lost === undefined
    ? say('dataset.asSentence', used)
    : say('report.usedWithLosses', used, lostWords(lost));
}

/** A note on how many examples the metrics cover; empty if a metric covers all examples. */
export function measuredOf(
  { examples, measured }: { examples: number; measured?: number },
  metrics: readonly Metric[],
): Words {
  if (measured !== undefined && measured < examples) return say('report.examplesInMetrics', measured);
  const isOfExamples = ({ id, slice }: Metric): boolean => slice === undefined && id !== 'refused';
  const most = metrics.reduce((n, metric) => Math.max(n, isOfExamples(metric) ? metric.n : 0), 0);
  if (!metrics.some(({ id }) => id !== 'refused') || most >= examples) return '';
  return most === 0 ? say('report.metricsCoverNothing') : say('report.metricsCoverFew', most);
}

/** A key that identifies a metric and its slice in all reports. */
export function metricKey(metric: Metric): string {
  const slice = Object.entries(metric.slice ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([metric.id, slice]);
}

/** A path for exports. Absolute paths reveal the author's machine, so they are reduced to the file name. */
export function shownPath(path: string): string {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path.split(/[/\\]/).at(-1)! : path;
}

/** An option's value for exports. An absolute path is reduced to the file name. */
export function shownOption(value: unknown): string {
  return typeof value === 'string' ? shownPath(value) : String(value);
}

/** An absolute path in a text: at the start, or after a space, a quote, an opening bracket or "=". */
const absolutePath =
  /(?<=^|[\s"'`(=[])(?:[A-Za-z]:[/\\]|\\\\|\/)(?:[^\s"'`<>|:;,()[\]/\\]+[/\\])+([^\s"'`<>|:;,()[\]/\\]*)/g;

/** Replaces each absolute path in the values of a message with its file name. */
export function withoutPaths(words: Words): Words {
  return withValues(words, onlyFileNames);
}

/** Replaces each absolute path in a text with its file name. */
export function onlyFileNames(text: string): string {
  return text.replace(absolutePath, '$1');
}
