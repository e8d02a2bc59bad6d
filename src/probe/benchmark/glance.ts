/* The two findings about a benchmark that matter most: its ceilings, and the best model without images. */
import { english } from '../../base/english';
import { allOf, type Steps } from '../../base/turns/steps';
import type { Metric } from '../metric';
import { benchmark } from './benchmark';
import { type Baseline, blindColumns } from './blind/baselines';
import { Corpus } from './blind/corpus';
import { testedBaselines } from './blind/verdict';
import { imageBlind, orderBlind } from './ceilings';
import { Columns } from './columns';
import type { Item } from './items';

/** As JSON. Shares are of items. */
export interface Glance {
  items: number;
  images: number;
  ceilings: { orderBlind: number | null; imageBlind?: number | null };
  /** The best model without images, if a test says that it is better than chance. `p` is adjusted by Holm. */
  blind?: { name: Baseline; accuracy: number; chance: number; ci: readonly [number, number]; p: number };
  sentences: string[];
}

const fewestImages = 20;

/** Undefined below 20 images. A sample says nothing about the ceiling without images, which depends on all items. */
export function* glanceAt(
  items: readonly Item[],
  seed: number,
  isSample: boolean,
): Steps<Glance | undefined> {
  const columns = new Columns(items);
  if (columns.clusters < fewestImages) return undefined;
  const corpus = new Corpus(items, seed);
  yield;
  const order = yield* columns.metric({
    id: 'benchmark.orderBlind.ceiling',
    ...orderBlind(items),
    ties: true,
  });
  const image = isSample
    ? undefined
    : yield* columns.metric({ id: 'benchmark.imageBlind.ceiling', ...imageBlind(items), ties: true });
  const blind = yield* allOf(yield* blindColumns(corpus), function* ([, column]) {
    return [yield* columns.metric(column)];
  });
  const metrics: Metric[] = [order, ...(image === undefined ? [] : [image]), ...blind];
  const best = testedBaselines(metrics).find(({ isAbove }) => isAbove);
  return {
    ...{ items: items.length, images: columns.clusters },
    ceilings: { orderBlind: order.value, ...(image === undefined ? {} : { imageBlind: image.value }) },
    ...(best === undefined
      ? {}
      : {
          blind: {
            ...{ name: best.name, accuracy: best.metric.value!, chance: best.chance },
            ...{ ci: best.metric.ci!, p: best.adjusted },
          },
        }),
    sentences: benchmark.claims(metrics).map(({ text }) => english(text)),
  };
}
