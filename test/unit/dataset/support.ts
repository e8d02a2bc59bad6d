import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import type { Said } from '../../../src/base/say';
import type { Dataset, Problem } from '../../../src/dataset/dataset';
import type { Example } from '../../../src/dataset/example';
import { type FieldMap, parseFieldMap } from '../../../src/dataset/fields/fields';
import { type OpenOptions, openDataset } from '../../../src/dataset/open';

export const sharedData = resolve(__dirname, '../../../../shared/data');

/** Skips the test if the shared data is not next to the checkout. */
export function needSharedData(context: Mocha.Context): void {
  if (existsSync(sharedData)) return;
  console.log(`    (left out: ${sharedData} is not there)`);
  context.skip();
}

/** A folder for one test file, removed at its end. */
export function scratchFolder(): {
  write: (name: string, content: string | Uint8Array) => string;
  path: string;
} {
  const path = mkdtempSync(join(tmpdir(), 'captious-dataset-'));
  after(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
  };
}

export interface Reading {
  dataset: Dataset;
  examples: Example[];
  problems: Problem[];
}

export async function readAll(path: string, options?: OpenOptions): Promise<Reading> {
  const dataset = await openDataset(path, options);
  const examples: Example[] = [];
  const problems: Problem[] = [];
  for await (const example of dataset.read({ onProblem: (problem) => problems.push(problem) }))
    examples.push(example);
  return { dataset, examples, problems };
}

export function countBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  const out: Record<string, number> = {};
  for (const item of items) out[key(item)] = (out[key(item)] ?? 0) + 1;
  return out;
}

type Decode = (raw: string) => string;

export const decodeJson: Decode = (raw) => JSON.parse(raw) as string;
export const decodeCell: Decode = (raw) =>
  raw.startsWith('"') && raw.endsWith('"') && raw.length > 1 ? raw.slice(1, -1).replaceAll('""', '"') : raw;

/** Checks that each place contains its caption, both by the byte offset and by the line and column. */
export function checkPlaces(
  path: string,
  examples: readonly Example[],
  decode: Decode,
  encoding: 'utf8' | 'utf16le' = 'utf8',
): void {
  const bytes = readFileSync(path);
  const unitsBefore = new Map<number, number>();
  const text = bytes.toString(encoding);
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  unitsBefore.set(1, at);
  for (let line = 1; ; line++) {
    const end = /\r\n|\n|\r/g;
    end.lastIndex = at;
    const match = end.exec(text);
    if (match === null) break;
    at = match.index + match[0].length;
    unitsBefore.set(line + 1, at);
  }
  for (const example of examples) {
    for (const caption of example.captions) {
      const { place } = caption;
      assert.ok(place, `no place for ${caption.text}`);
      const raw = bytes.subarray(place.offset, place.offset + place.length).toString(encoding);
      assert.equal(decode(raw), caption.text);
      const start = unitsBefore.get(place.line)! + place.column - 1;
      assert.equal(text.slice(start, start + raw.length), raw, `line ${place.line}, column ${place.column}`);
    }
  }
}

export function flagsIn(remedy: string): FieldMap[] {
  return [...remedy.matchAll(/--map ('(?:[^']|'\\'')*'|\S+=\S+)/g)]
    .map(([, text]) => (text.startsWith("'") ? text.slice(1, -1).replaceAll("'\\''", "'") : text))
    .filter((text) => !text.includes('…'))
    .map((text) => parseFieldMap(text));
}

/** Reads a file with each map that an error suggests. */
export function tryRemedies(path: string, { remedy }: CaptiousError): Promise<Reading[]> {
  return Promise.all(flagsIn(remedy ?? '').map((map) => readAll(path, { map })));
}

/** Checks that opening a file fails with this message, and that every map in the remedy works. */
export async function assertAsks(path: string, about: RegExp | Said): Promise<Reading[]> {
  let asked: CaptiousError | undefined;
  await assert.rejects(openDataset(path), (error) => {
    assert.ok(error instanceof CaptiousError);
    asked = error;
    return true;
  });
  if (about instanceof RegExp) assert.match(asked!.message, about);
  else assert.deepEqual(asked!.what, about);
  assert.ok(asked!.message.length < 300, asked!.message);
  const readings = await tryRemedies(path, asked!);
  assert.ok(readings.length > 0, asked!.remedy);
  return readings;
}
