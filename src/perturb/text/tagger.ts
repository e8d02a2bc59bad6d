import type winkFunction from 'wink-nlp';
import type { PartOfSpeech, WinkMethods } from 'wink-nlp';
import type winkModel from 'wink-eng-lite-web-model';
import { isTooLong, longestWord } from './language';
import { settleTags } from './tags';
import type { Token } from './token';

/*
 * The tagger is wink-nlp. wink-nlp and compromise disagree on 156 of 1,329 words of COCO captions, and wink-nlp is
 * right on about 100 of these words. wink-nlp is also ten times as fast, but takes 3.5 MB.
 */
let loaded: { wink: WinkMethods; lexemes: Lexemes; forgotten: number; first: number } | undefined;

/** The words that the tagger knows. It adds each new one, with a number that stays valid. */
interface Lexemes {
  list: string[];
  hash: Record<string, number>;
}

/** After so many forgotten words, the model is loaded again, because their numbers take memory. */
const mostForgotten = 100_000;

/** Loads the model with the first caption, because unpacking the model takes 0.1 s. */
function tagger(): WinkMethods {
  if (loaded !== undefined && loaded.forgotten - loaded.first > mostForgotten) loaded = undefined;
  if (loaded === undefined) {
    /* eslint-disable @typescript-eslint/no-require-imports -- an import would load the model at start */
    const load = require('wink-nlp') as typeof winkFunction;
    const model = require('wink-eng-lite-web-model') as typeof winkModel & { core: () => Core };
    /* eslint-enable @typescript-eslint/no-require-imports */
    const core = model.core();
    const wink = load({ ...model, core: () => core } as typeof winkModel, ['pos']);
    const lexemes = core.features.lexeme;
    const { length } = lexemes.list;
    loaded = { wink, lexemes, forgotten: length, first: length };
  }
  return loaded.wink;
}

interface Core {
  features: { lexeme: Lexemes };
}

/**
 * Forgets the words of the last caption. The tagger splits "umbrella's" in two unless it has kept it as a word from
 * another caption, so tags would depend on what was tagged before, and those of a part of a dataset on the part.
 */
function forget(): void {
  if (loaded === undefined) return;
  const { lexemes } = loaded;
  for (; loaded.forgotten < lexemes.list.length; loaded.forgotten++)
    Reflect.deleteProperty(lexemes.hash, lexemes.list[loaded.forgotten]);
}

/** Whether the lexicon has the word or its singular in lower case. Names are missing from the lexicon. */
export function isCommonWord(lower: string): boolean {
  if (lower.length > longestWord) return false;
  const lexicon = tagger().readDoc(lower);
  const isKnown = !lexicon.isOOV(lower) || (lower.endsWith('s') && !lexicon.isOOV(lower.slice(0, -1)));
  forget();
  return isKnown;
}

/** The caption's tokens with parts of speech; undefined if it is too long, or the tagger's tokens do not match it. */
export function tag(caption: string): Token[] | undefined {
  if (isTooLong(caption)) return undefined;
  const nlp = tagger();
  const words = nlp.readDoc(caption).tokens();
  const texts = words.out(nlp.its.value);
  const tags = words.out(nlp.its.pos) as PartOfSpeech[];
  forget();
  const tokens: Token[] = [];
  let at = 0;
  for (const [i, text] of texts.entries()) {
    const start = caption.indexOf(text, at);
    if (start < 0 || caption.slice(at, start).trim() !== '') return undefined;
    at = start + text.length;
    tokens.push({ text, lower: text.toLowerCase(), pos: tags[i], start, end: at });
  }
  return settleTags(tokens);
}
