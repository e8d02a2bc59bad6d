import { atOnce } from '../../../../src/base/turns/steps';
import type { Example } from '../../../../src/dataset/example';
import { long } from '../../../../src/probe/long/long';
import type { LongRow } from '../../../../src/probe/long/row';
import type { Findings, OptionValue, PlanContext } from '../../../../src/probe/probe';
import { wholePlan } from '../wholePlan';

const things = ['dog', 'cat', 'horse', 'bird'];
const colours = ['red', 'blue', 'green', 'yellow'];

/** A caption of seven or eight sentences, most with an error for the rules to plant. */
export function caption(image: number): string {
  const pick = (list: readonly string[], at: number): string => list[(image + at) % list.length];
  return [
    `A ${pick(colours, 0)} car is parked next to a house.`,
    'Two children play with a ball.',
    `A ${pick(things, 0)} sleeps on a bench.`,
    ...(image % 5 === 0 ? [] : [`A woman wears a ${pick(colours, 1)} shirt.`]),
    `A tree stands on the left.`,
    `A sign hangs above a door.`,
    `The sky is clear over image ${image}.`,
    ...(image % 3 === 0 ? [] : [`A man holds a ${pick(colours, 2)} umbrella.`]),
  ].join(' ');
}

export function example(id: string, text: string, more: Partial<Example> = {}): Example {
  return {
    ...{ id, form: 'captions', row: 0, images: [{ name: `${id}.jpg` }], attributes: {} },
    captions: [{ text, role: 'caption', image: 0, field: 'caption' }],
    ...more,
  };
}

/** Runs the probe like an audit, with scores from the text and the image's true caption. */
export function drive(
  examples: readonly Example[],
  score: (text: string, truth: string) => number,
  {
    options = {},
    truncates,
  }: { options?: Record<string, OptionValue> } & Pick<PlanContext, 'truncates'> = {},
): { rows: LongRow[]; findings: Findings; refused: unknown[] } {
  const shared = { dataset: 'test', seed: 42, options, scores: ['image-text'] as const, language: 'English' };
  const summary = long.summary(shared);
  const [rows, refused]: [LongRow[], unknown[]] = [[], []];
  for (const one of examples) {
    const context: PlanContext = {
      ...shared,
      image: (at) => ({ kind: 'image', source: { name: one.images[at].name, path: '' }, transforms: [] }),
    };
    const reason = long.refuse(one, context);
    if (reason !== undefined) {
      refused.push(reason);
      continue;
    }
    const plan = wholePlan(long, one, context);
    const scores = Float64Array.from(plan.wants, ({ right }) =>
      right.kind === 'text' ? score(right.text, one.captions[0].text) : NaN,
    );
    const measuring = truncates === undefined ? context : { ...context, truncates };
    for (const row of long.measure(one, plan, scores, measuring)) {
      rows.push(row);
      summary.add(row);
    }
  }
  return { rows, findings: atOnce(summary.finish()), refused };
}
