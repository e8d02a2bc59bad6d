import { conceptOf, isListed } from '../../words/concepts';
import { singular } from '../../words/number';
import { nounPhraseAt } from '../analysis';
import type { Token } from '../token';
import { variantOf, type TextVariant } from '../variant';
import { list } from '../words';

/** Kinds of landmarks (nouns after a relation) that allow both the relation and its opposite. */
type Landmark = 'any' | 'one front' | 'stood on' | 'entered' | 'at height';

const opposites: readonly (readonly [words: string, opposite: string, landmark: Landmark])[] = [
  ['in front of', 'behind', 'one front'],
  ['on top of', 'underneath', 'stood on'],
  ['next to', 'far from', 'any'],
  ['on the left', 'on the right', 'any'],
  ['above', 'below', 'at height'],
  ['inside', 'outside', 'entered'],
  ['behind', 'in front of', 'any'],
  ['underneath', 'on top of', 'stood on'],
  ['under', 'on top of', 'stood on'],
  ['beneath', 'on top of', 'stood on'],
  ['below', 'above', 'at height'],
  ['outside', 'inside', 'entered'],
  ['beside', 'far from', 'any'],
  ['near', 'far from', 'any'],
  ['far from', 'next to', 'any'],
];

const stoodOn =
  /^(table|desk|chair|stool|bench|couch|sofa|bed|shelf|bookshelf|dresser|counter|car|truck|bus|van|box|crate|suitcase|tray|book|bridge|rug|blanket|pillow|mat)$/;
const entered =
  /^(house|building|restaurant|cafe|store|shop|church|barn|garage|shed|tent|hut|museum|station|car|truck|bus|van|train|box|basket|bag|suitcase|bowl|cup|drawer|cage|crate|fence|room|bathroom|kitchen|bedroom|office|stadium|hotel|hospital|school|library|airport|vehicle|airplane|boat|enclosure)$/;
const atHeight =
  /^(door|window|sign|shelf|cabinet|clock|mirror|painting|picture|sink|toilet|stove|oven|fireplace|bed|couch|table|desk|counter|television|tv|light|lamp|bench)$/;

/** Places under the open sky. A caption that names one of them is not about the inside of a building. */
const outdoors =
  /^(street|road|highway|sidewalk|pavement|field|meadow|grass|lawn|yard|garden|park|beach|mountain|hill|slope|forest|river|lake|ocean|sky|runway|track)s?$/;

/** Whether the opposite relation also makes sense with the noun phrase at `at`. */
function isLandmark(tokens: readonly Token[], at: number, needs: Landmark): boolean {
  const phrase = nounPhraseAt(tokens, at);
  if (phrase === undefined || tokens[phrase.to]?.lower === 'of') return false;
  const head = singular(phrase.head.lower, isListed);
  if (
    /^(image|picture|photo|camera|background|foreground|distance|air|group|bunch|other|one|each|another)$/.test(
      head,
    )
  )
    return false;
  // Phrases that refer to something else in the caption are not landmarks: "each other", "his car", "a close banana".
  if (
    tokens
      .slice(at, phrase.to)
      .some(
        ({ lower, pos }) =>
          pos === 'PRON' || /^(each|other|another|its|their|his|her|close|nearby)$/.test(lower),
      )
  )
    return false;
  // "On top of a bed on the comforter": what the caption adds about the place would not fit the opposite.
  if (needs === 'stood on' && tokens[phrase.to]?.lower === 'on') return false;
  const group = conceptOf(head);
  switch (needs) {
    case 'one front':
      return !twoFronts.has(head) && isThing(group);
    case 'any':
      return isThing(group);
    case 'stood on':
      return stoodOn.test(head);
    case 'entered':
      return entered.test(head);
    case 'at height':
      return atHeight.test(head);
  }
}

function isThing(group: string | undefined): boolean {
  return (
    group !== undefined &&
    !/^(direction|number|quantity|action|time|event|color|shape|art|body|food|drink)$/.test(group)
  );
}

/** Things with an unclear front: "in front of a laptop" and "behind a laptop" may mean the same place. */
export const twoFronts: ReadonlySet<string> = list(
  'laptop computer desk table counter keyboard camera cake street road crowd audience',
);

export function relation(caption: string, tokens: readonly Token[]): TextVariant[] {
  for (let i = 1; i < tokens.length; i++) {
    for (const [words, opposite, landmark] of opposites) {
      const parts = words.split(' ');
      if (!parts.every((part, k) => tokens[i + k]?.lower === part)) continue;
      const last = tokens[i + parts.length - 1];
      const next = i + parts.length;
      // "On the left" is complete only before "of", punctuation or the end. "On the left side" is a longer phrase.
      const isSide = words.startsWith('on the ');
      if (
        isSide
          ? tokens[next] !== undefined && tokens[next].lower !== 'of' && tokens[next].pos !== 'PUNCT'
          : false
      )
        continue;
      // After these words, the opposite rarely makes sense: "stacked on top of", "flying above".
      if (
        /^(up|out|down|over|from|right|just|directly|flying|flies|lined|stacked|piled|covered|jumping|riding|surfing|dressed|mounted|dances|dancing)$/.test(
          tokens[i - 1].lower,
        )
      )
        continue;
      if (isSide ? caption.toLowerCase().includes(opposite) : !isLandmark(tokens, next, landmark)) continue;
      if (opposite === 'inside' && tokens.some(({ lower }) => outdoors.test(lower))) continue;
      const put = caption === caption.toUpperCase() ? opposite.toUpperCase() : opposite;
      const text = caption.slice(0, tokens[i].start) + put + caption.slice(last.end);
      return [variantOf(caption, text, { family: 'beyond', kind: 'relation', rule: 'beyond: relation' })];
    }
  }
  return [];
}
