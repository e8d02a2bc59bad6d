import { english } from '../../base/english';
import { readsAs } from '../../dataset/readsAs';
import { chancesOf } from '../../probe/choice/chance';
import { partlyWords } from '../../dataset/images/partlyFound';
import type { ImageTrouble, Inspection } from '../../dataset/inspect';
import { mostRowsRead } from '../../dataset/parts/sample';
import { type BenchmarkInspection, inspectBenchmark } from '../../audit/benchmark/inspection';
import { type Command, datasetOf, repeated } from '../arguments';
import { bytes, counted, placeOf, print, printJson, table } from '../terminal';

import { datasetOperand, images, map, splitOptions } from '../options';
import { fieldsOf } from '../datasetRequest';
export const inspectCommand: Command = {
  name: 'inspect',
  summary: 'show the contents of a dataset and its problems',
  usage: ['inspect DATASET…'],
  operands: { DATASET: datasetOperand },
  options: {
    ...splitOptions,
    images,
    map,
    all: {
      describe: `read every row. Otherwise, of more than ${grouped(mostRowsRead)} rows in Parquet, Arrow or tar files, a sample is read, and all counts are of the sample`,
    },
    json: { describe: 'print the findings as one JSON value' },
  },
  examples: ['inspect samples/captions.json', 'inspect "data/train-*.parquet"'],

  async run(call) {
    const { values, signal } = call;
    const found = await inspectBenchmark(datasetOf(call, 'inspect'), {
      images: repeated(values, 'images'),
      map: fieldsOf(values),
      all: values.all === true,
      signal,
    });
    if (values.json) printJson({ ...found, shapes: found.shapes.map(withChances) });
    else printInspection(found);
    return 0;
  },
};

function printInspection(found: BenchmarkInspection): void {
  const { images } = found;
  const roles = Object.entries(found.roles).map(([role, count]) => `${count} ${role}`);
  const imageWords = [
    counted(images.distinct, 'name'),
    images.inside > 0 ? `${images.inside} inside the file` : '',
    `${images.found} found`,
    images.partly.count > 0 ? `${images.partly.count} of them by less than the whole path` : '',
    ...(['missing', 'ambiguous', 'refused'] as const).map((key) =>
      images[key].count > 0 ? `${images[key].count} ${key}` : '',
    ),
  ];
  const facts: [string, string][] = [
    ['reads as', english(readsAs(found))],
    ['format', `${found.format}, ${found.form} examples${found.encoding ? `, ${found.encoding}` : ''}`],
    ['files', found.parts === undefined ? '' : filesOf(found.parts)],
    ['size', bytes(found.size)],
    ['SHA-256', found.sha256],
    ['also reads', found.beside === undefined ? '' : `${found.beside.path}, SHA-256 ${found.beside.sha256}`],
    ...found.reads
      .filter(([column]) => found.columns.includes(column))
      .map(([column, as], i): [string, string] => [i === 0 ? 'reads' : '', `${column} as ${as}`]),
    ['sample', sampleLine(found)],
    ['tags', found.tags.join(', ')],
    ['ignores', found.ignored.join(', ')],
    ['examples', String(found.examples)],
    ['captions', `${found.captions}${roles.length > 0 ? `: ${roles.join(', ')}` : ''}`],
    ['images', imageWords.filter((part) => part !== '').join(', ')],
    ...Object.entries(found.lists ?? {}).map(([name, count]): [string, string] => [name, String(count)]),
  ];
  print(found.path);
  for (const [key, value] of [...facts, ...kindsOf(found)])
    if (value !== '') print(`  ${key.padEnd(10)} ${value}`);
  if (found.benchmark !== undefined) printBenchmark(found.benchmark);
  if (found.note !== undefined) print(`\n${found.note}`);
  if (images.partly.count > 0) {
    print(`\n${english(partlyWords(images.partly))}`);
    for (const { name, file } of images.partly.first) print(`  ${name} as ${file}`);
  }
  for (const key of ['missing', 'ambiguous', 'refused'] as const) printImages(key, images[key]);
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

/** The findings about the items, and of which sample they are. */
function printBenchmark({ examples, of, sentences }: NonNullable<BenchmarkInspection['benchmark']>): void {
  if (sentences.length === 0) return;
  if (of !== undefined) print(`\nIn a random sample of ${examples} of ${of} examples:`);
  else print('');
  for (const sentence of sentences) print(sentence);
  print('"captious benchmark" checks all items.');
}

/** Lines about types, votes, ratings and references, and about choices with their chance levels. */
function kindsOf({ types, shapes, refusedByVotes, rated, referenced, form }: Inspection): [string, string][] {
  const isChoice = ['choice', 'crossed', 'triplet', 'pair'].includes(form);
  const counts = Object.entries(types?.counts ?? {});
  return [
    ...(isChoice ? shapes : []).map((shape): [string, string] => {
      const right = shape.rightOf.filter((own) => own >= 0).length;
      const chances = Object.entries(withChances(shape).chances).map(
        ([name, chance]) => `${name} ${(100 * chance).toFixed(1)} %`,
      );
      return [
        'choice',
        `${counted(shape.count, 'example')} with ${counted(shape.images, 'image')} × ${counted(shape.rightOf.length, 'caption')}, ${right} right; chance: ${chances.join(', ')}`,
      ];
    }),
    ...(counts.length === 0
      ? []
      : [
          [
            'types',
            counts
              .slice(0, 20)
              .map(([type, count]) => `${type} ${count}`)
              .join(', '),
          ] satisfies [string, string],
        ]),
    [
      'votes',
      refusedByVotes === 0
        ? ''
        : `${counted(refusedByVotes, 'example')} with fewer than 2 votes will be left out`,
    ],
    ['ratings', rated === 0 ? '' : counted(rated, 'rated caption')],
    ['references', referenced === 0 ? '' : `${counted(referenced, 'example')} with references`],
  ];
}

function sampleLine({ sample }: Inspection): string {
  if (sample === undefined) return '';
  return `${grouped(sample.rows)} of ${grouped(sample.of)} rows, in blocks at equal distances. All counts below are of the sample; --all reads every row`;
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

/** The number of a dataset's files, and the first and the last. */
function filesOf(parts: readonly string[]): string {
  const ends = [...new Set([parts[0], parts[parts.length - 1]])];
  return `${parts.length}: ${ends.join(' … ')}`;
}

function withChances(shape: Inspection['shapes'][number]) {
  return { ...shape, chances: shape.images === 0 ? {} : chancesOf(shape.images, shape.rightOf) };
}

function printImages(key: string, { count, first }: ImageTrouble): void {
  if (count === 0) return;
  print(`\n${counted(count, 'image')} ${key}; the first:`);
  for (const { name, message, place } of first) {
    print(`  ${placeOf(place)}${message.includes(name) ? '' : `${name}: `}${message}`);
  }
}
