/** METEOR 1.5 for English (Denkowski and Lavie 2014): exact, stem and synonym matches, no paraphrases. */
import { align, chunksIn, type Match } from './align';
import { meteorWords } from './normalise';
import { stem } from './stem';
import { Synonyms } from './synonyms';

/** METEOR's default parameters, which were tuned for ranking. */
const alpha = 0.85;
const beta = 0.2;
const gamma = 0.6;
/** The weight of content words. The remaining weight is for function words. */
const delta = 0.75;
/** The weights of exact, stem and synonym matches. */
const weights = [1, 0.6, 0.8];

/** METEOR's list of frequent words. */
const functionWords = new Set(
  (
    'the , . to of and a in that for " is on \'s it with was as said at he by be from have has are his but an this not i will ’ they ) ' +
    '-rrb- ( -lrb- who their had we which were been more or s its would about new one after you : also up when there than $ all out ' +
    "her people she year two - can if last first “ over other ” into some what so -- no time years could ? 't — '"
  ).split(' '),
);

/** The statistics of a caption and its best reference. Summed over a corpus, they give its METEOR. */
export interface MeteorParts {
  candidate: SideParts;
  reference: SideParts;
  chunks: number;
}

interface SideParts {
  length: number;
  functions: number;
  /** For each stage (exact, stem, synonym), the numbers of matched content words and of matched function words. */
  content: number[];
  function: number[];
}

interface Prepared {
  words: string[];
  stems: string[];
  synsets: ReadonlySet<number>[];
}

export class Meteor {
  private readonly synonyms = new Synonyms();
  private readonly prepared = new Map<string, Prepared>();

  /** The statistics with the best reference. Of equally good references, the first one counts. */
  parts(caption: string, references: readonly string[]): MeteorParts {
    const own = this.prepare(caption);
    let best: MeteorParts | undefined;
    for (const reference of references) {
      const parts = this.compare(own, this.prepare(reference));
      if (best === undefined || meteorOf(parts) > meteorOf(best)) best = parts;
    }
    return best ?? noMeteorParts();
  }

  private prepare(caption: string): Prepared {
    let own = this.prepared.get(caption);
    if (own === undefined) {
      if (this.prepared.size === mostRemembered) this.prepared.clear();
      const words = meteorWords(caption);
      own = { words, stems: words.map(stem), synsets: words.map((word) => this.synonyms.of(word)) };
      this.prepared.set(caption, own);
    }
    return own;
  }

  private compare(candidate: Prepared, reference: Prepared): MeteorParts {
    const same =
      candidate.words.length === reference.words.length &&
      candidate.words.every((word, i) => word === reference.words[i]);
    const chosen = align(matchesOf(candidate, reference, same ? 1 : weights.length), candidate.words.length);
    const parts = {
      candidate: sideOf(candidate.words),
      reference: sideOf(reference.words),
      chunks: chunksIn(chosen),
    };
    chosen.forEach((match, at) => {
      if (match === undefined) return;
      count(parts.candidate, candidate.words[match.word], match.stage);
      count(parts.reference, reference.words[at], match.stage);
    });
    return parts;
  }
}

const mostRemembered = 1 << 16;

/** For each reference word, the candidate's words that may match it, ordered by stage and then by position. */
function matchesOf(candidate: Prepared, reference: Prepared, stages: number): Match[][] {
  const tests = [
    (i: number, j: number) => candidate.words[i] === reference.words[j],
    (i: number, j: number) =>
      candidate.words[i] !== reference.words[j] && candidate.stems[i] === reference.stems[j],
    (i: number, j: number) =>
      candidate.words[i] !== reference.words[j] && overlap(candidate.synsets[i], reference.synsets[j]),
  ].slice(0, stages);
  const own = tests.map((_, stage) => candidate.words.map((_word, word): Match => ({ word, stage })));
  return reference.words.map((_, j) =>
    tests.flatMap((test, stage) => own[stage].filter(({ word }) => test(word, j))),
  );
}

function overlap(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  if (a.size > b.size) return overlap(b, a);
  for (const one of a) if (b.has(one)) return true;
  return false;
}

function sideOf(words: readonly string[]): SideParts {
  return {
    length: words.length,
    functions: words.filter((word) => functionWords.has(word)).length,
    content: weights.map(() => 0),
    function: weights.map(() => 0),
  };
}

function count(side: SideParts, word: string, stage: number): void {
  (functionWords.has(word) ? side.function : side.content)[stage]++;
}

export function noMeteorParts(): MeteorParts {
  return { candidate: sideOf([]), reference: sideOf([]), chunks: 0 };
}

/** Adds the parts to the total, or subtracts them if `times` is −1. */
export function addMeteorParts(total: MeteorParts, parts: MeteorParts, times: 1 | -1 = 1): void {
  for (const side of ['candidate', 'reference'] as const) {
    const [to, from] = [total[side], parts[side]];
    to.length += times * from.length;
    to.functions += times * from.functions;
    from.content.forEach((matched, stage) => (to.content[stage] += times * matched));
    from.function.forEach((matched, stage) => (to.function[stage] += times * matched));
  }
  if (!isWhole(parts)) total.chunks += times * parts.chunks;
}

/** Whether all words of both captions match in a single chunk. */
function isWhole({ candidate, reference, chunks }: MeteorParts): boolean {
  return chunks === 1 && matched(candidate) === candidate.length && matched(reference) === reference.length;
}

function matched({ content, function: functions }: SideParts): number {
  return content.reduce((sum, n, stage) => sum + n + functions[stage], 0);
}

function weighted({ length, functions, content, function: matches }: SideParts): number {
  const found = weights.reduce(
    (sum, weight, stage) => sum + weight * (delta * content[stage] + (1 - delta) * matches[stage]),
    0,
  );
  return found / (delta * (length - functions) + (1 - delta) * functions);
}

export function meteorOf(parts: MeteorParts): number {
  const matches = (matched(parts.candidate) + matched(parts.reference)) / 2;
  if (matches === 0) return 0;
  const mean = 1 / ((1 - alpha) / weighted(parts.candidate) + alpha / weighted(parts.reference));
  const fragments = isWhole(parts) ? 0 : parts.chunks / matches;
  return mean * (1 - gamma * fragments ** beta);
}
