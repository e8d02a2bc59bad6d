import type { PartOfSpeech } from 'wink-nlp';

export interface Token {
  text: string;
  lower: string;
  pos: PartOfSpeech;
  /** In UTF-16 units of the caption. */
  start: number;
  end: number;
  /** The tagger's answer was set right by a rule of this house. */
  settled?: boolean;
}
