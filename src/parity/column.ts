import { basename, extname } from 'node:path';
import { CaptiousError } from '../base/errors';
import { Fingerprints } from '../base/files/fingerprints';
import { say, type Words } from '../base/say';
import { decimalOf } from '../base/text/decimal';
import { entriesOf } from '../dataset/entries';
import type { Evaluator } from '../evaluator/evaluator';
import { readScores, scoresEvaluator } from '../evaluator/scoresTable';
import { wantKey } from '../evaluator/wantKey';

const tables = ['.csv', '.tsv', '.jsonl', '.parquet'];

/** Whether a reference is a table of scores. */
export function isTable(ref: string): boolean {
  return tables.includes(extname(ref).toLowerCase());
}

/** An evaluator that looks scores up in a table with the columns image, caption and score, or key and score. */
export async function openTable(path: string, signal: AbortSignal): Promise<Evaluator> {
  const scores = new Map<string, number>();
  let isKeyed = false;
  for await (const { fields, place } of entriesOf(path, signal)) {
    const value = (name: string): unknown => fields.get(name)?.value;
    const wrong = (why: Words): CaptiousError =>
      new CaptiousError('input', why, {
        at: place === undefined ? path : `${path}:${place.line}`,
        remedy: say('parity.tableColumns'),
      });
    isKeyed = value('image') === undefined && value('key') !== undefined;
    if (isKeyed) break;
    const [image, caption] = [value('image'), value('caption')];
    const missing = ['image', 'caption', 'score'].find((name) => value(name) === undefined);
    if (missing !== undefined || typeof image !== 'string' || typeof caption !== 'string')
      throw wrong(say('parity.columnMissing', missing ?? 'image'));
    const key = wantKey({
      left: { kind: 'image', source: { name: image, bytes: new Uint8Array() }, transforms: [] },
      right: { kind: 'text', text: caption },
    });
    const score = numberIn(value('score'));
    const before = scores.get(key);
    if (before !== undefined && !Object.is(before, score)) throw wrong(say('parity.scoreTwice', image));
    scores.set(key, score);
  }
  const kinds = ['image-text'] as const;
  if (isKeyed) return scoresEvaluator(await readScores(path, signal), kinds);
  const sha256 = await new Fingerprints(undefined).sha256(path);
  return scoresEvaluator({ path, sha256, scores }, kinds, basename(path));
}

/** NaN for a pair that the program could not score. */
function numberIn(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (decimalOf(value.trim()) ?? NaN) : NaN;
}
