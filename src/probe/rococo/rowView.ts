import { english } from '../../base/english';
import { inARow, say, type Words } from '../../base/say';
import {
  type AlteredImage,
  type AlteredRow,
  type CaptionRow,
  type ListedCaption,
  type ImageRow,
  type RococoRow,
  type SearchRow,
  rococoRowSchema,
} from './row';
import { rowCheck } from '../rowSchema';
import type { Detail, Ranking, Verdict } from '../../protocol/rows';
import { mayStayTrue } from './kept';
import { type LineFacts, rowView, type ShownCaption } from '../view';

/**
 * Wrong if all draws have an altered caption first, without a tie; a tie if some have. Otherwise right, but neither if
 * the first result is true of another image: alterations did not mislead, and the search is not right.
 */
function verdictOf({ rsms, first }: ImageRow['lists'][number]): Verdict {
  if (rsms === 0) return first.at(0)?.kind === 'other' ? 'none' : 'right';
  return rsms === 1 ? 'wrong' : 'tie';
}

/** The score of the image's best own caption minus the highest score of an altered caption in the list. */
function leadOf({ score }: ImageRow, list: ImageRow['lists'][number]): number {
  const altered = list.first.find(({ kind }) => kind === 'altered');
  return altered === undefined ? 0 : score - altered.score;
}

/** Right if the original caption is closer to another caption of its image than to the altered caption. */
function closenessOf({ similarity }: AlteredRow, { nearest }: CaptionRow): Verdict {
  if (similarity === undefined || nearest === undefined) return 'none';
  if (similarity === nearest.similarity) return 'tie';
  return similarity < nearest.similarity ? 'right' : 'wrong';
}

const questions = {
  image: english(say('rococo.imageToText')),
  caption: english(say('rococo.textToText')),
  search: english(say('rococo.textToImage')),
} as const;

/**
 * A caption's row has one table line per altered caption and per kind of altered image. An image's row has one
 * line per source of altered captions.
 */
function factsOf(row: RococoRow): LineFacts[] {
  if (row.kind === 'caption')
    return [
      ...row.altered.map((altered): LineFacts => {
        // The lead is positive if the image's nearest other caption is closer than the altered caption.
        const lead = (row.nearest?.similarity ?? 0) - (altered.similarity ?? 0);
        const verdict = closenessOf(altered, row);
        return { delta: lead, harm: -lead, verdict, facets: [verdict, questions.caption, altered.source] };
      }),
      ...searchesOf(row).map((search): LineFacts => {
        const verdict = searchVerdict(search);
        const delta = search.own - search.rival;
        return {
          delta,
          // What is no error is behind all errors.
          harm: verdict === 'none' ? Math.min(0, -delta) : search.rsms - delta,
          verdict,
          facets: [verdict, questions.search, search.images],
        };
      }),
    ];
  return row.lists.map((list) => {
    const verdict = verdictOf(list);
    const lead = leadOf(row, list);
    return {
      delta: lead,
      // What is no error is behind all errors.
      harm: verdict === 'none' ? Math.min(0, -lead) : list.rsms - lead,
      verdict,
      facets: [verdict, questions.image, list.source],
    };
  });
}

/** A text-to-image search with altered images of one kind. `own` is the score of the caption's own image. */
type Search = SearchRow & { own: number };

function searchesOf({ search }: CaptionRow): Search[] {
  return search?.hits.map((hit) => ({ ...hit, own: search.score })) ?? [];
}

/** The search of a table line; undefined if the line is not about a search for images. */
function searchAt(row: CaptionRow, sub: number): Search | undefined {
  return sub < row.altered.length ? undefined : searchesOf(row).at(sub - row.altered.length);
}

/** The verdict of the draw in which an altered image has the highest score; none if that one may fit the caption. */
function searchVerdict({ rival, own, images }: Search): Verdict {
  if (mayStayTrue(images)) return 'none';
  if (rival === own) return 'tie';
  return rival < own ? 'right' : 'wrong';
}

/** In words: how an altered image was made. */
function madeWords({ transform: { op, lambda, other } }: AlteredImage): Words {
  const share = `${Math.round((1 - lambda) * 100)} %`;
  return op === 'mix'
    ? say('rococo.imageMixedIn', share, other.path)
    : say('rococo.imageCovered', share, other.path);
}

function searchCaptions(row: CaptionRow, search: Search): ShownCaption[] {
  const { made, images: imageKind, own, rival } = search;
  const what = english(
    made === undefined
      ? say('rococo.someAlteredImage')
      : say('invariance.listedPair', made.image, madeWords(made)),
  );
  return [
    { label: say('rococo.captionWithOwnImage'), text: row.caption, score: own },
    {
      label: inARow([say('rococo.closestAlteredImage'), imageKind]),
      text: what,
      score: rival,
      delta: rival - own,
      verdict: searchVerdict(search),
      chosen: true,
    },
  ];
}

