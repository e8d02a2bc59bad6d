import { say, type Words } from '../../base/say';
import type { WordKind } from '../../perturb/words/wordKinds';
import type { Third } from './row';

export const kindNames: Readonly<Record<WordKind, Words>> = {
  noun: say('explain.nouns'),
  verb: say('explain.verbs'),
  adjective: say('explain.adjectives'),
  color: say('explain.colours'),
  number: say('explain.numbers'),
  relation: say('explain.relations'),
  function: say('explain.functionWords'),
  other: say('explain.otherWords'),
};

export const thirdNames: Readonly<Record<Third, Words>> = {
  first: say('explain.firstThird'),
  middle: say('human.middleThird'),
  last: say('explain.lastThird'),
};

/** The names of the parts of metric ids. */
export const explainParts: Readonly<Record<string, Words>> = {
  word: say('explain.influence'),
  shapley: say('explain.shapleyInfluence'),
  position: say('explain.position'),
  region: say('explain.regionName'),
  mass: say('explain.regionMass'),
  area: say('explain.regionArea'),
  beyondArea: say('explain.regionBeyondArea'),
  ...kindNames,
  ...thirdNames,
  againstNouns: say('explain.againstNouns'),
  lastAgainstFirst: say('explain.lastAgainstFirst'),
};
