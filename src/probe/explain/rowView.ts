import { english } from '../../base/english';
import { inARow, say, type Words } from '../../base/say';
import { scoreText } from '../../base/pValue';
import { rowCheck } from '../rowSchema';
import { rowView, type ShownCaption } from '../view';
import { kindNames, thirdNames } from './names';
import { type ExplainedWord, type ExplainRow, explainRowSchema, thirdOf } from './row';

/** How many words the mark of a caption names. */
const mostNamed = 3;

const labelOf = ({ word, kind }: ExplainedWord): Words =>
  kind === undefined ? word : say('base.labelledPart', kindNames[kind], word);

const kindOf = ({ kind }: ExplainedWord): Words => (kind === undefined ? 'none' : kindNames[kind]);

function largestFirst(words: readonly ExplainedWord[]): ExplainedWord[] {
  return [...words].sort((a, b) => Math.abs(b.influence) - Math.abs(a.influence));
}

/** The caption, then the selected word, then the others from the largest influence. */
function captionsOf({ text, score, words }: ExplainRow, sub: number | undefined): ShownCaption[] {
  const chosen = sub === undefined ? undefined : words[sub];
  const others = largestFirst(words).filter((word) => word !== chosen);
  return [
    { label: say('dataset.caption'), text, score },
    ...(chosen === undefined ? others : [chosen, ...others]).map((word): ShownCaption => ({
      label: say('explain.without', word.word),
      ...{ text: word.text, score: word.score, delta: -word.influence },
      ...{ against: 0, chosen: word === chosen },
    })),
  ];
}

const signed = (value: number): string =>
  `${value < 0 ? '−' : '+'}${scoreText(Math.abs(value), undefined, 3)}`;

/** One table line per word. */
export const explainRows = rowView<ExplainRow>({
  row: rowCheck(explainRowSchema),
  facets: [
    { id: 'kind', title: say('explain.kindOfWord'), share: false },
    { id: 'position', title: say('explain.position'), share: false },
  ],
  delta: { title: say('explain.withoutMinusCaption'), head: 'Δ' },

  key: ({ caption }) => String(caption),
  lineKey: ({ words }, sub) => String(words[sub].at),

  facts: (row) =>
    row.words.map((word) => ({
      ...{ delta: -word.influence, harm: Math.abs(word.influence), verdict: 'none' },
      facets: [english(kindOf(word)), english(thirdNames[thirdOf(row, word)])],
    })),

  words: (row) => [row.text, row.image ?? ''].join('\n'),

  line(row, sub) {
    const word = row.words[sub];
    return { before: row.text, after: word.text, label: labelOf(word), score: word.score };
  },

  captions: captionsOf,

  mark: (row) => ({
    texts: [row.text],
    column: row.captionPlace?.column,
    words: inARow(
      largestFirst(row.words)
        .slice(0, mostNamed)
        .map(({ word, influence }) => `${word} ${signed(influence)}`),
    ),
  }),
});
