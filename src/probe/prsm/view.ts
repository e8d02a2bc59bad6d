import { english } from '../../base/english';
import { say, together, type Words } from '../../base/say';
import { type QueryRow, queryRowSchema, steadiness } from './row';
import { entryOf } from '../../base/entryOf';
import { intervalOf } from '../claim';
import { rowCheck } from '../rowSchema';
import type { Detail, Ranking } from '../../protocol/rows';
import { numberCard, type ProbeView, rowView, shareCard, type ShownCaption, wholeMetric } from '../view';

/** For each label of a wording, the name that the user sees. */
const wordingWords: Readonly<Record<string, Words>> = {
  o: say('dataset.caption'),
  c1: say('prsm.firstParaphrase'),
  c2: say('prsm.secondParaphrase'),
  p1: '“an image of”',
  p2: '“a picture of”',
  p3: '“a photo of”',
  np: say('prsm.noPrefix'),
  a1: say('prsm.firstAttribute'),
  a2: say('prsm.secondAttribute'),
  a12: say('prsm.bothAttributes'),
};

function named(label: string): Words {
  return entryOf(wordingWords, label) ?? label;
}

/** One table line per wording that is compared with its set's first wording. */
export const prsmRows = rowView<QueryRow>({
  row: rowCheck(queryRowSchema),
  facets: [{ id: 'wording', title: say('prsm.wording'), share: false }],
  delta: { title: say('prsm.lostShare'), head: say('prsm.lost') },
  key: ({ caption }) => caption,
  lineKey: (row, sub) => row.moved[sub].label,

  facts: (row) =>
    row.moved.map((moved) => {
      const lost = lostIn(row, moved);
      return { delta: lost, harm: lost, verdict: 'none', facets: [english(named(moved.label))] };
    }),

  words: (row) => [row.caption, ...row.wordings.map(({ text }) => text)].join('\n'),

  line(row, sub) {
    const moved = row.moved[sub];
    return {
      before: textOf(row, moved.against),
      after: textOf(row, moved.label),
      label: named(moved.label),
      score: agreementOf(row, moved.label, moved.against),
    };
  },

  captions: (row, sub) => captionsOf(row, sub === undefined ? undefined : row.moved[sub].label),
  detail: (row, sub) => ({ rankings: rankingsOf(row, row.moved[sub]) }),

  mark: (row) => ({
    texts: [row.caption],
    words: say('prsm.keptShare', Math.round(steadiness(row) * 100)),
    hint: `${Math.round(steadiness(row) * 100)} %`,
  }),
});

/** The first images for the selected wording and for the wording that it is compared with. */
function rankingsOf(
  row: QueryRow,
  { label, against, entered, left }: QueryRow['moved'][number],
): Detail['rankings'] {
  const ranking = (wording: string, gone: readonly string[]): Ranking => ({
    title: say('base.labelledPart', named(wording), textOf(row, wording)),
    found: (row.wordings.find((each) => each.label === wording)?.first ?? []).map((name) => ({
      name,
      kind: name === row.image ? 'own' : 'none',
      stays: !gone.includes(name),
    })),
  });
  return { of: 'images', before: ranking(against, left), after: ranking(label, entered) };
}

function textOf({ wordings, caption }: QueryRow, label: string): string {
  return wordings.find((wording) => wording.label === label)?.text ?? caption;
}

/** The rank correlation of two wordings; undefined if all images have equal scores for one of them. */
function agreementOf({ pairs }: QueryRow, ...labels: readonly [string, string]): number | undefined {
  const own = pairs.find(({ first, second }) => labels.includes(first) && labels.includes(second));
  return own?.rho ?? undefined;
}

function lostIn(row: QueryRow, { label, left }: QueryRow['moved'][number]): number {
  const first = row.wordings.find((wording) => wording.label === label)?.first.length ?? 0;
  return first === 0 ? 0 : left.length / first;
}

function captionsOf(row: QueryRow, chosen: string | undefined): ShownCaption[] {
  return row.wordings.map(({ label, text }, i) => ({
    label: named(label),
    text,
    ...(i === 0 ? {} : { against: 0 }),
    chosen: label === chosen,
  }));
}

export const prsmView = {
  id: 'prsm',
  title: 'PRSM',
  question: 'Does a reworded query return the same images?',
  mode: 'gallery',
  madeFor: [],
  rows: prsmRows,
  sameOptions: ['weight'],
  // Rankings that do not depend on the caption agree best.
  ground: (metric) => {
    const size = /^prsm\.local@(\d+)(\.corrected)?$/.exec(metric)?.[1];
    const asked = size ?? (metric === 'prsm.global' ? '100' : undefined);
    return asked === undefined ? undefined : { metric: `prsm.local@${asked}.beyond`, chance: () => 0 };
  },
  columns: {
    before: say('prsm.wordingColumn'),
    after: say('prsm.otherWording'),
    score: say('prsm.agreementColumn'),
  },
  metricParts: {
    'local@': say('prsm.overlapColumn'),
    corrected: say('prsm.overlapAboveChance'),
    floor: say('prsm.unrelatedCaptions'),
    beyond: say('prsm.beyondUnrelatedCaptions'),
    between: say('prsm.difference'),
    global: say('prsm.rankAgreement'),
    p: say('invariance.pValue'),
  },
  cards: (metrics) => [
    numberCard(say('prsm.rankAgreement'), 'prsm.global', say('prsm.rankAgreementMeaning'), [-1, 1]),
    ...metrics.flatMap(({ id, slice, moot, chance }) => {
      const size = /^prsm\.local@(\d+)$/.exec(id)?.[1];
      // A top list that contains all images never changes.
      if (size === undefined || slice !== undefined || moot === true) return [];
      const known = chance === undefined ? {} : { chance };
      return [shareCard(say('prsm.topOverlap', size), id, say('prsm.topOverlapMeaning', size), known)];
    }),
    numberCard(say('prsm.idAgreement'), 'prsm.global.listwise', say('prsm.idAgreementMeaning'), [-1, 1], {
      group: say('prsm.asInPaper'),
    }),
  ],
  leading: [
    {
      metric: /^prsm\.local@100$/,
      words: (value) => say('prsm.overlapValue', value),
      sentence: (evaluator, value, { chance }) =>
        chance === undefined
          ? say('prsm.overlapHeadline', evaluator, value)
          : say('prsm.overlapHeadlineChance', evaluator, value, Math.round(chance * 100)),
    },
  ],
  sentence(metrics, evaluator) {
    const value = wholeMetric(metrics, 'prsm.global')?.value;
    if (typeof value !== 'number') return undefined;
    const words = say('prsm.agreementHeadline', evaluator, value.toFixed(3));
    const interval = intervalOf(metrics, 'prsm.global');
    return interval === undefined
      ? words
      : together(words, `[${interval.map((end) => end.toFixed(3)).join(', ')}]`);
  },
} satisfies ProbeView<QueryRow>;
