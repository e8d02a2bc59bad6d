import { inARow, say, type Words, together } from '../base/say';
import { leastImages } from '../stats/decisions/smallSample';
import { against, intervalOf } from './claim';
import { adjustedTogether, isSupported, shareTestOf } from './claimFamily';
import { chanceWords } from './needed';
import { type Metric, observationsIn, type Claim } from './metric';
import { type Leading, type ProbeView, wholeMetric } from './view';
import { withheldIn } from './inference/withheld';

type View = Pick<ProbeView, 'leading' | 'cards' | 'sentence'>;

/** What a headline needs of a report: without its claims, it would state numbers that the report gives no verdict on. */
export interface Headlined {
  metrics: readonly Metric[];
  claims: readonly Pick<Claim, 'text'>[];
}

/** A report's most important metric in words, with its interval, or that it has no verdict. Undefined without a value. */
export function figureOf(view: View, { metrics, claims }: Headlined): Words | undefined {
  const withheld = withheldIn(claims);
  if (withheld !== undefined) return withheld;
  const found = leadingOf(view, metrics);
  if (found === undefined) return undefined;
  const words = countOf(view, metrics, found.metric) ?? found.leading.words(percent(found.value));
  const interval = bracketed(found.metric.ci);
  return interval.length === 0 ? words : together(words, ...interval);
}

/** The report in one or two sentences: the evaluator, the most important metric with its interval, and slices. */
export function headlineOf(
  view: View,
  evaluator: string,
  { metrics, claims }: Headlined,
  { slices = true } = {},
): Words | undefined {
  const withheld = withheldIn(claims);
  if (withheld !== undefined) return say('base.labelledPart', evaluator, withheld);
  const further = view.sentence?.(metrics, evaluator);
  const found = leadingOf(view, metrics);
  if (found === undefined) return further;
  const { leading, metric, value } = found;
  const count = countOf(view, metrics, metric);
  if (count !== undefined) {
    const few = inARow([say('base.labelledPart', evaluator, count), say('probe.tooLittleData')], ', ');
    return slices && further !== undefined ? say('probe.headlineWithMore', few, further) : few;
  }
  const main =
    leading.sentence?.(evaluator, percent(value), metric) ??
    say('base.labelledPart', evaluator, leading.words(percent(value)));
  const ofInterval = sideOf(view, metrics, metric);
  const doubt = ofInterval.length === 0 && intervalOf(metrics, metric.id) && leading.doubt?.(metrics, claims);
  const side = doubt ? [doubt] : ofInterval;
  const whole = inARow([together(main, ...bracketed(metric.ci)), ...side], ', ');
  const [parts, few] = slices ? partsOf(view, leading, metrics) : [[], []];
  const all = [...parts, ...few];
  const rest = inARow(all, '; ');
  let sentence = say('base.labelledPart', whole, rest);
  // After a verdict such as "below chance level", a colon would make the slices look like its explanation.
  if (parts.length === 0 || side.length > 0) sentence = inARow([whole, ...all], '; ');
  if (parts.length > 0 && leading.parts?.[0].label) sentence = say('probe.headlineWithMore', whole, rest);
  return slices && further !== undefined ? say('probe.headlineWithMore', sentence, further) : sentence;
}

/** A share of too few images for a verdict as a count: "100 %" of one image would say more than it is. */
function countOf({ cards }: View, metrics: readonly Metric[], metric: Metric): Words | undefined {
  const { id, value, n } = metric;
  if (value === null || observationsIn(metric) >= leastImages) return undefined;
  const card = cards(metrics).find((one) => one.metric === id);
  const count = Math.round(value * n);
  if (card?.style !== 'percent' || Math.abs(value * n - count) > 1e-6) return undefined;
  const name = inARow([...(card.group === undefined ? [] : [card.group]), card.title], ': ');
  return say('panel.pointsShown', name, count, n);
}

