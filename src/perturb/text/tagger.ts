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
let wink: WinkMethods | undefined;

/** Loads the model with the first caption, because unpacking the model takes 0.1 s. */
function tagger(): WinkMethods {
  if (wink === undefined) {
    /* eslint-disable @typescript-eslint/no-require-imports -- an import would load the model at start */
    const load = require('wink-nlp') as typeof winkFunction;
    wink = load(require('wink-eng-lite-web-model') as typeof winkModel, ['pos']);
    /* eslint-enable @typescript-eslint/no-require-imports */
  }
  return wink;
}

/** Whether the lexicon has the word or its singular in lower case. Names are missing from the lexicon. */
export function isCommonWord(lower: string): boolean {
  if (lower.length > longestWord) return false;
  const lexicon = tagger().readDoc(lower);
  return !lexicon.isOOV(lower) || (lower.endsWith('s') && !lexicon.isOOV(lower.slice(0, -1)));
}

/** The caption's tokens with parts of speech; undefined if it is too long, or the tagger's tokens do not match it. */
export function tag(caption: string): Token[] | undefined {
  if (isTooLong(caption)) return undefined;
  const nlp = tagger();
  const words = nlp.readDoc(caption).tokens();
  const texts = words.out(nlp.its.value);
  const tags = words.out(nlp.its.pos) as PartOfSpeech[];
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
