/** Aligns two captions with the most exact matches and the fewest chunks, by METEOR 1.5's search. */

/** A candidate word that may match a reference word, and the stage of the match. */
export interface Match {
  word: number;
  stage: number;
}

const beam = 40;

interface Path {
  exact: number;
  chunks: number;
  distance: number;
  /** The candidate word after the last match; -1 after an unmatched word. */
  next: number;
  /** The chosen match of each reference word so far. */
  chosen: (Match | undefined)[];
  /** Candidate words with a match. */
  used: Uint8Array;
}

/** A path that adds one choice to `from`. */
interface Step extends Omit<Path, 'chosen' | 'used'> {
  from: Path;
  match: Match | undefined;
}

/** `matches[i]`: the candidate words that may match reference word i. Returns each reference word's match. */
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

/** Pairs of words without other possible matches. */
function certain(matches: readonly (readonly Match[])[], length: number): (Match | undefined)[] {
  const covered = new Uint32Array(length);
  for (const { word } of matches.flat()) covered[word]++;
  return matches.map((possible) =>
    possible.length === 1 && covered[possible[0].word] === 1 ? possible[0] : undefined,
  );
}

/** Compares two paths. The search counts only exact matches here, although the score also counts others. */
function better(a: Omit<Path, 'chosen' | 'used'>, b: Omit<Path, 'chosen' | 'used'>): number {
  return b.exact - a.exact || a.chunks - b.chunks || a.distance - b.distance;
}

/** Inserts a step among the best. Equally good steps keep their order. */
function keep(best: Step[], step: Step): void {
  if (best.length === beam && better(step, best[beam - 1]) >= 0) return;
  let at = best.length;
  while (at > 0 && better(step, best[at - 1]) < 0) at--;
  best.splice(at, 0, step);
  if (best.length > beam) best.pop();
}

/** Adds a step for each possible match of a word, then a step without a match. */
function branch(path: Path, possible: readonly Match[], at: number, best: Step[]): void {
  // METEOR adds a match's distance to later alternatives instead of the match's own step.
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

/** The number of chunks: runs of matches with consecutive words in both captions. */
export function chunksIn(chosen: readonly (Match | undefined)[]): number {
  let chunks = 0;
  let next = -1;
  for (const match of chosen) {
    if (match !== undefined && match.word !== next) chunks++;
    next = match === undefined ? -1 : match.word + 1;
  }
  return chunks;
}
