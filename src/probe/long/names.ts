import { say, type Words } from '../../base/say';

/** The names of the kinds of errors and of edits. */
export const longKinds: Readonly<Record<string, Words>> = {
  object: say('lgip.kindObject'),
  color: say('lgip.kindColour'),
  number: say('lgip.kindNumber'),
  relation: say('long.kindRelation'),
  delete: say('long.kindDelete'),
  repeat: say('long.kindRepeat'),
  move: say('long.kindMove'),
};

/** The names of the parts of metric ids. */
export const longParts: Readonly<Record<string, Words>> = {
  pr: say('long.errorsDetected'),
  position: say('long.tenth'),
  slope: say('long.slope'),
  read: say('long.withinLimit'),
  ignored: say('long.pastLimit'),
  changed: say('long.scoreChanged'),
  ...{ delete: say('long.deleteMean'), repeat: say('long.repeatMean'), move: say('long.moveMean') },
};

const bands: readonly { below: number; name: string }[] = [
  { below: 50, name: 'under 50 words' },
  { below: 100, name: '50–99 words' },
  { below: 150, name: '100–149 words' },
  { below: Infinity, name: '150 words or more' },
];

export const longBands: readonly string[] = bands.map(({ name }) => name);

/** The band of a caption's length, by its words. */
export function longBand(words: number): string {
  return bands.find(({ below }) => words < below)!.name;
}
