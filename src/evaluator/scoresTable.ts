import { createHash, type Hash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { CaptiousError, messageOf, throwIfCancelled } from '../base/errors';
import type { Outcome } from '../base/outcome';
import { chunksOf, linesOf } from '../base/files/readFile';
import type { Evaluator } from './evaluator';
import type { Want, WantKind } from '../protocol/item';
import { largestScore } from './outcomes';
import { wantKey } from './wantKey';

/** Scores made elsewhere, by the key of their pair. */
export interface ScoresTable {
  path: string;
  sha256: string;
  scores: ReadonlyMap<string, number>;
}

/**
 * Reads JSON lines with `key` and `score`, or a table with those two columns; in any order, other fields are passed over.
 * The same key twice is fine where the score is the same.
 */
export async function readScores(path: string, signal?: AbortSignal): Promise<ScoresTable> {
  const scores = new Map<string, number>();
  const hash = createHash('sha256');
  let parse: ((text: string) => { key: unknown; score: unknown }) | undefined;
  let line = 0;
  const wrong = (why: string) =>
    new CaptiousError('input', why, {
      at: `${path}:${line}`,
      remedy:
        'Each line holds a key from the variants file and its score: {"key": "…", "score": 0.25}, or key,score.',
    });
  try {
    for await (const raw of linesOf(hashed(chunksOf(path), hash), path)) {
      line++;
      if (line % 4096 === 0) throwIfCancelled(signal);
      const text = line === 1 ? raw.replace(/^\uFEFF/, '') : raw;
      if (text.trim() === '') continue;
      if (parse === undefined) {
        parse = parserFor(text);
        if (parse === undefined)
          throw wrong('This is neither JSON nor a header with the columns key and score.');
        if (!text.startsWith('{')) continue;
      }
      let found: { key: unknown; score: unknown };
      try {
        found = parse(text);
      } catch (cause) {
        throw wrong(`This line cannot be read: ${messageOf(cause)}.`);
      }
      const { key } = found;
      if (typeof key !== 'string' || key === '') throw wrong('There is no key on this line.');
      const score = scoreOf(found.score);
      if (score === undefined) throw wrong(`${JSON.stringify(found.score)} is not a score.`);
      if (Number.isFinite(score) && Math.abs(score) > largestScore)
        throw wrong(`The score ${score} is too large to compute with: at most ±${largestScore} is.`);
      const before = scores.get(key);
      if (before !== undefined && !Object.is(before, score))
        throw wrong(`The key ${key} has two scores: ${before} and ${score}.`);
      scores.set(key, score);
    }
  } catch (cause) {
    if (cause instanceof CaptiousError) throw cause;
    throw new CaptiousError('input', `The scores cannot be read: ${messageOf(cause)}.`, { at: path, cause });
  }
  return { path, sha256: hash.digest('hex'), scores };
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A scorer that failed on a pair may say so with null or NaN: that pair's example is left out, and said to be. */
function scoreOf(value: unknown): number | undefined {
  if (value === null || value === '') return NaN;
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (/^nan$/i.test(value.trim())) return NaN;
  // Decimal only: "0x10" is no 16.
  return /^\s*[+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*$/.test(value)
    ? Number(value)
    : undefined;
}

function parserFor(first: string): ((text: string) => { key: unknown; score: unknown }) | undefined {
  if (first.startsWith('{')) return (text) => JSON.parse(text) as { key: unknown; score: unknown };
  const separator = first.includes('\t') ? '\t' : ',';
  const names = first.split(separator).map(unquoted);
  const [key, score] = [names.indexOf('key'), names.indexOf('score')];
  if (key < 0 || score < 0) return undefined;
  return (text) => {
    const cells = text.split(separator).map(unquoted);
    return { key: cells[key], score: cells[score] };
  };
}

function unquoted(cell: string): string {
  return cell.trim().replace(/^"(.*)"$/, '$1');
}

/** Sits in the evaluator's chair and answers from the table. */
export function scoresEvaluator(table: ScoresTable, kinds: readonly WantKind[], name?: string): Evaluator {
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
      scale: { name: 'cosine' },
      prefix: '',
      notes: ['The scores were made elsewhere and are taken as they are.'],
    },
    lookUp: (wants: readonly Want[]) =>
      wants.map((want): Outcome<number> => {
        const score = table.scores.get(wantKey(want));
        if (score === undefined) return { ok: false, problem: 'no score was given' };
        return Number.isFinite(score)
          ? { ok: true, value: score }
          : { ok: false, problem: `its score is ${score}` };
      }),
    close: () => Promise.resolve(),
  };
}
