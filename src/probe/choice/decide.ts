import { largest, smallest } from '../../base/extent';

/** The score of each image with each caption, and each caption's right image. */
export interface Matrix {
  /** By image, then by caption. */
  scores: readonly (readonly number[])[];
  /** For each caption, the index of its image; -1 for a wrong caption. */
  rightOf: readonly number[];
}

/** How much higher right answers score than wrong answers. A positive lead is right; zero is a tie. */
export interface Leads {
  /** For each image with right and wrong captions, the best right score minus the best wrong score. */
  captions: (number | undefined)[];
  /** With several images: for each caption, the score with its own image minus the best other score. */
  images: (number | undefined)[];
  /** The smallest lead of a right caption over a wrong caption, over all images. */
  text?: number;
  /** The smallest lead of a caption's image over another image, over all captions. */
  image?: number;
  group?: number;
  /** The right assignment's sum of scores minus the best other sum. */
  match?: number;
  /** For each image, every right score minus every wrong score. */
  pairs: number[];
}

/** The most assignments for which GroupMatch is computed. */
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

/** GroupMatch: the right assignment of one caption to each image must have the greatest sum. */
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
 * The number of assignments of one caption to each image; undefined unless exactly one is right, and for too
 * many.
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
