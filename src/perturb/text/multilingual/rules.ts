import type { Random } from '../../../base/random';
import { inCaseOf, type RandomFor } from '../flip/flip';
import { areOfOneKind } from '../flip/flipSense';
import { fillTemplate, inCapitals, splitEnd } from '../templates';
import { flipTypes, type FlipType, type TextVariant, variantOf } from '../variant';
import french from './french.json';
import german from './german.json';
import spanish from './spanish.json';

/**
 * One language: words for COCO's 80 objects, for numbers and for colours, and templates. test/oracle/multilingual
 * checks the words.
 */
interface Language {
  templates: readonly string[];
  /** Articles and similar words whose form shows the gender of a noun, by gender. */
  articles: Readonly<Record<string, readonly string[]>>;
  /** Stems of words that can take the place of an article. They take `endings`. */
  determiners?: readonly string[];
  /** Other words in the place of an article, including words that contain an article ("im"). */
  contractions?: readonly string[];
  /** Words that may begin a caption. They lose their capital inside a template. */
  openers: readonly string[];
  /** Nouns for people and hair. With these nouns, a colour has another meaning. */
  people: readonly string[];
  /** Units such as hours and metres. The number before a unit is not visible in an image. */
  units: readonly string[];
  conjunction: string;
  numbers: readonly string[];
  /** Each colour is a stem that takes `endings`, or a list of forms (singular m and f, plural m and f). */
  colors: readonly Color[];
  endings?: readonly string[];
  /**
   * Stems of words for railways and for roads. In captions with a railway, a train is not replaced. In captions with
   * a road, no object is replaced with a train.
   */
  rails: readonly string[];
  roads: readonly string[];
  /** Whether articles before a vowel differ ("l'ours"). */
  elides?: boolean;
  /** Whether nouns begin with a capital and plurals have a dative form, as in German. */
  isGerman?: boolean;
  objects: readonly Thing[];
}

interface Color {
  stem?: string;
  forms?: readonly string[];
  /** Whether animals can have this colour. */
  fur?: boolean;
}

interface Thing {
  coco: string;
  /** The kind of thing. The colour of an animal changes only to a colour of fur. */
  group: string;
  one: string;
  many: string;
  gender: string;
  /** Whether the singular changes with the case ("den Elefanten"). Such a singular cannot be a replacement. */
  weak?: boolean;
}

export const languages: Readonly<Record<string, Language>> = {
  German: german,
  Spanish: spanish,
  French: french,
};

/** A word in the caption, with its possible replacements. */
interface Site {
  start: number;
  text: string;
  others: readonly string[];
}

/** Rules for captions in other languages. Flips keep gender and number, so articles and adjectives still agree. */
export class Multilingual {
  /** All forms of articles and of words that can take the place of an article. */
  private readonly articleWords: ReadonlySet<string>;

  private constructor(private readonly language: Language) {
    const { articles, determiners = [], contractions = [], endings = [] } = language;
    this.articleWords = new Set([
      ...Object.values(articles).flat(),
      ...determiners.flatMap((stem) => endings.map((ending) => stem + ending)),
      ...contractions,
    ]);
  }

  static of(language: string | undefined): Multilingual | undefined {
    const own =
      language === undefined ? undefined : Object.entries(languages).find(([name]) => name === language);
    return own && new Multilingual(own[1]);
  }

  paraphrases(caption: string): TextVariant[] {
    const { templates, openers } = this.language;
    const { body, end } = splitEnd(caption);
    const first = /^\p{L}+/u.exec(body)?.[0] ?? '';
    const isOpener =
      openers.includes(first.toLowerCase()) && /^\p{Lu}\p{Ll}*$/u.test(first) && !inCapitals(caption);
    const inside = isOpener ? body[0].toLowerCase() + body.slice(1) : body;
    return templates.map((template) =>
      variantOf(caption, fillTemplate(template, caption, inside) + end, {
        family: 'paraphrase',
        kind: 'template',
        rule: template,
      }),
    );
  }

  flips(text: string, randomFor: RandomFor): TextVariant[] {
    return flipTypes.flatMap((type) => this.flip(text, type, randomFor) ?? []);
  }

