/* Deletes, repeats and moves whole sentences of a caption. */
import type { RandomFor } from '../text/flip/flip';
import type { Span } from '../text/variant';
import { type EditKind } from './kinds';

export interface SentenceEdit {
  kind: EditKind;
  text: string;
  /** The edited sentence in the caption. */
  was: Span;
  /** The sentence in `text`; empty at the place of a deleted one. */
  span: Span;
}

/** A sentence that starts with one of these words needs the sentence before it. */
const refers =
  /^["'“(]*(?:he|she|it|they|his|her|its|their|this|that|these|those|there|the (?:other|others|second|third|former|latter|rest)|another|one|both|each|some|all|next|beside|besides|behind|also|however|then|above|below|underneath|additionally|furthermore|moreover|in addition)\b/iu;

/** One edit of each kind, of random sentences. A sentence is moved only if neither it nor its neighbours refer back. */
export function sentenceEdits(
  caption: string,
  sentences: readonly Span[],
  randomFor: RandomFor,
): SentenceEdit[] {
  const texts = sentences.map((span) => caption.slice(...span));
  const places = texts.map((_, at) => at);
  const between = places.slice(1).map((at) => caption.slice(sentences[at - 1][1], sentences[at][0]));
  const [head, tail] = [caption.slice(0, sentences[0][0]), caption.slice(sentences.at(-1)![1])];
  const joined = (
    kind: EditKind,
    order: readonly number[],
    { edited, place, spaces }: { edited: number; place: number; spaces: readonly string[] },
  ): SentenceEdit => {
    let text = head;
    let from = text.length;
    for (const [nth, at] of order.entries()) {
      if (nth === place) from = text.length;
      text += texts[at] + (nth < order.length - 1 ? spaces[nth] : '');
    }
    if (place >= order.length) from = text.length;
    const span: Span = [from, kind === 'delete' ? from : from + texts[edited].length];
    return { kind, text: text + tail, was: sentences[edited], span };
  };
  const gone = randomFor('long.delete').pick(places);
  const twice = randomFor('long.repeat').pick(places);
  const edits = [
    joined(
      'delete',
      places.filter((at) => at !== gone),
      {
        edited: gone,
        place: gone,
        spaces: between.filter((_, at) => at !== Math.min(gone, between.length - 1)),
      },
    ),
    joined(
      'repeat',
      places.flatMap((at) => (at === twice ? [at, at] : [at])),
      { edited: twice, place: twice + 1, spaces: [...between.slice(0, twice), ' ', ...between.slice(twice)] },
    ),
  ];
  const random = randomFor('long.move');
  const isFree = (at: number): boolean => at >= texts.length || !refers.test(texts[at]);
  const movable = places.filter((at) => isFree(at) && isFree(at + 1));
  const moves = movable.flatMap((at) =>
    places.flatMap((to) => {
      const order = places.filter((own) => own !== at);
      // Only the neighbours change. A sentence that refers back must keep the one before it.
      if (to === at || (to < order.length && !isFree(order[to]))) return [];
      order.splice(to, 0, at);
      return [{ order, at, to }];
    }),
  );
  if (moves.length > 0) {
    const { order, at, to } = random.pick(moves);
    edits.push(joined('move', order, { edited: at, place: to, spaces: between }));
  }
  return edits.filter(({ text }) => text !== caption);
}
