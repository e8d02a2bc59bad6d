import { createHash, type Hash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { CaptiousError, inputError, throwIfCancelled, wordsOf } from '../base/errors';
import type { Outcome } from '../base/outcome';
import { chunksOf, linesOf } from '../base/files/readFile';
import { say, type Words } from '../base/say';
import type { Evaluator } from './evaluator';
import type { Want, WantKind } from '../protocol/item';
import { entriesOf } from '../dataset/entries';
import { largestScore } from './outcomes';
import { wantKey } from './wantKey';
import { decimalOf } from '../base/text/decimal';
import { hasKeyTwice } from '../base/text/jsonKeys';

/** Scores that another program computed. `scores` maps the key of a pair (`wantKey`) to its score. */
export interface ScoresTable {
  path: string;
  sha256: string;
  scores: ReadonlyMap<string, number>;
  range?: ScoreRange;
}

/** The lowest and the highest score that the program can return, as the user stated them. */
export interface ScoreRange {
  low: number;
  high: number;
}

interface Scored {
  key: unknown;
  score: unknown;
  line: number;
}

/**
 * Reads JSON Lines with `key` and `score`, or a table with these columns. Throws if a key has two different
 * scores or if a finite score is outside `range`.
 */
export async function readScores(
  path: string,
  signal?: AbortSignal,
  range?: ScoreRange,
): Promise<ScoresTable> {
  const scores = new Map<string, number>();
  const read = { hash: createHash('sha256') };
  const wrong = (why: Words, line: number) =>
    inputError(why, say('evaluator.writeKeyAndScore'), `${path}:${line}`);
  try {
    for await (const { key: said, score: given, line } of scoredIn(path, read, wrong, signal)) {
      const key = typeof said === 'string' ? said.trim() : '';
      if (key === '') throw wrong(say('evaluator.scoresKeyMissing'), line);
      if (given === undefined) throw wrong(say('evaluator.scoreMissing'), line);
      const score = scoreOf(given);
      if (score === undefined) throw wrong(say('evaluator.scoreInvalid', JSON.stringify(given)), line);
      if (Number.isFinite(score) && Math.abs(score) > largestScore)
        throw wrong(say('evaluator.scoreTooExtreme', score, largestScore, largestScore), line);
      if (range !== undefined && (score < range.low || score > range.high) && Number.isFinite(score))
        throw wrong(say('evaluator.scoreOutsideRange', score, range.low, range.high), line);
      const before = scores.get(key);
      if (before !== undefined && !Object.is(before, score))
        throw wrong(say('evaluator.scoreConflict', key, before, score), line);
      scores.set(key, score);
    }
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw new CaptiousError('input', say('evaluator.scoresUnreadable', wordsOf(cause)), { at: path, cause });
  }
  return { path, sha256: read.hash.digest('hex'), scores, ...(range === undefined ? {} : { range }) };
}

async function* scoredIn(
  path: string,
  read: { hash: Hash },
  wrong: (why: Words, line: number) => CaptiousError,
  signal?: AbortSignal,
): AsyncGenerator<Scored> {
  let line = 0;
  for await (const raw of linesOf(hashed(chunksOf(path), read.hash), path)) {
    line++;
    if (line % 4096 === 0) throwIfCancelled(signal);
    const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw;
    if (text.trim() === '') continue;
    if (!text.startsWith('{')) {
      if (line > 1) throw wrong(say('evaluator.scoresLineNotJson'), line);
      yield* scoredInTable(path, text, wrong, signal);
      read.hash = createHash('sha256');
      for await (const chunk of chunksOf(path)) read.hash.update(chunk);
      return;
    }
    const json = pythonNumbers(text);
    let found: object;
    try {
      found = JSON.parse(json) as object;
    } catch (cause) {
      throw wrong(say('evaluator.scoresLineUnreadable', wordsOf(cause)), line);
    }
    if (hasKeyTwice(json, found)) throw wrong(say('evaluator.scoresFieldRepeated'), line);
    yield { ...(found as Scored), line };
  }
}

async function* scoredInTable(
  path: string,
  header: string,
  wrong: (why: Words, line: number) => CaptiousError,
  signal?: AbortSignal,
): AsyncGenerator<Scored> {
  for (const name of ['key', 'score']) {
    const columns = header.match(new RegExp(`(?<=^|[,\t;|"])${name}(?=$|[,\t;|"])`, 'g'))?.length ?? 0;
    if (columns === 0) throw wrong(say('evaluator.scoresHeaderMissing'), 1);
    if (columns > 1) throw wrong(say('evaluator.scoresColumnRepeated', name), 1);
  }
  for await (const { fields, place } of entriesOf(path, signal))
    yield { key: fields.get('key')?.value, score: fields.get('score')?.value, line: place?.line ?? 1 };
}

/** Puts NaN and Infinity into quotes. Python writes them into JSON, but JSON does not allow them. */
function pythonNumbers(line: string): string {
  if (!/NaN|Infinity/.test(line)) return line;
  return line.replace(
    // A string without an end reaches to the end of the line, so that no search starts inside it.
    /("(?:[^"\\]|\\.)*(?:"|\\?$))|-?(?:NaN|Infinity)/gs,
    (found, text?: string) => text ?? `"${found}"`,
  );
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/**
 * Converts a value to a score. Returns undefined for an invalid value, and NaN for null, "nan" or an empty
 * text. Programs write these if they could not score a pair.
 */
function scoreOf(value: unknown): number | undefined {
  if (value === null || value === '') return NaN;
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const said = value.trim();
  if (/^nan$/i.test(said)) return NaN;
  return /^[+-]?Infinity$/.test(said) ? Number(said) : decimalOf(said);
}

export function scoresEvaluator(
  table: ScoresTable,
  kinds: readonly WantKind[],
  name?: string,
  notes: readonly Words[] = [],
): Evaluator {
  const id = name ?? basename(table.path, extname(table.path));
  return {
    info: {
      id,
      name: name ?? `Scores of ${basename(table.path)}`,
      kind: 'scores',
      path: table.path,
      sha256: table.sha256,
      scores: kinds,
      precision: 'as given',
      provider: 'made elsewhere',
      // The scores need not be cosines. Their range is unknown unless the user stated it.
      scale: { name: 'own', ...table.range },
      prefix: '',
      notes: [say('evaluator.externalScoresUnchanged'), ...notes],
    },
    lookUp: (wants: readonly Want[]) =>
      wants.map((want): Outcome<number> => {
        const score = table.scores.get(wantKey(want));
        if (score === undefined) return { ok: false, problem: say('evaluator.noScoreInFile') };
        return Number.isFinite(score)
          ? { ok: true, value: score }
          : { ok: false, problem: say('evaluator.scoreInFileIs', String(score)) };
      }),
    close: () => Promise.resolve(),
  };
}