  flip(text: string, type: FlipType, randomFor: RandomFor): TextVariant | undefined {
    const site = this.sitesOf(text, type).find(({ others }) => others.length > 0);
    if (site === undefined) return undefined;
    const random: Random = randomFor(`flip.${type}`);
    const put = inCaseOf(site.text, random.pick([...site.others]));
    const flipped = text.slice(0, site.start) + put + text.slice(site.start + site.text.length);
    return variantOf(text, flipped, { family: 'flip', kind: type, rule: type });
  }

  private sitesOf(text: string, type: FlipType): Site[] {
    const words = wordsIn(text);
    if (type === 'object') return this.objectSites(text);
    return words.flatMap((word, at) => {
      const others = type === 'number' ? this.numbersFor(words, at) : this.colorsFor(words, at);
      return others.length === 0 ? [] : [{ start: word.start, text: word.text, others }];
    });
  }

  private numbersFor(words: readonly Word[], at: number): readonly string[] {
    const { numbers, units, conjunction } = this.language;
    if (!numbers.includes(words[at].lower)) return [];
    const next = words.at(at + 1)?.lower ?? conjunction;
    if (next === conjunction || numbers.includes(next) || units.includes(next)) return [];
    return numbers.filter((number) => number !== words[at].lower);
  }

  private colorsFor(words: readonly Word[], at: number): readonly string[] {
    const { colors, endings = [], people, conjunction } = this.language;
    const [before, { lower }, after] = [words.at(at - 1), words[at], words.at(at + 1)];
    const isColor = (word: Word | undefined): boolean => word !== undefined && this.isColor(word);
    const near = [at > 0 ? before : undefined, after];
    if (near.some((word) => word !== undefined && people.includes(word.lower))) return [];
    // "Black and white" is one style, so neither colour may change alone.
    if (near.some(isColor) || near.some((word) => word?.lower === conjunction)) return [];
    const own = colors.find((color) => this.endingsOf(color, lower).length > 0);
    if (own === undefined) return [];
    const isAnimal = near.some((word) => word !== undefined && this.isAnimal(word.lower));
    const others = colors.filter((color) => color !== own && (!isAnimal || color.fur === true));
    const cells = this.endingsOf(own, lower);
    if (own.stem !== undefined) return others.map(({ stem = '' }) => `${stem}${endings[cells[0]]}`);
    const gender = this.genderAt(words, at);
    const fitting = cells.filter((cell) => gender === undefined || cell % 2 === (gender === 'm' ? 0 : 1));
    return others.flatMap(({ forms = [] }) => {
      const made = new Set(fitting.map((cell) => forms[cell]));
      return made.size === 1 ? [...made] : [];
    });
  }

  private isAnimal(word: string): boolean {
    return this.language.objects.some(
      ({ group, one, many }) => group === 'animal' && [one, many].some((form) => form.toLowerCase() === word),
    );
  }

  /** The indices of the colour's endings or forms that result in this word. */
  private endingsOf({ stem, forms }: Color, word: string): number[] {
    const all = forms ?? (this.language.endings ?? []).map((ending) => `${stem ?? ''}${ending}`);
    return [...all.keys()].filter((cell) => all[cell] === word);
  }

  /** The gender of the noun before an adjective, by an article up to three words before the adjective. */
  private genderAt(words: readonly Word[], at: number): string | undefined {
    for (const { lower } of words.slice(Math.max(0, at - 3), at).reverse()) {
      const own = Object.entries(this.language.articles).filter(([, articles]) => articles.includes(lower));
      if (own.length > 0) return own.length === 1 ? own[0][0] : undefined;
    }
    return undefined;
  }

