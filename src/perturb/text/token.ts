import type { PartOfSpeech } from 'wink-nlp';

export interface Token {
  text: string;
  lower: string;
  pos: PartOfSpeech;
  /** The offset in the caption, in UTF-16 units. */
  start: number;
  end: number;
  /** Whether a rule in tags.ts changed the tagger's `pos`. */
  settled?: boolean;
}
