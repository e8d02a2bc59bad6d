import type { QueryRow } from '../../probe/prsm/row';
import type { ScoredCaption } from '../../protocol/rows';
import type { RowLens } from './lens';

/** Of the smallest top: the share of photos that a wording keeps, which is what moves first. */
function keptOf({ local }: QueryRow): number {
  return local[Math.min(...Object.keys(local).map(Number))];
}

/** A line for each wording that is compared with the set's first one. */
export const prsmLens: RowLens<QueryRow> = {
  facets: [{ id: 'wording', title: 'Wording', share: false }],
  delta: { title: 'Share of the first photos that is lost' },
  fileLine: (row) => row.place?.line,

  facts: (row) =>
    row.moved.map((moved) => {
      const lost = lostIn(row, moved);
      return { delta: -lost, harm: lost, verdict: 'none', facets: [moved.label] };
    }),

  words: (row) => [row.caption, ...row.wordings.map(({ text }) => text)].join('\n'),

  line(row, sub) {
    const moved = row.moved[sub];
    return {
      line: row.place?.line,
      image: row.image,
      before: textOf(row, moved.against),
      after: textOf(row, moved.label),
      label: `${moved.label} against ${moved.against}`,
      score: row.global ?? undefined,
      delta: -lostIn(row, moved),
      verdict: 'none',
    };
  },

  detail: (row, sub) => ({
    example: row.example,
    line: row.place?.line,
    image: row.image,
    captions: captionsOf(row, row.moved[sub].label),
    notes: row.moved.map(
      ({ label, against, entered, left }) =>
        `${label} against ${against}: ${entered.length === 0 ? 'the same photos' : `in: ${entered.join(', ')}; out: ${left.join(', ')}`}.`,
    ),
  }),

  mark: (row) => ({
    texts: [row.caption],
    words: `finds ${Math.round(keptOf(row) * 100)} % the same photos in other words`,
    hint: `${Math.round(keptOf(row) * 100)} %`,
    captions: captionsOf(row, undefined),
  }),
};

function textOf({ wordings, caption }: QueryRow, label: string): string {
  return wordings.find((wording) => wording.label === label)?.text ?? caption;
}

function lostIn(row: QueryRow, { label, left }: QueryRow['moved'][number]): number {
  const first = row.wordings.find((wording) => wording.label === label)?.first.length ?? 0;
  return first === 0 ? 0 : left.length / first;
}

function captionsOf(row: QueryRow, chosen: string | undefined): ScoredCaption[] {
  return row.wordings.map(({ label, text }, i) => ({
    label,
    text,
    verdict: 'none',
    ...(i === 0 ? {} : { against: 0 }),
    chosen: label === chosen,
  }));
}
