import { english } from '../../../src/base/english';
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../../src/base/outcome';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { ImageItem } from '../../../src/protocol/item';
import { openEvaluator, type OpenOptions } from '../../../src/evaluator/open';

export const modelsPath = join(__dirname, '..', '..', 'fixtures', 'models');
export const imagesPath = join(modelsPath, 'pictures');

/** Folders made by a test file. `cleanUp` removes them. */
const made: string[] = [];
const opened: Evaluator[] = [];

export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), 'captious-evaluator-'));
  made.push(path);
  return path;
}

export async function cleanUp(): Promise<void> {
  await Promise.all(opened.splice(0).map((evaluator) => evaluator.close()));
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
}

export async function open(name: string, options: OpenOptions = {}): Promise<Evaluator> {
  return openPath(join(modelsPath, name), options);
}

export async function openPath(path: string, options: OpenOptions = {}): Promise<Evaluator> {
  const evaluator = await openEvaluator(path, { home: scratch(), ...options });
  opened.push(evaluator);
  return evaluator;
}

/** A copy of a model's folder, whose files a test can change. */
export function copyOf(name: string): string {
  const path = join(scratch(), name);
  cpSync(join(modelsPath, name), path, { recursive: true });
  return path;
}

export function editJson(path: string, change: (json: Record<string, unknown>) => void): void {
  const json = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  change(json);
  writeFileSync(path, JSON.stringify(json));
}

export function imageItem(name: string, transforms: ImageItem['transforms'] = []): ImageItem {
  return { kind: 'image', source: { name, path: join(imagesPath, name) }, transforms };
}

/** Embeds texts like the bench: the texts of a batch have equal numbers of tokens. */
export async function embedAll(
  evaluator: Evaluator,
  texts: readonly string[],
  batchSize = 32,
): Promise<Outcome<Float32Array>[]> {
  const sizes = await evaluator.measureTexts!(texts);
  const out = new Array<Outcome<Float32Array>>(texts.length);
  const bySize = new Map<number, number[]>();
  sizes.forEach(({ tokens }, i) => bySize.set(tokens, [...(bySize.get(tokens) ?? []), i]));
  for (const indices of bySize.values()) {
    for (let from = 0; from < indices.length; from += batchSize) {
      const batch = indices.slice(from, from + batchSize);
      const rows = await evaluator.embedTexts!(batch.map((i) => texts[i]));
      batch.forEach((i, at) => (out[i] = rows[at]));
    }
  }
  return out;
}

export function valueOf<T>(outcome: Outcome<T>): T {
  assert.ok(outcome.ok, english(outcome.ok ? '' : outcome.problem));
  return outcome.value;
}

/** Compares with a tolerance, because both sides compute in float32 in different orders. */
export function assertClose(actual: ArrayLike<number>, expected: readonly number[], tolerance = 5e-6): void {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < expected.length; i++) {
    assert.ok(
      Math.abs(actual[i] - expected[i]) <= tolerance,
      `at ${i}: ${actual[i]} where the reference has ${expected[i]}`,
    );
  }
}

export function bytesOf(row: Float32Array): string {
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength).toString('hex');
}
