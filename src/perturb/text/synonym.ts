import { addTo } from '../../base/lists';
import { isPluralNoun } from './analysis';
import { isNoun } from './tags';
import type { Token } from './token';
import type { TextVariant } from './variant';
import { beings, people } from './words';
import { opening } from './positives/clauses';

interface Site {
  tokens: readonly Token[];
  /** The range of matched tokens; `to` is exclusive. */
  from: number;
  to: number;
}

interface Synonym {
  words: readonly string[];
  to: string;
  when?: (site: Site) => boolean;
}

const before = ({ tokens, from }: Site): Token | undefined => tokens[from - 1];
const after = ({ tokens, to }: Site): Token | undefined => tokens[to];

const beforeNoun = (site: Site): boolean => {
  const next = after(site);
  return (
    site.tokens[site.from].pos === 'ADJ' &&
    next !== undefined &&
    (isNoun(next) || next.pos === 'ADJ') &&
    !isName(next)
  );
};
const beforeDeterminer = (site: Site): boolean => after(site)?.pos === 'DET';
const beforePhrase = (site: Site): boolean =>
  /^(ADP|ADV|DET|PRON|NOUN|NUM|ADJ)$/.test(after(site)?.pos ?? '');
const next =
  (words: string) =>
  (site: Site): boolean =>
    words.split(' ').includes(after(site)?.lower ?? '');
const notNext =
  (words: string) =>
  (site: Site): boolean =>
    !words.split(' ').includes(after(site)?.lower ?? '');
const notAfter =
  (words: RegExp) =>
  (site: Site): boolean =>
    !words.test(before(site)?.lower ?? '');
const notAfterKind =
  (pos: Token['pos']) =>
  (site: Site): boolean =>
    before(site)?.pos !== pos;
const onGround = next(
  'slope slopes hill hills hillside mountain mountains mountainside field street road trail ground',
);
const both =
  (...tests: ((site: Site) => boolean)[]) =>
  (site: Site): boolean =>
    tests.every((test) => test(site));
const isName = (token: Token): boolean => token.start > 0 && /^\p{Lu}/u.test(token.text);
const beforePlural = ({ tokens, to }: Site): boolean => {
  let at = to;
  while (tokens[at] !== undefined && !isNoun(tokens[at])) at++;
  while (tokens[at + 1] !== undefined && isNoun(tokens[at + 1])) at++;
  return tokens[at] !== undefined && isPluralNoun(tokens[at].lower);
};
const onPerson = (site: Site): boolean => people.has(after(site)?.lower ?? '');
/**
 * Whether the word describes a lifeless thing, as in "a vase sitting on a table". The word then follows a noun,
 * and no living being precedes the word.
 */
const afterThing = (site: Site): boolean => {
  const noun = before(site);
  return (
    noun !== undefined &&
    isNoun(noun) &&
    !site.tokens.slice(0, site.from).some(({ lower }) => beings.has(lower))
  );
};
const doneBy =
  (who: ReadonlySet<string>) =>
  (site: Site): boolean => {
    const at = /^(is|are)$/.test(before(site)?.lower ?? '') ? site.from - 2 : site.from - 1;
    return who.has(site.tokens[at]?.lower ?? '');
  };

/**
 * Words, their replacements, and the contexts that allow them. No word is a colour, number or object of the flips,
 * and no replacement changes the described content.
 */
