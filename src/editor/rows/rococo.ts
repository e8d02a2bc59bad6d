import type { AlteredRow, CaptionRow, PhotoRow, RococoRow } from '../../probe/rococo/row';
import type { ScoredCaption, Verdict } from '../../protocol/rows';
import type { LineFacts, RowLens } from './lens';

/** What a photo found first is its own caption, another true one, or an altered one. */
function verdictOf(rsms: number): Verdict {
  if (rsms === 0) return 'right';
  return rsms === 1 ? 'wrong' : 'tie';
}

/** How far the first altered caption is above the photo's best own one, among those listed. */
function leadOf({ score }: PhotoRow, list: PhotoRow['lists'][number]): number {
  const altered = list.first.find(({ kind }) => kind === 'altered');
  return altered === undefined ? 0 : altered.score - score;
}

/** A caption gives a line for each alteration, a photo one for each source of altered captions it was searched with. */
function factsOf(row: RococoRow): LineFacts[] {
  if (row.kind === 'caption')
    return row.altered.map((altered) => ({
      // The more alike the alteration, the harder it is to tell from the caption.
      delta: (altered.similarity ?? 0) - (row.nearest?.similarity ?? 0),
      harm: (altered.similarity ?? 0) - (row.nearest?.similarity ?? 0),
      verdict: 'none',
      facets: ['neither', 'caption', altered.source],
    }));
  return row.lists.map((list) => ({
    delta: leadOf(row, list),
    harm: list.rsms + leadOf(row, list),
    verdict: verdictOf(list.rsms),
    facets: [verdictOf(list.rsms), 'photo', list.source],
  }));
}

export const rococoLens: RowLens<RococoRow> = {
  facets: [
    { id: 'verdict', title: 'First result', share: false },
    { id: 'kind', title: 'Query', share: false },
    { id: 'source', title: 'Altered by', share: true },
  ],
  delta: { title: 'Lead of the altered caption' },
  fileLine: (row) => row.place?.line,
  facts: factsOf,
  words: (row) =>
    [
      row.caption,
      ...(row.kind === 'caption' ? row.altered.map(({ text }) => text) : []),
      row.image ?? '',
    ].join('\n'),

  line(row, sub) {
    const { delta, verdict } = factsOf(row)[sub];
    const place = { line: row.place?.line, image: row.image, before: row.caption, delta, verdict };
    if (row.kind === 'caption') {
      const altered = row.altered[sub];
      return {
        ...place,
        after: altered.text,
        label: `altered · ${altered.source}`,
        score: altered.similarity,
      };
    }
    const list = row.lists[sub];
    const first = list.first.at(0);
    return { ...place, after: first?.text ?? '', label: `found first · ${list.source}`, score: first?.score };
  },

  detail: (row, sub) => ({
    example: row.example,
    line: row.place?.line,
    image: row.image,
    captions: row.kind === 'caption' ? alterations(row, row.altered[sub]) : ranking(row, row.lists[sub]),
    notes: notesOf(row),
  }),

  mark: (row) => ({
    texts: [row.caption],
    words: wordsFor(row),
    captions: row.kind === 'caption' ? alterations(row, undefined) : ranking(row, row.lists[0]),
  }),
};

function wordsFor(row: RococoRow): string {
  if (row.kind === 'caption') return `${row.altered.length} altered`;
  const lost = row.lists.filter(({ rsms }) => rsms > 0).length;
  return lost === 0
    ? 'its own caption found first'
    : `an altered caption found first in ${lost}/${row.lists.length}`;
}

function alterations(row: CaptionRow, chosen: AlteredRow | undefined): ScoredCaption[] {
  const own: ScoredCaption = { label: 'caption', text: row.caption, verdict: 'none', chosen: false };
  const altered = row.altered.map((each): ScoredCaption => ({
    label: `altered · ${each.source}`,
    text: each.text,
    score: each.similarity,
    verdict: 'none',
    against: 0,
    chosen: each === chosen,
  }));
  const nearest: ScoredCaption[] = row.nearest
    ? [
        {
          label: 'closest true caption',
          text: row.nearest.text,
          score: row.nearest.similarity,
          verdict: 'none',
          against: 0,
          chosen: false,
        },
      ]
    : [];
  return [own, ...altered, ...nearest];
}

/** The list as it came out, the photo's best own caption before it. */
function ranking(row: PhotoRow, list: PhotoRow['lists'][number] | undefined): ScoredCaption[] {
  const own: ScoredCaption = {
    label: 'own caption',
    text: row.caption,
    score: row.score,
    verdict: 'none',
    chosen: false,
  };
  const names = { true: 'own', other: "another photo's", altered: 'altered' } as const;
  const found = (list?.first ?? []).map((each, i): ScoredCaption => ({
    label: `${i + 1}. ${names[each.kind]}`,
    text: each.text,
    score: each.score,
    delta: each.score - row.score,
    verdict: each.kind === 'altered' ? 'wrong' : each.kind === 'true' ? 'right' : 'none',
    ...(each.kind === 'altered' ? { against: 0 } : {}),
    chosen: false,
  }));
  return [own, ...found];
}

function notesOf(row: RococoRow): string[] {
  if (row.kind === 'photo' || row.words === undefined || row.chosen === undefined) return [];
  const word = row.words.at(row.chosen);
  return word === undefined
    ? []
    : [`The word they weigh least: "${word.text}" (${row.votes ?? 1} of ${row.voters ?? 1}).`];
}
