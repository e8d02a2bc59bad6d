import type { LabelledCaption, Verdict } from '../../src/protocol/rows';

/** A caption and its result by each evaluator. The result is undefined if the evaluator did not score the caption. */
export interface Scored {
  caption: LabelledCaption;
  by: (LabelledCaption | undefined)[];
}

const ranks: Record<Verdict, number> = { wrong: 0, tie: 1, none: 2, right: 3 };

/** An example's captions with all evaluators' scores: reference captions, then variants, worst first. */
export function worstFirst(all: readonly (readonly LabelledCaption[])[]): Scored[] {
  const [own = []] = all;
  const scored = own.map((caption) => ({ caption, by: all.map((other) => sameIn(other, caption)) }));
  const isReference = ({ caption }: Scored) => caption.against === undefined;
  return [
    ...scored.filter(isReference),
    ...scored
      .filter((each) => !isReference(each))
      .map((each) => ({ each, keys: keysOf(each) }))
      .sort((a, b) => a.keys[0] - b.keys[0] || a.keys[1] - b.keys[1])
      .map(({ each }) => each),
  ];
}

function sameIn(captions: readonly LabelledCaption[], own: LabelledCaption): LabelledCaption | undefined {
  return captions.find(
    ({ text, label }) => text === own.text && JSON.stringify(label) === JSON.stringify(own.label),
  );
}

/** The sort keys of a worst result: the verdict, then the size of the change, which is good if right. */
function keysOf({ by }: Scored): readonly [number, number] {
  const keys = by.flatMap((caption) => {
    if (caption === undefined) return [];
    const change = Math.abs(caption.delta ?? 0);
    return [[ranks[caption.verdict], caption.verdict === 'right' ? change : -change] as const];
  });
  return keys.reduce(
    (worst, key) => (key[0] < worst[0] || (key[0] === worst[0] && key[1] < worst[1]) ? key : worst),
    [ranks.right + 1, 0] as const,
  );
}
