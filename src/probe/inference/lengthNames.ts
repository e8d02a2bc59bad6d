import { say, type Words } from '../../base/say';

/** The names of the metrics of `lengthAgreement`. They are apart from it, because the browser's bundle contains the views. */
export function lengthNames(probe: string): Readonly<Record<string, Words>> {
  return {
    [`${probe}.tauB.length`]: say('human.tauWithoutLength'),
    [`${probe}.tauB.length.normal`]: say('human.tauWithoutLengthNormal'),
    [`${probe}.length.scores`]: say('human.lengthOfScores'),
    [`${probe}.length.people`]: say('human.lengthOfPeople'),
    [`${probe}.length.overPeople`]: say('human.lengthOverPeople'),
    [`${probe}.length.overPeople.p`]: say(
      'base.labelledPart',
      say('human.lengthOverPeople'),
      say('invariance.pValue'),
    ),
  };
}
