import type { PartOfSpeech } from 'wink-nlp';

export interface Token {
  text: string;
  lower: string;
  pos: PartOfSpeech;
  /** In UTF-16 units, counted from the caption's start. */
  start: number;
  end: number;
  /** Whether a rule of tags.ts corrected the tagger. */
  settled?: boolean;
}
