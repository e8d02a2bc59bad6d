import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { english } from '../../../src/base/english';
import { say, type Words } from '../../../src/base/say';
import { inspectDataset } from '../../../src/dataset/inspect';
import { openDataset } from '../../../src/dataset/open';
import { readsAs } from '../../../src/dataset/readsAs';
import { needSharedData, scratchFolder, sharedData, tryRemedies } from './support';

/** A file's format, number of examples and summary, or its error. */
type Expected = [format: string, examples: number, words: Words | RegExp] | RegExp;

const grid = (title: string) => say('dataset.readAsGrid', title, 2, 2, 2);
const noText = /neither JSON nor a table/;
const cocoWithout = /^COCO captions$/;
const sugarcrepe = say('dataset.readAsOptions', 'SugarCrepe, a caption and a wrong one', 2, 1);
const plusPlus = say(
  'dataset.readAsOptions',
  'SugarCrepe++, two captions with the same meaning and a wrong one',
  3,
  2,
);
const valse = say('dataset.readAsOptions', 'VALSE, a caption and its foil', 2, 1);
const visla = say('dataset.readAsOptions', 'VISLA, two captions with the same meaning and a wrong one', 3, 2);

const ofSharedData: Record<string, Expected> = {
  'README.md': noText,
  'bivlc/BiVLC_ViT-B-32.csv': ['bivlc-decisions', 2933, "decisions about BiVLC's images and captions"],
  'clipscore-example/bad_captions.json': /"key", "value"/,
  'clipscore-example/good_captions.json': /"key", "value"/,
  'clipscore-example/refs.json': /"key", "value"/,
  'coco/captions.json': ['coco', 239, 'COCO captions'],
  'coco/instances.json': ['coco', 0, cocoWithout],
  'cola/COLA_multiobjects_matching_benchmark.json': ['cola', 210, grid('Cola, multi-object matching')],
  'rococo/coco_karpathy_test.json': ['rococo', 5000, 'captions in a list, as BLIP reads them'],
  'rococo/same_concept.json': ['rococo', 5000, 'RoCOCO, five captions and five altered ones'],
  'sugar-crepe/add_att.json': ['sugarcrepe', 692, sugarcrepe],
  'sugar-crepe/replace_obj.json': ['sugarcrepe', 1652, sugarcrepe],
  'sugar-crepe/swap_obj.json': ['sugarcrepe', 245, sugarcrepe],
  'sugar-crepe-pp/replace_obj.json': ['sugarcrepe++', 1652, plusPlus],
  'sugar-crepe-pp/swap_att.json': ['sugarcrepe++', 666, plusPlus],
  'valse/counting-small-quant.json': ['valse', 1000, valse],
  'valse/existence.json': ['valse', 534, valse],
  'valse/foil-it.json': ['valse', 1000, valse],
  'valse/plurals.json': ['valse', 1000, valse],
  'valse/relations.json': ['valse', 614, valse],
  'visla/Generic_VISLA.tsv': ['visla', 973, visla],
  'vsr/random_test.jsonl': ['vsr', 2195, 'VSR, true and false statements'],
};

const ofSamples: Record<string, Expected> = {
  'ATTRIBUTION.md': noText,
  'README.md': noText,
  'captions.json': ['coco', 48, 'COCO captions'],
  'captions.jsonl': ['plain', 220, 'images with captions'],
  'captions.parquet': ['plain', 10, 'images with captions'],
  'instances.json': ['coco', 0, cocoWithout],
  'notebook.ipynb': /"cell_type"/,
  'preferences.jsonl': ['preference', 48, 'two captions and which of them people preferred'],
  'rococo.json': ['rococo', 26, 'RoCOCO, five captions and five altered ones'],
  'sugarcrepe.json': ['sugarcrepe', 24, sugarcrepe],
  'training.ipynb': /"cell_type"/,
  'triplets.tsv': ['visla', 32, visla],
};

/** The expected results for files of tests and oracles. All other files there must be rejected. */
const ofTests: Record<string, Expected> = {
  'fixtures/dataset/bivlc.parquet': ['bivlc', 4, grid('BiVLC, two images and two captions')],
  'fixtures/dataset/captions.parquet': ['plain', 7, 'images with captions'],
  'fixtures/dataset/colorswap.parquet': ['colorswap', 2, grid('ColorSwap, two images and two captions')],
  'fixtures/dataset/labels.parquet': /"tested_labels"/,
  'fixtures/dataset/nebula.parquet': [
    'polaris',
    4,
    'Polaris or Nebula, candidates with references and human scores',
  ],
  'fixtures/dataset/encodings.parquet': ['ratings', 80, 'candidates with ratings, one per row'],
  'fixtures/dataset/naturalbench.parquet': [
    'naturalbench',
    4,
    grid('NaturalBench, two questions about two images'),
  ],
  'fixtures/dataset/paths.parquet': ['plain', 6, 'images with captions'],
  'fixtures/dataset/polaris.parquet': [
    'polaris',
    4,
    'Polaris or Nebula, candidates with references and human scores',
  ],
  'fixtures/dataset/saved/data-00000-of-00002.arrow': ['plain', 24, 'images with captions'],
  'fixtures/dataset/saved/data-00001-of-00002.arrow': ['plain', 24, 'images with captions'],
  'fixtures/dataset/winoground.parquet': ['winoground', 2, grid('Winoground')],
  ...Object.fromEntries(
    [4, 4, 5, 3].map((count, i): [string, Expected] => [
      `oracle/dataset/shard-0000${i}.tar`,
      ['plain', count, 'images with captions'],
    ]),
  ),
  'host/workspace/triplets.tsv': ['visla', 12, visla],
};

