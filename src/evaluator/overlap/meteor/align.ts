/** Aligns the words of two captions as METEOR 1.5 does: with the most exact matches and the fewest chunks. */

/** A possible match of a reference word: the index of the candidate's word, and the stage (0 for exact matches). */
export interface Match {
  word: number;
  stage: number;
}

const beam = 40;

interface Path {
  exact: number;
  chunks: number;
  distance: number;
  /** The index of the candidate's word after the last match. −1 if the last reference word has no match. */
  next: number;
  /** For each reference word so far, its match. */
  chosen: (Match | undefined)[];
  /** For each word of the candidate, 1 if it has a match. */
  used: Uint8Array;
}

/** The path `from` with a choice for one more reference word. */
interface Step extends Omit<Path, 'chosen' | 'used'> {
  from: Path;
  match: Match | undefined;
}

/** The match of each reference word. `matches[i]`: the candidate's words that may match word i. */
export function align(matches: readonly (readonly Match[])[], length: number): (Match | undefined)[] {
  const fixed = certain(matches, length);
  const used = new Uint8Array(length);
  for (const match of fixed) if (match !== undefined) used[match.word] = 1;
  let paths: Path[] = [{ exact: 0, chunks: 0, distance: 0, next: -1, chosen: [], used }];
  matches.forEach((possible, at) => {
    const only = fixed[at];
    const best: Step[] = [];
    for (const path of paths)
      if (only === undefined) branch(path, possible, at, best);
      else keep(best, withMatch(path, only, at));
    paths = best.map(taken);
  });
  const closed = paths.map((path) => ({ ...path, chunks: path.chunks + (path.next === -1 ? 0 : 1) }));
  return closed.sort(better)[0].chosen;
}

/** For each reference word, its certain match: neither of the two words has another possible match. */
function certain(matches: readonly (readonly Match[])[], length: number): (Match | undefined)[] {
  const covered = new Uint32Array(length);
  for (const { word } of matches.flat()) covered[word]++;
  return matches.map((possible) =>
    possible.length === 1 && covered[possible[0].word] === 1 ? possible[0] : undefined,
  );
}

/** Compares two paths. As in METEOR, more exact matches make a path better, but more stem or synonym matches do not. */
function better(a: Omit<Path, 'chosen' | 'used'>, b: Omit<Path, 'chosen' | 'used'>): number {
  return b.exact - a.exact || a.chunks - b.chunks || a.distance - b.distance;
}

/** Inserts a step into the sorted list of the best steps. Equally good steps keep their order. */
function keep(best: Step[], step: Step): void {
  if (best.length === beam && better(step, best[beam - 1]) >= 0) return;
  let at = best.length;
  while (at > 0 && better(step, best[at - 1]) < 0) at--;
  best.splice(at, 0, step);
  if (best.length > beam) best.pop();
}

/** Adds a step for each possible match of a word, then a step without a match. */
function branch(path: Path, possible: readonly Match[], at: number, best: Step[]): void {
  // As in METEOR, the distance of a match counts for the steps that are added after it, not for its own step.
  let { distance } = path;
  for (const match of possible) {
    if (path.used[match.word] === 1) continue;
    keep(best, { ...withMatch(path, match, at), distance });
    distance += Math.abs(at - match.word);
  }
  const { exact, chunks, next } = path;
  keep(best, {
    exact,
    chunks: chunks + (next === -1 ? 0 : 1),
    distance,
    next: -1,
    from: path,
    match: undefined,
  });
}

function withMatch(path: Path, match: Match, at: number): Step {
  return {
    exact: path.exact + (match.stage === 0 ? 1 : 0),
    chunks: path.chunks + (path.next !== -1 && match.word !== path.next ? 1 : 0),
    distance: path.distance + Math.abs(at - match.word),
    next: match.word + 1,
    from: path,
    match,
  };
}

function taken({ from, match, ...rest }: Step): Path {
  let { used } = from;
  if (match !== undefined && used[match.word] === 0) {
    used = used.slice();
    used[match.word] = 1;
  }
  return { ...rest, chosen: [...from.chosen, match], used };
}

/** The number of chunks. A chunk is a series of matches whose words are consecutive in both captions. */
export function chunksIn(chosen: readonly (Match | undefined)[]): number {
  let chunks = 0;
  let next = -1;
  for (const match of chosen) {
    if (match !== undefined && match.word !== next) chunks++;
    next = match === undefined ? -1 : match.word + 1;
  }
  return chunks;
}
