/* What the rows of audited reports say about items: the credit of an evaluator for each choice of a caption. */
import type { ChoiceRow } from '../../choice/row';
import type { ImportedRow } from '../../imported/row';
import type { Row } from '../../metric';
import type { SugarcrepeRow } from '../../sugarcrepe/row';
import type { VislaRow } from '../../visla/row';
import type { WinogroundRow } from '../../winoground/row';
import { creditOf, type Item } from '../items';
import { addTo } from '../../../base/lists';

/** A choice that an evaluator made. */
export interface Answer {
  image: string | undefined;
  right: string;
  credit: number;
}

/** The choices of captions in a row, by the probe of its report. */
export const answersBy: ReadonlyMap<string, (row: Row) => Answer[]> = new Map([
  ['sugarcrepe', (row) => ofSugarcrepe(row as SugarcrepeRow)],
  ['visla', (row) => ofVisla(row as VislaRow)],
  ['winoground', (row) => ofWinoground(row as WinogroundRow)],
  ['choice', (row) => ofChoice(row as ChoiceRow)],
]);

function ofSugarcrepe({ image, caption, i2t: withImage }: SugarcrepeRow): Answer[] {
  if (withImage === undefined) return [];
  return [{ image, right: caption, credit: creditOf([withImage.caption, withImage.negative], 0) }];
}

function ofVisla({ image, p1, p2, i2t }: VislaRow): Answer[] {
  if (i2t === undefined) return [];
  return [
    { image, right: p1, credit: creditOf([i2t.p1, i2t.n], 0) },
    { image, right: p2, credit: creditOf([i2t.p2, i2t.n], 0) },
  ];
}

function ofWinoground({ captions, images, c0i0, c1i0, c0i1, c1i1 }: WinogroundRow): Answer[] {
  return [
    { image: images[0], right: captions[0], credit: creditOf([c0i0, c1i0], 0) },
    { image: images[1], right: captions[1], credit: creditOf([c1i1, c0i1], 0) },
  ];
}

function ofChoice({ captions, images, rightOf, scores, decisions }: ChoiceRow): Answer[] {
  return images.flatMap((image, i) => {
    const own = captions.map((_, c) => c).filter((c) => rightOf[c] === i);
    const wrong = captions.map((_, c) => c).filter((c) => rightOf[c] !== i);
    if (wrong.length === 0) return [];
    if (decisions === undefined)
      return own.map((c) => ({
        ...{ image, right: captions[c] },
        credit: creditOf([scores[i][c], ...wrong.map((other) => scores[i][other])], 0),
      }));
    return own.length === 1 ? [{ image, right: captions[own[0]], credit: decisions.text[i] ? 1 : 0 }] : [];
  });
}

/** The scores of a log that can be credits: from 0 to 1, and not better if lower. */
export function creditScores(rows: readonly ImportedRow[]): string[] {
  const names = new Set(rows.flatMap(({ scores }) => Object.keys(scores)));
  return [...names].filter((name) =>
    rows.every(
      ({ scores, better }) =>
        better?.[name] !== 'lower' &&
        (scores[name] === undefined || (scores[name] >= 0 && scores[name] <= 1)),
    ),
  );
}

/** Finds the item of an answer. The n-th answer with equal captions of an example belongs to the n-th such item. */
export class Joined {
  private readonly items = new Map<string, number[]>();
  private readonly ofExample = new Map<string, number[]>();

  constructor(items: readonly Item[]) {
    for (const [i, { example, image, captions, right }] of items.entries()) {
      addTo(this.items, keyOf(example, image, captions[right]), i);
      addTo(this.ofExample, example, i);
    }
  }

  /** A function that finds the items of one report's answers. */
  finder(): (example: string, answer: Answer) => number | undefined {
    const seen = new Map<string, number>();
    return (example, { image, right }) => {
      const key = keyOf(example, image, right);
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      return this.items.get(key)?.at(before);
    };
  }

  /** The item of an example that has only one. */
  only(example: string): number | undefined {
    const own = this.ofExample.get(example);
    return own?.length === 1 ? own[0] : undefined;
  }
}

function keyOf(example: string, image: string | undefined, right: string): string {
  return JSON.stringify([example, image, right.trim()]);
}