const table: readonly Synonym[] = [
  entry('next to', 'beside'),
  entry('beside', 'next to', both(beforePhrase, notNext('of'))),
  entry('alongside', 'beside', beforeDeterminer),
  entry('on top of', 'atop'),
  entry('atop', 'on top of', beforePhrase),
  entry('near', 'close to', both(beforeDeterminer, notAfter(/^very$/))),
  entry('close to', 'near', both(beforePhrase, notAfter(/^(very|up|so|too)$/))),
  entry('underneath', 'under', beforeDeterminer),
  entry('beneath', 'under', beforeDeterminer),
  entry('under', 'beneath', beforeDeterminer),
  entry('inside of', 'inside', both(beforeDeterminer, notAfterKind('DET'))),
  entry('inside', 'in', both(beforeDeterminer, notAfterKind('ADP'))),
  entry('outside of', 'outside', both(beforeDeterminer, notAfterKind('DET'))),
  entry('filled with', 'full of', notNext('some a an the many all various different numerous')),
  entry('full of', 'filled with'),
  entry('covered in', 'covered with'),
  entry('covered with', 'covered in'),
  entry('preparing to', 'getting ready to'),
  entry('getting ready to', 'preparing to'),
  entry('trying to', 'attempting to'),
  entry('attempting to', 'trying to'),
  entry('located', 'situated', next('on in at near next by')),
  entry('laying', 'lying', next('on in down next under near beside by inside around at against')),
  entry('lays', 'lies', next('on in down next under near beside by inside')),
  entry(
    'sitting',
    'seated',
    both(doneBy(people), next('on at in next around near beside outside inside by')),
  ),
  entry('sits', 'is seated', both(doneBy(people), next('on at in next near beside outside inside'))),
  entry('sitting', 'resting', both(afterThing, next('on'))),
  entry('jumping', 'leaping', next('over into through off onto')),
  entry('traveling', 'moving', next('down along on through over across past')),
  entry('travelling', 'moving', next('down along on through over across past')),
  entry('taking a picture of', 'photographing'),
  entry('taking pictures of', 'photographing'),
  entry('taking a photo of', 'photographing'),
  entry('posing for a picture', 'posing for a photo'),
  entry('posing for a photo', 'posing for a picture'),
  entry(
    'waiting for',
    'awaiting',
    both(beforeDeterminer, ({ tokens, to }) => !tokens.slice(to).some(({ lower }) => lower === 'to')),
  ),
  entry('a variety of', 'an assortment of'),
  entry('an assortment of', 'a variety of'),
  entry('an array of', 'an assortment of'),
  entry('large', 'big', both(beforeNoun, notNext('number amount scale'))),
  entry(
    'big',
    'large',
    both(beforeNoun, notNext('ben bird apple rig wheel mac screen bear top league day toe')),
  ),
  entry(
    'small',
    'little',
    both(
      beforeNoun,
      (site) => /^(a|the|an)$/.test(before(site)?.lower ?? ''),
      notNext('amount number group business town'),
    ),
  ),
  entry(
    'little',
    'small',
    both(
      beforeNoun,
      (site) => /^(a|the|two|three)$/.test(before(site)?.lower ?? ''),
      notNext('league bit red traffic food water light room'),
    ),
  ),
  entry('huge', 'enormous', beforeNoun),
  entry('enormous', 'huge', beforeNoun),
  entry('giant', 'huge', both(beforeNoun, notNext('panda slalom pandas'))),
  entry('tiny', 'very small', beforeNoun),
  entry('beautiful', 'lovely', beforeNoun),
  entry('lovely', 'beautiful', beforeNoun),
  entry('delicious', 'tasty', beforeNoun),
  entry('tasty', 'delicious', beforeNoun),
  entry('cute', 'adorable', beforeNoun),
  entry('adorable', 'cute', beforeNoun),
  entry('messy', 'untidy', beforeNoun),
  entry(
    'crowded',
    'busy',
    both(beforeNoun, next('street city beach market sidewalk road intersection restaurant')),
  ),
  entry('colorful', 'brightly colored', beforeNoun),
  entry('colourful', 'brightly coloured', beforeNoun),
  entry('brightly colored', 'colorful', ({ tokens, to }) => tokens[to] !== undefined && isNoun(tokens[to])),
  entry(
    'wooden',
    'wood',
    both(beforeNoun, (site) => isNoun(after(site)!)),
  ),
  entry('snowy', 'snow-covered', onGround),
  entry('snow covered', 'snowy', onGround),
  entry('snow-covered', 'snowy', onGround),
  entry('grassy', 'grass-covered', next('field fields hill hills hillside area slope plain')),
  entry('elderly', 'old', both(beforeNoun, onPerson)),
  entry('old', 'elderly', both(beforeNoun, onPerson)),
  entry('modern', 'contemporary', beforeNoun),
  entry('many', 'numerous', both(beforeNoun, notAfter(/^(so|too|as|how|very|a|not)$/))),
  entry('numerous', 'many', beforeNoun),
  entry('multiple', 'several', both(beforeNoun, notNext('story'))),
  entry('various', 'different', both(beforeNoun, beforePlural, notNext('different'))),
  entry('assorted', 'various', beforeNoun),
];

function entry(words: string, to: string, when?: Synonym['when']): Synonym {
  return { words: words.split(' '), to, when };
}

const byFirstWord = new Map<string, Synonym[]>();
for (const synonym of table) {
  addTo(byFirstWord, synonym.words[0], synonym);
}

const doubled = /\b(\w+) \1\b/i;

/** The maximum number of variants per caption. Each variant has one synonym. */
const mostSites = 2;

export function synonyms(caption: string, tokens: readonly Token[]): TextVariant[] {
  const variants: TextVariant[] = [];
  for (let from = 0; from < tokens.length && variants.length < mostSites; from++) {
    for (const synonym of byFirstWord.get(tokens[from].lower) ?? []) {
      const to = from + synonym.words.length;
      if (!synonym.words.every((word, i) => tokens[from + i]?.lower === word)) continue;
      if (isName(tokens[from])) continue;
      const site = { tokens, from, to };
      if (synonym.when !== undefined && !synonym.when(site)) continue;
      const made = replace(caption, site, synonym.to);
      // A synonym must not equal the next word, as in "a little little table".
      if (doubled.test(made.text) && !doubled.test(caption)) continue;
      variants.push(made);
      break;
    }
  }
  return variants;
}

/** Replaces the words, keeps a capital at the start, and corrects the article before the words. */
function replace(caption: string, site: Site, word: string): TextVariant {
  const first = site.tokens[site.from];
  const end = site.tokens[site.to - 1].end;
  const article = before(site);
  let start = first.start;
  let put = /^\p{Lu}/u.test(first.text) ? word[0].toUpperCase() + word.slice(1) : word;
  if (article !== undefined && /^an?$/.test(article.lower)) {
    const right = /^[aeio]/.test(word) || /^u(nt|gl)/.test(word) ? 'an' : 'a';
    if (article.lower !== right) {
      put = opening(article.text, right) + caption.slice(article.end, first.start) + put;
      start = article.start;
    }
  }
  return {
    text: caption.slice(0, start) + put + caption.slice(end),
    family: 'paraphrase',
    kind: 'synonym',
    rule: 'synonym',
    was: [start, end],
    span: [start, start + put.length],
  };
}
