import type { PartOfSpeech } from 'wink-nlp';

export interface Token {
  text: string;
  lower: string;
  pos: PartOfSpeech;
  /** In UTF-16 units of the caption. */
  start: number;
  end: number;
  /** A rule of tags.ts corrected the tagger's answer. */
  settled?: boolean;
}
