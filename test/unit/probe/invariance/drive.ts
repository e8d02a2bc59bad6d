import { english } from '../../../../src/base/english';
import { createHash } from 'node:crypto';
import { atOnce } from '../../../../src/base/turns/steps';
import type { Example } from '../../../../src/dataset/example';
import type { Instance, Instances } from '../../../../src/dataset/instances';
import type { Item, Want, WantKind } from '../../../../src/protocol/item';
import type { Scale } from '../../../../src/evaluator/evaluator';
import { lexicon } from '../../../../src/perturb/society/lexicon';
import { invariance } from '../../../../src/probe/invariance/invariance';
import type { InvarianceRow } from '../../../../src/probe/invariance/row';
import type { Findings, OptionValue, PlanContext } from '../../../../src/probe/probe';
import { wholePlan } from '../wholePlan';

export const size = { width: 100, height: 80 };

export function example(id: string, captions: readonly string[] = []): Example {
  return {
    id,
    form: 'captions',
    row: 0,
    images: [{ name: `photos/${id}.jpg` }],
    captions: captions.map((text) => ({ text, role: 'caption', image: 0, field: 'caption' })),
    attributes: {},
  };
}

/** An object whose outline is its box. */
export function box(
  label: string,
  x: number,
  y: number,
  w: number,
  h: number,
  more: Partial<Instance> = {},
): Instance {
  const polygon = [x, y, x + w, y, x + w, y + h, x, y + h];
  return { label, box: [x, y, w, h], area: w * h, crowd: false, outline: { polygons: [polygon] }, ...more };
}

export function instancesOf(images: Record<string, Instance[]>): Instances {
  return {
    path: 'instances.json',
    sha256: 'made up',
    images: new Map(Object.entries(images).map(([id, instances]) => [`${id}.jpg`, { ...size, instances }])),
  };
}

function nameOf(item: Item): string {
  return item.kind === 'text' ? item.text : JSON.stringify([item.source.name, item.transforms]);
}

/** A score in (0, 1) that depends only on the two items. */
export function madeUpScore({ left, right }: Want): number {
  const digest = createHash('sha256')
    .update(`${nameOf(left)}|${nameOf(right)}`)
    .digest();
  return (digest.readUInt32LE(0) + 0.5) / 2 ** 32;
}

export interface Driven {
  rows: InvarianceRow[];
  /** Computed on request, because every metric takes ten thousand resamples. */
  findings: () => Findings;
  refused: Map<string, string>;
  wants: Want[];
}

export function drive(
  examples: readonly Example[],
  instances: Instances | undefined,
  {
    options = {},
    seed = 42,
    score = madeUpScore,
    scores = ['image-text'],
    scale,
    surroundings,
    shade,
  }: {
    options?: Record<string, OptionValue>;
    seed?: number;
    score?: (want: Want) => number;
    scores?: WantKind[];
    scale?: Scale;
    /** How varied the background around each example's object is. */
    surroundings?: (id: string) => number;
    /** How much darker one direction around each example's object is. */
    shade?: (id: string) => number;
  } = {},
): Driven {
  const shared = {
    dataset: 'test',
    seed,
    options,
    scores,
    beside: { lexicon, ...(instances === undefined ? {} : { instances }) },
    ...(scale === undefined ? {} : { scale }),
  };
  const summary = invariance.summary(shared);
  const driven: Omit<Driven, 'findings'> = { rows: [], refused: new Map(), wants: [] };
  for (const one of examples) {
    const context: PlanContext = {
      ...shared,
      image: (index) => {
        const { name } = one.images[index];
        return name.includes('missing')
          ? undefined
          : { kind: 'image', source: { name, path: name }, transforms: [] };
      },
    };
    const reason = invariance.refuse(one, context);
    if (reason !== undefined) {
      driven.refused.set(one.id, english(reason));
      continue;
    }
    const plan = wholePlan(invariance, one, context);
    driven.wants.push(...plan.wants);
    const seams = (plan.moved ?? []).map((_, i) => ({
      ok: true as const,
      value: {
        ...{ background: 0, seam: 1 + i / 10 },
        ...(surroundings === undefined ? {} : { surroundings: surroundings(one.id) }),
        ...(shade === undefined ? {} : { shade: shade(one.id) }),
      },
    }));
    for (const row of invariance.measure(one, plan, Float64Array.from(plan.wants, score), context, seams)) {
      driven.rows.push(row);
      summary.add(row);
    }
  }
  return { ...driven, findings: () => atOnce(summary.finish()) };
}
