import { parseFieldMap } from '../../dataset/fields/fields';
import { inspectDataset, type ImageTrouble, type Inspection } from '../../dataset/inspect';
import { type Command, onePositional, repeated, text } from '../arguments';
import { bytes, placeOf, print, printJson, table } from '../terminal';

import { images, map } from '../options';
export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'show what a dataset file holds and what is wrong with it',
  usage: ['inspect FILE'],
  operands: { FILE: 'a dataset file' },
  options: { images, map, json: { describe: 'print the findings as one JSON value' } },
  examples: ['inspect samples/captions.json'],

  async run(call) {
    const { values, signal } = call;
    const map = text(values, 'map');
    const found = await inspectDataset(onePositional(call, 'inspect', 'A dataset file'), {
      images: repeated(values, 'images'),
      map: map === undefined ? undefined : parseFieldMap(map),
      signal,
    });
    if (values.json) printJson(found);
    else printInspection(found);
    return 0;
  },
};

function printInspection(found: Inspection): void {
  const { images } = found;
  const roles = Object.entries(found.roles).map(([role, count]) => `${count} ${role}`);
  const photos = [
    `${images.distinct} names`,
    images.inside > 0 ? `${images.inside} inside the file` : '',
    `${images.found} found`,
    ...(['missing', 'ambiguous', 'refused'] as const).map((key) =>
      images[key].count > 0 ? `${images[key].count} ${key}` : '',
    ),
  ];
  const facts: [string, string][] = [
    ['format', `${found.format}, ${found.form} examples${found.encoding ? `, ${found.encoding}` : ''}`],
    ['size', bytes(found.size)],
    ['SHA-256', found.sha256],
    ['columns', found.columns.join(', ')],
    ['examples', String(found.examples)],
    ['captions', `${found.captions}${roles.length > 0 ? `: ${roles.join(', ')}` : ''}`],
    ['photos', photos.filter((part) => part !== '').join(', ')],
    ...Object.entries(found.lists ?? {}).map(([name, count]): [string, string] => [name, String(count)]),
  ];
  print(found.path);
  for (const [key, value] of facts) print(`  ${key.padEnd(9)} ${value}`);
  if (found.note !== undefined) print(`\n${found.note}`);
  for (const key of ['missing', 'ambiguous', 'refused'] as const) printPhotos(key, images[key]);
  if (found.problems.length === 0) return;
  print('');
  print(
    table(
      ['problem', 'count', ''],
      found.problems.map(({ code, severity, count }) => [code, String(count), severity]),
    ),
  );
  for (const { first } of found.problems) {
    for (const { message, place } of first) print(`  ${placeOf(place)}${message}`);
  }
}

function printPhotos(key: string, { count, first }: ImageTrouble): void {
  if (count === 0) return;
  print(`\n${count} images ${key}; the first:`);
  for (const { name, message, place } of first) {
    print(`  ${placeOf(place)}${name}: ${message}`);
  }
}
