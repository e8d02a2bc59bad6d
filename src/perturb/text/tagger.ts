import type winkFunction from 'wink-nlp';
import type { PartOfSpeech, WinkMethods } from 'wink-nlp';
import type winkModel from 'wink-eng-lite-web-model';
import { settleTags } from './tags';
import type { Token } from './token';

/*
 * wink-nlp and not compromise: on 127 COCO captions the two disagree on 156 of 1,329 words, and wink was right on about 100
 * of these, compromise on about 40 (it takes "a man holding" for two nouns). It is ten times as fast (30 µs a caption) and
 * its bundle is 3.5 MB.
 */
let wink: WinkMethods | undefined;

/** The model takes a tenth of a second to unpack, so it is loaded by the first caption and not by the program. */
function tagger(): WinkMethods {
  if (wink === undefined) {
    /* eslint-disable @typescript-eslint/no-require-imports -- an import would load the model at start */
    const load = require('wink-nlp') as typeof winkFunction;
    wink = load(require('wink-eng-lite-web-model') as typeof winkModel, ['pos']);
    /* eslint-enable @typescript-eslint/no-require-imports */
  }
  return wink;
}

/** Whether the tagger's lexicon has a word, or its singular, in small letters. A name is not in it, most other words are. */
export function isCommonWord(lower: string): boolean {
  const lexicon = tagger().readDoc(lower);
  return !lexicon.isOOV(lower) || (lower.endsWith('s') && !lexicon.isOOV(lower.slice(0, -1)));
}

/** The caption's words and marks with their parts of speech; undefined where the tagger lost its place in the text. */
export function tag(caption: string): Token[] | undefined {
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
