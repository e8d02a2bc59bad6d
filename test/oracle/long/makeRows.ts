/* Writes rows.jsonl: captions of 24 images with scores that are made up, some of which are equal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/base/random';
import { caption, drive, example } from '../../unit/probe/long/drive';

const words = (text: string): string[] => text.split(/\s+/);
const examples = Array.from({ length: 24 }, (_, image) => example(`image-${image}`, caption(image)));
const { rows } = drive(
  examples,
  (text) => Math.round(8 * new Random(5, words(text).slice(0, 25).join(' ')).uniform()) / 8,
  { truncates: (text) => words(text).length > 25 },
);
writeFileSync(join(__dirname, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
