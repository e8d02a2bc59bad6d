/* Reads the results of CaptionEvalKit (capevalkit), which have the scores of each caption in "per_item". */
import { basename } from 'node:path';
import { type Log, type LoggedSample, scoreOf, textOf } from './log';
import { isRecord } from '../../base/quickTest';

/** The fields of an item that are no scores of the metric. */
const others = new Set(['id', 'ground_truth_score', 'caption', 'image', 'references', 'scores']);

/** The items of `capevalkit score`, or of `capevalkit benchmark`, which has them one level deeper. */
export function itemsOf(value: unknown): Record<string, unknown> | undefined {
  if (!isRecord(value)) return undefined;
  const { per_item: items } = isRecord(value.raw_metric_output) ? value.raw_metric_output : value;
  return isRecord(items) ? items : undefined;
}

/** `score` repeats one of the scores if the item has several. */
export function capEvalKitLog(path: string, value: unknown, items: Record<string, unknown>): Log {
  const { benchmark, metric } = isRecord(value) ? value : {};
  const samples = Object.entries(items).map(([id, item]): LoggedSample => {
    if (!isRecord(item)) return { id, scores: new Map([['score', scoreOf(item)]]), fields: {} };
    const several = isRecord(item.scores) ? item.scores : undefined;
    const own = several ?? Object.fromEntries(Object.entries(item).filter(([name]) => !others.has(name)));
    return {
      ...{ id, fields: item, answer: textOf(item.caption) },
      scores: new Map(Object.entries(own).map(([name, score]) => [name, scoreOf(score)])),
    };
  });
  const name = basename(path, '.json');
  const texts = { task: textOf(benchmark) ?? 'captions', model: textOf(metric) ?? name };
  return { program: 'CaptionEvalKit', ...texts, samples, better: new Map() };
}
