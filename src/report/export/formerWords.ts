/** Words of reports in earlier versions, with the present words. */
const formerWords: readonly (readonly [former: string, present: string])[] = [
  ['with a score gap of 0.7 swap ranks', 'with a score gap of 0.7 % swap ranks'],
  ['], lies across ', '], contains '],
  ['cannot be distinguished from chance', 'cannot be told from chance'],
  ['not distinguishable from chance level', 'cannot be told from chance'],
  ['than a change of meaning lowers it', 'than a flip lowers it'],
  ['Stable: a paraphrase', 'On average, a paraphrase'],
  ['Unstable: a paraphrase', 'On average, a paraphrase'],
  [
    'it is right less often for the positive with different words than for the other positive',
    'the positive with different words (P2) beats the negative less often than the other positive (P1) does',
  ],
  [' For the positive with different words, its choices cannot be told from chance.', ''],
  ['does. For P2, its choices cannot be told from chance.', 'does.'],
  [
    'With the image, it distinguishes meaning from wording',
    'With the image, it prefers both positives to the negative',
  ],
  [
    'With the image, it is worse than chance: wording counts more than meaning',
    'With the image, it is worse than chance: it usually prefers the negative to one of the positives',
  ],
  ['images more often than chance', 'images correctly more often than chance'],
  ['images less often than chance', 'images correctly less often than chance'],
  [
    'Between captions, a rewording mostly has a larger effect than one changed word',
    'For most captions, the altered caption is closer than every other caption of the same image',
  ],
  [
    'Between captions, a rewording mostly has a smaller effect than one changed word',
    'For most captions, another caption of the same image is closer than the altered caption',
  ],
  [
    'Between captions, the data do not show whether a rewording or one changed word has the larger effect',
    'The data do not show which is usually closer to a caption: its altered version or another caption of the same image',
  ],
  ['others are negative.', 'others are negative, so changes in percent mean little.'],
  ['but there is only one.', 'but only one group has values.'],
  ['but there is no such group.', 'but no group has values.'],
  ['also where a sentence becomes', 'even if a sentence becomes'],
  ['if no word makes sense', 'if no replacement word makes sense'],
  ['so its former place would stay visible', 'so the move would leave a visible trace'],
  ['Texts and images are sent to the server unencrypted', 'Requests to the server are not encrypted'],
  ['that are not in P3, because', 'that are not in the set P3, because'],
  ['the two metrics are the same up to scale', 'the two metrics are perfectly correlated'],
];

/** The text of an earlier version's report in today's words. */
export function inTodaysWords(text: string): string {
  return formerWords.reduce((words, [former, present]) => words.replaceAll(former, present), text);
}
