import { english } from '../../../../src/base/english';
import { createHash } from 'node:crypto';
import { atOnce } from '../../../../src/base/turns/steps';
import type { Example } from '../../../../src/dataset/example';
import type { Item, Want, WantKind } from '../../../../src/protocol/item';
import { lgip } from '../../../../src/probe/lgip/lgip';
import type { LgipRow } from '../../../../src/probe/lgip/row';
import type { Findings, OptionValue, PlanContext } from '../../../../src/probe/probe';
import { wholePlan } from '../wholePlan';

/** An example of one image with captions. */
export function example(id: string, captions: readonly string[], more: Partial<Example> = {}): Example {
  return {
    id,
    form: 'captions',
    row: 0,
    images: [{ name: `${id}.jpg` }],
    captions: captions.map((text) => ({ text, role: 'caption', image: 0, field: 'caption' })),
    attributes: {},
    ...more,
  };
}

const nameOf = (item: Item): string => (item.kind === 'text' ? item.text : item.source.name);

/** A score in [0, 1) that depends only on the two items. */
export function madeUpScore(want: Want): number {
  const digest = createHash('sha256')
    .update(`${nameOf(want.left)}|${nameOf(want.right)}`)
    .digest();
  return digest.readUInt32LE(0) / 2 ** 32;
}

export interface Driven {
  rows: LgipRow[];
  findings: Findings;
  refused: Map<string, string>;
}

/** Runs the probe like an audit, with scores from a function. */
export function drive(
  examples: Iterable<Example>,
  {
    options = {},
    seed = 42,
    scores = ['image-text', 'text-text'],
    score = madeUpScore,
    missing = () => false,
    language,
  }: {
    options?: Record<string, OptionValue>;
    seed?: number;
    scores?: WantKind[];
    score?: (want: Want) => number;
    missing?: (example: Example) => boolean;
    language?: string;
  } = {},
): Driven {
  const shared = { dataset: 'test', seed, options, scores, ...(language === undefined ? {} : { language }) };
  const summary = lgip.summary(shared);
  const rows: LgipRow[] = [];
  const refused = new Map<string, string>();
  for (const one of examples) {
    const context: PlanContext = {
      ...shared,
      image: (index) =>
        missing(one)
          ? undefined
          : {
              kind: 'image',
              source: { name: one.images[index].name, path: one.images[index].name },
              transforms: [],
            },
    };
    const reason = lgip.refuse(one, context);
    if (reason !== undefined) {
      refused.set(one.id, english(reason));
      continue;
    }
    const plan = wholePlan(lgip, one, context);
    for (const row of lgip.measure(one, plan, Float64Array.from(plan.wants, score), context)) {
      rows.push(row);
      summary.add(row);
    }
  }
  return { rows, findings: atOnce(summary.finish()), refused };
}
