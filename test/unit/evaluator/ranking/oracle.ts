import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rows } from '../../../../src/evaluator/ranking/rows';

export interface PackedRows {
  count: number;
  dimension: number;
  float32: string;
}

export interface RetrievalExample {
  images: PackedRows;
  captions: PackedRows;
  alteredCaptions: PackedRows;
  alteredImages: PackedRows;
  perImage: number;
  truthScores: number[][];
  greater: number[][];
  equal: number[][];
  top: number[][];
  i2t: RetrievalFigures;
  t2i: RetrievalFigures;
}

export interface RetrievalFigures {
  rates: Record<string, number>;
  ties: Record<string, number>;
  hits: Record<string, number[]>;
}

export interface StabilityExample {
  queries: PackedRows;
  images: PackedRows;
  sizes: number[];
  pairs: [number, number][];
  tied: number[];
  edgeTies: number[][];
  rho: number[];
  listwise: number[];
  shared: number[][];
  /** For each size below the number of images. */
  corrected: number[];
  /** Families with even positions against the others. */
  between: Record<string, { value: number; low: number; high: number; p: number }>;
}

export function readOracle<T>(path: string): T {
  return JSON.parse(readFileSync(join(__dirname, '../../../oracle', path), 'utf8')) as T;
}

export function unpack({ count, dimension, float32 }: PackedRows): Rows {
  const bytes = Buffer.from(float32, 'base64');
  const data = new Float32Array(count * dimension);
  for (let i = 0; i < data.length; i++) data[i] = bytes.readFloatLE(4 * i);
  return { count, dimension, data };
}