  private objectSites(text: string): Site[] {
    const { objects, numbers, isGerman = false } = this.language;
    const placeOf = (form: string, from = 0): number => wholeWord(text, form, from, isGerman);
    const present = objects.filter(({ one, many }) => [one, many].some((form) => placeOf(form) !== -1));
    // Of the forms at the same position, the longest is first, so that "oso de peluche" precedes "oso".
    const forms = objects
      .filter(({ one, many }) => one !== many)
      .flatMap((thing) => [
        { thing, form: thing.one, many: false },
        // A plural such as "Elefanten" may also be a singular.
        ...(thing.weak === true ? [] : [{ thing, form: thing.many, many: true }]),
      ])
      .map((each) => ({ ...each, start: placeOf(each.form) }))
      .filter(({ start }) => start !== -1)
      .sort((a, b) => a.start - b.start || b.form.length - a.form.length);
    return forms.flatMap(({ thing, form, many, start }) => {
      // A second mention would contradict the new word.
      if ([thing.one, thing.many].some((again) => placeOf(again, start + 1) !== -1)) return [];
      // In "drei Uhr", "Uhr" does not mean a clock.
      const before = wordsIn(text.slice(0, start)).at(-1)?.lower ?? '';
      if (!many && numbers.includes(before)) return [];
      // The replacement may need an article: "mit Pizza" is correct, but "mit Karotte" is not.
      if (isGerman && !many && !this.hasArticle(text.slice(0, start))) return [];
      // In "banc de sable", "banc" does not mean a bench.
      if (/^\s+(de|d['’])\s*\p{L}/u.test(text.slice(start + form.length))) return [];
      if (thing.group === 'food' && this.hasColorAt(text, start, form)) return [];
      const others = objects
        .filter(
          (other) =>
            areOfOneKind(thing.coco, other.coco) &&
            other.gender === thing.gender &&
            other.coco !== thing.coco,
        )
        .filter((other) => this.fitsPlace(text, thing.coco, other.coco))
        .filter((other) => !present.includes(other) && this.replaces(thing, other, many))
        .map((other) => (many ? other.many : other.one));
      return [{ start, text: text.slice(start, start + form.length), others }];
    });
  }

  /** Whether a colour describes the noun. Most food has one typical colour, so "red apple" cannot be a banana. */
  private hasColorAt(text: string, start: number, form: string): boolean {
    const near = [wordsIn(text.slice(0, start)).at(-1), wordsIn(text.slice(start + form.length)).at(0)];
    return near.some((word) => word !== undefined && this.isColor(word));
  }

  private isColor({ lower }: Word): boolean {
    return this.language.colors.some((color) => this.endingsOf(color, lower).length > 0);
  }

  private fitsPlace(text: string, from: string, to: string): boolean {
    const mentions = (stems: readonly string[]) =>
      wordsIn(text).some(({ lower }) => stems.some((stem) => lower.includes(stem)));
    if (from === 'train') return !mentions(this.language.rails);
    return to !== 'train' || !mentions(this.language.roads);
  }

  /**
   * Whether an article precedes a noun, possibly with lower-case words such as adjectives in between. A noun at
   * the start needs no article, because headlines omit it.
   */
  private hasArticle(before: string): boolean {
    for (const { text, lower } of wordsIn(before).reverse()) {
      if (this.articleWords.has(lower)) return true;
      if (!/^\p{Ll}/u.test(text)) return false;
    }
    return before.trim() === '';
  }

  private replaces(thing: Thing, other: Thing, many: boolean): boolean {
    const { elides } = this.language;
    if (elides === true && opensWithVowel(thing.one) !== opensWithVowel(other.one)) return false;
    if (!many) return other.weak !== true;
    // A German plural in n or s may be a dative. Its replacement must also end in n or s, because other plurals
    // add an n in the dative.
    return this.language.isGerman !== true || !/[ns]$/.test(thing.many) || /[ns]$/.test(other.many);
  }
}

interface Word {
  start: number;
  text: string;
  lower: string;
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}-]+|[.,;:]/gu)].map(({ index, 0: word }) => ({
    start: index,
    text: word,
    lower: word.toLowerCase(),
  }));
}

/**
 * The offset of the first occurrence of `form` as a whole word, searching from `from`; −1 if it does not exist. An
 * article with an apostrophe may precede the word.
 */
function wholeWord(text: string, form: string, from: number, asWritten: boolean): number {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}-])${form}(?![\\p{L}\\p{N}-])`, asWritten ? 'gu' : 'giu');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function opensWithVowel(word: string): boolean {
  return /^[aeiouhâàéèêîôœ]/i.test(word) && word !== 'hot-dog';
}
