import type { Card } from '../../src/protocol/panel';

/** The positions of the values in order. Missing values are last, and equal values keep their order. */
export function byValue(values: readonly (number | null | undefined)[], isDescending: boolean): number[] {
  const key = (at: number) => values[at] ?? (isDescending ? -Infinity : Infinity);
  return [...values.keys()].sort((a, b) => {
    if (key(a) === key(b)) return a - b;
    return key(a) < key(b) === isDescending ? 1 : -1;
  });
}

/** The cards in order, but those of several ways to fail take each other's places, the highest value first. */
export function worstFirst<C extends Pick<Card, 'worstFirst'>>(
  cards: readonly C[],
  valueOf: (card: C) => number | null | undefined,
): C[] {
  const places = [...cards.keys()].filter((at) => cards[at].worstFirst);
  const order = byValue(
    places.map((at) => valueOf(cards[at])),
    true,
  );
  const ordered = [...cards];
  places.forEach((at, i) => (ordered[at] = cards[places[order[i]]]));
  return ordered;
}