function leadingOf(
  { leading = [] }: View,
  metrics: readonly Metric[],
): { leading: Leading; metric: Metric; value: number } | undefined {
  for (const own of leading) {
    const metric = metrics.find(
      ({ id, slice, moot }) => own.metric.test(id) && slice === undefined && moot !== true,
    );
    if (typeof metric?.value === 'number') return { leading: own, metric, value: metric.value };
  }
  return undefined;
}

/**
 * The slices in words. Slices without a remark such as "below chance level" form one part. The others are grouped
 * by remark. The second list names slices with too little data for a verdict, without their numbers.
 */
function partsOf(view: View, { parts = [] }: Leading, metrics: readonly Metric[]): [Words[], Words[]] {
  const clear: Words[] = [];
  const few: Words[] = [];
  const unclear = new Map<string, { names: Words[]; slices: Words[]; side: Words }>();
  const clearOnes = supported(
    view,
    metrics,
    parts.map(({ metric }) => metric),
  );
  for (const { metric: id, name, label = name } of parts) {
    const metric = wholeMetric(metrics, id);
    if (typeof metric?.value !== 'number' || metric.moot === true) continue;
    const { ci } = metric;
    if (ci !== undefined && intervalOf(metrics, id) === undefined) {
      few.push(name);
      continue;
    }
    const words = inARow([label, percent(metric.value)], ' ');
    const side = ci ? sideOf(view, metrics, metric, clearOnes.has(id)).at(0) : say('probe.withoutInterval');
    if (side === undefined) {
      clear.push(words);
      continue;
    }
    const key = JSON.stringify(side);
    const same = unclear.get(key) ?? { names: [], slices: [], side };
    same.names.push(name);
    same.slices.push(together(words, ...bracketed(ci)));
    unclear.set(key, same);
  }
  return [
    [
      ...(clear.length === 0 ? [] : [inARow(clear, ', ')]),
      // A shared remark names its slices. Otherwise, the remark would seem to be about the last slice only.
      ...[...unclear.values()].map(({ names, slices, side }) =>
        inARow([...slices, names.length === 1 ? side : named(side, names)], ', '),
      ),
    ],
    few.length === 0 ? [] : [named(say('probe.tooLittleData'), few)],
  ];
}

function named(remark: Words, names: readonly Words[]): Words {
  return say('probe.nameWithDetail', remark, inARow(names, ', '));
}

/** The slices whose difference from chance level is supported by the tests of all slices together. */
function supported(view: View, metrics: readonly Metric[], ids: readonly string[]): Set<string> {
  const tested = ids.flatMap((id) => {
    const chance = chanceOf(view, metrics, id);
    const test = chance === undefined ? undefined : shareTestOf(metrics, id, chance);
    return test === undefined ? [] : [{ id, ...test }];
  });
  return new Set(adjustedTogether(tested).flatMap((one) => (isSupported(one) ? [one.id] : [])));
}

function chanceOf(view: View, metrics: readonly Metric[], id: string): number | undefined {
  return wholeMetric(metrics, id)?.chance ?? view.cards(metrics).find(({ metric }) => metric === id)?.chance;
}

/**
 * A verdict in words if a metric is not clearly above chance level. Empty if its interval is above chance
 * level, or if the interval or the chance level is unknown.
 */
function sideOf(view: View, metrics: readonly Metric[], measured: Metric, isClear = true): Words[] {
  const chance = chanceOf(view, metrics, measured.id);
  const interval = intervalOf(metrics, measured.id);
  if (chance === undefined || interval === undefined) return [];
  const side = isClear ? against(interval, chance) : 'across';
  if (side === 'above') return [];
  return [side === 'below' ? say('probe.belowChance') : chanceWords(measured, chance)];
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`.replace('-', '−');
}

function bracketed(ci: Metric['ci']): string[] {
  if (ci === undefined) return [];
  const [low, high] = ci.map((end) => String(Math.round(end * 100)).replace('-', '−'));
  return [`[${low}${low.startsWith('−') ? ', ' : '–'}${high}]`];
}
