import { largest, smallest } from '../../base/extent';

/** The score of each image with each caption, and the right image of each caption. */
export interface Matrix {
  /** The scores by image, then by caption. */
  scores: readonly (readonly number[])[];
  /** For each caption, the index of its image; -1 if it is wrong for all images. */
  rightOf: readonly number[];
}

/** How much higher right answers score than wrong ones. A positive number is right; zero is a tie. */
export interface Leads {
  /** For each image with right and wrong captions: the best right score minus the best wrong score. */
  captions: (number | undefined)[];
  /**
   * For each caption, if there are several images: the score with its own image minus the best score with
   * another.
   */
  images: (number | undefined)[];
  /** The smallest difference between a right and a wrong caption, over all images. */
  text?: number;
  /** The smallest difference between a caption's own image and another image, over all captions. */
  image?: number;
  group?: number;
  /** The sum of scores of the right assignment minus that of the best other assignment. */
  match?: number;
  /** For each image, each right score minus each wrong score. */
  pairs: number[];
}

/** GroupMatch is not computed for more assignments than this. */
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

/** GroupMatch: of all assignments of one caption to each image, the right one must have the greatest sum. */
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

/** The number of assignments of one caption to each image; undefined unless exactly one of them is right. */
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
