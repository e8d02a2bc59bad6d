import { join } from 'node:path';
import { installFolder } from '../../base/install';
import { CaptiousError, inputError, NotJson, wordsOf } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import {
  choice,
  list,
  object,
  optional,
  record,
  type Shape,
  type Shaped,
  ShapeError,
  text,
  words,
} from '../../base/shape';
import { say, type Words } from '../../base/say';
import builtIn from './lexicon.json';

const filled: Shape<string> = (value, at) => {
  const given = text(value, at);
  if (given.trim() === '') throw new ShapeError(at, say('base.shapeTextFilled'));
  return given;
};

/** A text, or the code of a message, which can be translated. */
const reason: Shape<Words> = (value, at) =>
  typeof value === 'string' ? filled(value, at) : words(value, at);

const some =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value, at) => {
    const items = list(shape)(value, at);
    if (items.length === 0) throw new ShapeError(at, say('base.shapeListFilled'));
    return items;
  };

const template =
  (...slots: string[]): Shape<string> =>
  (value, at) => {
    const given = filled(value, at);
    for (const slot of slots)
      if (!given.includes(slot)) throw new ShapeError(at, say('base.shapeTextWith', slot));
    return given;
  };

const lexiconShape = object({
  templates: object({
    base: template('{a}', '{object}'),
    attribute: template('{a}', '{word}', '{object}'),
  }),
  /** A phrase for each label that does not read well after "a". An adjective replaces `{word}`. */
  objects: record(template('{word}')),
  /** Neutral control words. By default, a lexicon word is compared with the control word of the closest length. */
  controls: object({ adjective: some(filled), noun: some(filled) }),
  /** Labels that already state a gender. */
  gendered: list(filled),
  families: record(
    object({
      /**
       * The categories of objects that the family's adjectives can describe. `otherwise` is the reason why they
       * cannot describe other objects.
       */
      suits: some(filled),
      otherwise: reason,
      words: some(
        object({
          word: filled,
          /** The word's part of speech; adjective by default. In a generated caption, a noun replaces "person". */
          as: optional(choice('adjective', 'noun')),
          /** The counterpart, which replaces the word in a human-written caption. */
          against: optional(filled),
          /** The neutral word to compare with. By default, it is the neutral word of the closest length. */
          control: optional(filled),
        }),
      ),
    }),
  ),
  /** Combinations of a word and an object that read badly or make no sense. */
  rejected: list(object({ word: filled, object: filled, reason })),
  valence: object({ positive: some(filled), negative: some(filled) }),
});

export type Lexicon = Shaped<typeof lexiconShape>;
export type LexiconWord = Lexicon['families'][string]['words'][number];

export const lexicon: Lexicon = lexiconShape(builtIn, '');

/** Reads a user's own lexicon, in the format of the built-in one. */
export function readLexicon(path: string): Lexicon {
  let content: Buffer;
  try {
    content = readBoundedSync(path);
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw inputError(
      isAbsent ? say('perturb.lexiconMissing') : say('perturb.lexiconUnreadable', wordsOf(cause)),
      say('perturb.correctLexiconOption'),
      path,
      cause,
    );
  }
  try {
    return lexiconShape(parseJson(content), '');
  } catch (cause) {
    const reason = cause instanceof NotJson ? say('base.invalidCommentedJson', cause.what) : wordsOf(cause);
    throw new CaptiousError('input', say('perturb.lexiconInvalid', reason), {
      at: path,
      remedy: say('perturb.copyBuiltInLexicon', join(installFolder(), 'dist', 'lexicon.json')),
      cause,
    });
  }
}