export const rococoRows = rowView<RococoRow>({
  row: rowCheck(rococoRowSchema),
  facets: [
    { id: 'verdict', title: say('choice.result'), share: false, outcome: true },
    { id: 'kind', title: say('rococo.comparison'), share: true },
    { id: 'source', title: say('rococo.alteration'), share: false },
  ],
  delta: { title: say('rococo.leadOverAltered'), head: say('choice.lead') },
  // The caption of an image's row depends on the evaluator's ranking, so the key leaves it out.
  key: ({ kind, caption }) => (kind === 'image' ? kind : `${kind} ${caption}`),
  facts: factsOf,
  words: (row) =>
    [
      row.caption,
      ...(row.kind === 'caption' ? row.altered.map(({ text }) => text) : []),
      row.image ?? '',
    ].join('\n'),

  line(row, sub) {
    const before = row.caption;
    if (row.kind === 'caption') {
      const search = searchAt(row, sub);
      if (search !== undefined) {
        const { made, images: imageKind, rival } = search;
        const after =
          made === undefined ? '' : english(say('invariance.listedPair', made.image, madeWords(made)));
        return { before, after, label: inARow([say('invariance.image'), imageKind]), score: rival };
      }
      const altered = row.altered[sub];
      return {
        before,
        after: altered.text,
        label: inARow([say('rococo.altered'), altered.source]),
        score: altered.similarity,
      };
    }
    const list = row.lists[sub];
    const first = list.first.at(0);
    return {
      before,
      after: first?.text ?? '',
      label: inARow([say('rococo.firstResult'), list.source]),
      score: first?.score,
    };
  },

  captions(row, sub) {
    if (row.kind === 'image') return ownAndFirst(row, row.lists[sub ?? 0]);
    const search = sub === undefined ? undefined : searchAt(row, sub);
    if (search !== undefined) return searchCaptions(row, search);
    return alterations(row, sub === undefined ? undefined : row.altered[sub]);
  },

  detail(row, sub) {
    if (row.kind === 'image') return { notes: notesOf(row), rankings: rankingsOf(row, row.lists[sub]) };
    const made = searchAt(row, sub)?.made;
    const change = made && { words: madeWords(made), image: made.image };
    return { notes: notesOf(row), ...(searchAt(row, sub) === undefined ? {} : { change }) };
  },

  transforms(row, sub) {
    const made = row.kind === 'caption' ? searchAt(row, sub)?.made : undefined;
    return made === undefined ? [] : [made.transform];
  },

  mark: (row) => ({ texts: [row.caption], words: wordsFor(row) }),
});

function wordsFor(row: RococoRow): Words {
  if (row.kind === 'caption') return say('rococo.alteredVersions', row.altered.length);
  const lost = row.lists.filter(({ rsms }) => rsms > 0).length;
  return lost === 0 ? say('rococo.noAlteredFirst') : say('rococo.alteredFirstCount', lost, row.lists.length);
}

function alterations(row: CaptionRow, chosen: AlteredRow | undefined): ShownCaption[] {
  const own: ShownCaption = { label: say('dataset.caption'), text: row.caption };
  const altered = row.altered.map((each): ShownCaption => ({
    label: inARow([say('rococo.altered'), each.source]),
    text: each.text,
    score: each.similarity,
    against: 0,
    chosen: each === chosen,
  }));
  const nearest: ShownCaption[] = row.nearest
    ? [
        {
          label: say('rococo.closestOtherCaption'),
          text: row.nearest.text,
          score: row.nearest.similarity,
          against: 0,
        },
      ]
    : [];
  // The first one is the rival of the others.
  return [own, ...nearest, ...altered];
}

/** The image's best own caption, and the first result if it is another caption. */
function ownAndFirst(row: ImageRow, list: ImageRow['lists'][number] | undefined): ShownCaption[] {
  const own: ShownCaption = { label: say('rococo.ownCaption'), text: row.caption, score: row.score };
  const first = list?.first.at(0);
  if (first === undefined || first.text === row.caption) return [own];
  const names = {
    true: say('rococo.siblingCaption'),
    other: say('rococo.foreignCaption'),
    altered: say('rococo.altered'),
  } as const;
  return [
    own,
    {
      label: say('rococo.firstResultIs', names[first.kind]),
      text: first.text,
      score: first.score,
      delta: first.score - row.score,
      verdict: first.kind === 'altered' ? 'wrong' : first.kind === 'true' ? 'right' : 'none',
      against: 0,
    },
  ];
}

/** The image's results among true captions, and its results with altered captions added. */
function rankingsOf({ first }: ImageRow, list: ImageRow['lists'][number]): Detail['rankings'] {
  const ranking = (
    title: Words,
    own: readonly ListedCaption[],
    other: readonly ListedCaption[],
  ): Ranking => ({
    title,
    found: own.map(({ text, score, kind, of }) => ({
      name: text,
      score,
      kind: ({ true: 'own', other: 'other', altered: 'altered' } as const)[kind],
      stays: other.some((each) => each.text === text && each.of === of && each.kind === kind),
    })),
  });
  return {
    of: 'captions',
    before: ranking(say('rococo.resultsAmongTrue'), first, list.first),
    after: ranking(say('rococo.resultsWithAltered'), list.first, first),
  };
}

function notesOf(row: RococoRow): Words[] {
  if (row.kind === 'image' || row.words === undefined || row.chosen === undefined) return [];
  const word = row.words.at(row.chosen);
  return word === undefined
    ? []
    : [say('rococo.leastInfluentialWord', word.text, row.votes ?? 1, row.voters ?? 1)];
}
