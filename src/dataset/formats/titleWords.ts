import { english } from '../../base/english';
import { inARow, say, type Words } from '../../base/say';

/** What titles of formats say, alone or after the name of a benchmark. */
const descriptions = [
  ...[say('dataset.readsCoco'), say('dataset.readsCocoChoices'), say('dataset.readsNegClip')],
  ...[say('dataset.readsEqBenUnanswered'), say('dataset.readsBivlcDecisions')],
  ...[say('dataset.readsImages'), say('dataset.readsCaptionRows'), say('dataset.readsCaptionList')],
  ...[say('dataset.readsWrongCaptions'), say('dataset.readsWrongCaption'), say('dataset.readsFoil')],
  ...[say('dataset.readsNegation'), say('dataset.readsStatements'), say('dataset.readsTrueAndFalse')],
  ...[say('dataset.readsOptions'), say('dataset.readsTriplets'), say('dataset.readsVariants')],
  ...[say('dataset.readsAltered'), say('dataset.readsFiveAltered'), say('dataset.readsGrid')],
  ...[say('dataset.readsQuestions'), say('dataset.readsTwoStatements'), say('dataset.readsTwoImages')],
  ...[say('dataset.readsPreferences'), say('dataset.readsDetailedPreferences')],
  ...[say('dataset.readsJudgments'), say('dataset.readsVotes'), say('dataset.readsExperts')],
  ...[say('dataset.readsRated'), say('dataset.readsRatingRows'), say('dataset.readsRatedByPeople')],
  ...[say('dataset.readsRatedByWorkers'), say('dataset.readsRatedWithReferences')],
  ...[say('dataset.readsMatching'), say('dataset.readsPositions'), say('dataset.readsWordOrder')],
  ...[say('dataset.readsSystematicity'), say('dataset.readsProductivity')],
];

/** The title of a format, whose description can be translated. The names of benchmarks stay. */
export function titleWords(title: string): Words {
  const described = (text: string): Words | undefined => descriptions.find((one) => english(one) === text);
  const [name, ...rest] = title.split(', ');
  const after = described(rest.join(', '));
  return described(title) ?? (after === undefined ? title : inARow([name, after], ', '));
}
