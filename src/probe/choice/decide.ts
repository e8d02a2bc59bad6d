import { largest, smallest } from '../../base/extent';

/** The score of each image with each caption, and each caption's right image. */
export interface Matrix {
  /** Scores by image, then by caption. */
  scores: readonly (readonly number[])[];
  /** For each caption, the index of its image; -1 for a wrong caption. */
  rightOf: readonly number[];
}

/** How much higher right answers score than wrong answers. A lead above 0 counts as right, and 0 is a tie. */
export interface Leads {
  /** For each image: its best right caption's score minus its best wrong one's. Undefined without either. */
  captions: (number | undefined)[];
  /** For each caption: its score minus that with the best other image. Undefined if wrong, or one image. */
  images: (number | undefined)[];
  /** The smallest lead of a right caption over a wrong caption, among all images. */
  text?: number;
  /** The smallest lead of a caption's own image over another image, among all captions. */
  image?: number;
  group?: number;
  /** The right assignment's sum of scores minus the highest sum of another assignment. */
  match?: number;
  /** Each right score minus each wrong score of the same image. */
  pairs: number[];
}

/** An example with more possible assignments of captions to images than this has no GroupMatch. */
const mostAssignments = 5040;

export function leadsOf({ scores, rightOf }: Matrix): Leads {
  const leads: Leads = { captions: [], images: [], pairs: [] };
  const strict: number[] = [];
  for (const [i, row] of scores.entries()) {
    const right = row.filter((_, c) => rightOf[c] === i);
    const wrong = row.filter((_, c) => rightOf[c] !== i);
    if (right.length === 0 || wrong.length === 0) {
      leads.captions.push(undefined);
      continue;
    }
    leads.captions.push(largest(right) - largest(wrong));
    strict.push(smallest(right) - largest(wrong));
    for (const one of right) for (const other of wrong) leads.pairs.push(one - other);
  }
  for (const [c, own] of rightOf.entries())
    leads.images.push(
      own < 0 || scores.length < 2
        ? undefined
        : scores[own][c] - largest(scores.filter((_, i) => i !== own).map((row) => row[c])),
    );
  const found = leads.images.filter((lead) => lead !== undefined);
  if (strict.length > 0) leads.text = smallest(strict);
  if (found.length > 0) leads.image = smallest(found);
  if (leads.text !== undefined && leads.image !== undefined) leads.group = Math.min(leads.text, leads.image);
  const match = matchLead(scores, rightOf);
  if (match !== undefined) leads.match = match;
  return leads;
}

/** A right pair and what it leads by least: another caption of its image, or another image of its caption. */
export interface LeastLead {
  lead: number;
  image: number;
  caption: number;
  other: { caption: number } | { image: number };
}

/** The comparison with the smallest lead, which decides an example. The first of equal ones; undefined without any. */
export function leastLeadOf({ scores, rightOf }: Matrix): LeastLead | undefined {
  let least: LeastLead | undefined;
  const compare = (image: number, caption: number, other: LeastLead['other']): void => {
    const rival = 'caption' in other ? scores[image][other.caption] : scores[other.image][caption];
    const lead = scores[image][caption] - rival;
    if (least === undefined || lead < least.lead) least = { lead, image, caption, other };
  };
  for (const i of scores.keys())
    for (const [c, own] of rightOf.entries())
      if (own === i) for (const [w, of] of rightOf.entries()) if (of !== i) compare(i, c, { caption: w });
  for (const [c, own] of rightOf.entries())
    if (own >= 0) for (const i of scores.keys()) if (i !== own) compare(own, c, { image: i });
  return least;
}

/** A table line of this comparison: the texts, image and score that its lead is of. */
export function lineOfLead(
  { image, caption, other }: LeastLead,
  { captions, images, scores }: Matrix & { captions: readonly string[]; images: readonly string[] },
): { image: string; before: string; after: string; score: number } {
  return {
    image: images[image],
    before: captions[caption],
    after: 'caption' in other ? captions[other.caption] : images[other.image],
    score: scores[image][caption],
  };
}

/** The lead for GroupMatch, a caption for each image: the right assignment's sum minus the best other's. */
function matchLead(scores: Matrix['scores'], rightOf: readonly number[]): number | undefined {
  const size = matchSize(scores.length, rightOf);
  if (size === undefined) return undefined;
  const own = scores.map((_, i) => rightOf.indexOf(i));
  const sumOf = (assigned: readonly number[]): number =>
    assigned.reduce((sum, c, i) => sum + scores[i][c], 0);
  let best = -Infinity;
  for (const assigned of assignments(scores.length, rightOf.length))
    if (assigned.some((c, i) => c !== own[i])) best = Math.max(best, sumOf(assigned));
  return sumOf(own) - best;
}

/**
 * The number of possible assignments of one caption to each image. Undefined for a single image, if the number
 * exceeds `mostAssignments`, or if an image does not have exactly one right caption.
 */
export function matchSize(images: number, rightOf: readonly number[]): number | undefined {
  if (images < 2 || images > rightOf.length) return undefined;
  for (let i = 0; i < images; i++) if (rightOf.filter((own) => own === i).length !== 1) return undefined;
  let size = 1;
  for (let i = 0; i < images; i++) size *= rightOf.length - i;
  return size > 1 && size <= mostAssignments ? size : undefined;
}

function* assignments(
  images: number,
  captions: number,
  taken: readonly number[] = [],
): Iterable<readonly number[]> {
  if (taken.length === images) {
    yield taken;
    return;
  }
  for (let c = 0; c < captions; c++)
    if (!taken.includes(c)) yield* assignments(images, captions, [...taken, c]);
}