function filesOf(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = join(below, name);
    if (statSync(join(folder, path)).isDirectory()) return filesOf(folder, path);
    return /\.jpe?g$/i.test(name) ? [] : [path.replaceAll('\\', '/')];
  });
}

async function check(path: string, expected: Expected): Promise<void> {
  try {
    const found = await inspectDataset(path);
    const words = readsAs(found);
    assert.ok(!(expected instanceof RegExp), `${path} is read as ${english(words)}`);
    const [format, examples, reading] = expected;
    assert.deepEqual([found.format, found.examples], [format, examples], path);
    if (reading instanceof RegExp) assert.match(english(words), reading);
    else assert.equal(english(words), english(reading), path);
    assert.ok(examples > 0 || found.note !== undefined, path);
  } catch (error) {
    if (!(error instanceof CaptiousError)) throw error;
    assert.ok(expected instanceof RegExp, `${path} is refused: ${error.message}`);
    assert.match(error.message, expected, path);
    assert.ok(error.remedy, path);
    for (const { examples } of await tryRemedies(path, error)) assert.ok(examples.length > 0, path);
  }
}

describe('every available file', () => {
  it('is read as expected: shared data', async function () {
    needSharedData(this);
    const files = filesOf(sharedData);
    assert.deepEqual(files.toSorted(), Object.keys(ofSharedData).toSorted());
    for (const file of files) await check(join(sharedData, file), ofSharedData[file]);
  });

  it('is read as expected: samples', async () => {
    const files = filesOf('samples');
    assert.deepEqual(files.toSorted(), Object.keys(ofSamples).toSorted());
    for (const file of files) await check(join('samples', file), ofSamples[file]);
  });

  it('is read only if it is a dataset: fixtures, oracles and the host workspace', async () => {
    const files = ['fixtures', 'oracle', 'host/workspace'].flatMap((folder) =>
      filesOf('test', folder).map((file) => file),
    );
    assert.ok(files.length > 200);
    for (const file of Object.keys(ofTests)) assert.ok(files.includes(file), file);
    // Layouts are folders, whose files are checked by tests of their own, as are exported files.
    for (const file of files.filter(
      (one) => !/^oracle\/(?:export\/|dataset\/(?:layouts\/|parquet\/|arrow[./]))/.test(one),
    ))
      await check(join('test', file), ofTests[file] ?? /./);
  });
});

describe('a table with a verdict column', () => {
  const scratch = scratchFolder();
  const columns =
    'foil label answer correct correct_answer is_true options votes is_correct truth valid wrong gold gt verdict ' +
    'entailment is_foil true false winner preferred mturk ground_truth_label relevance choice zzz';
  const values: Record<string, [unknown, unknown]> = {
    numbers: [0, 1],
    booleans: [true, false],
    words: ['yes', 'no'],
    'words of Python': ['True', 'False'],
  };
  const row = (i: number, column: string, value: unknown) => ({
    image: `${i}.jpg`,
    caption: `The cat number ${i} is on the table.`,
    [column]: value,
  });
  const forms: Record<string, (rows: object[]) => string> = {
    CSV: (rows) =>
      [Object.keys(rows[0]), ...rows.map((one) => Object.values(one) as unknown[])]
        .map((cells) => cells.join(','))
        .join('\n'),
    TSV: (rows) =>
      [Object.keys(rows[0]), ...rows.map((one) => Object.values(one) as unknown[])]
        .map((cells) => cells.join('\t'))
        .join('\n'),
    'JSON Lines': (rows) => rows.map((one) => JSON.stringify(one)).join('\n'),
    JSON: (rows) => JSON.stringify(rows),
  };

  for (const [form, write] of Object.entries(forms))
    it(`is never read as plain captions in ${form}`, async () => {
      for (const column of columns.split(' '))
        for (const [kind, pair] of Object.entries(values)) {
          const rows = [0, 1, 2, 3].map((i) => row(i, column, pair[i % 2]));
          const path = scratch.write('table', write(rows));
          await assert.rejects(
            openDataset(path),
            (error) => error instanceof CaptiousError && error.remedy !== undefined,
            `${column} with ${kind}`,
          );
        }
    });
});
