import { resolve } from 'node:path';
import { english } from '../../../base/english';
import { CaptiousError, usageError } from '../../../base/errors';
import { homeFolder, storeFolder } from '../../../base/files/home';
import { createBench } from '../../../bench/createBench';
import { createImageFinder, type ImageFinder } from '../../../dataset/images/images';
import { foldersOf } from '../../../dataset/images/nameFolders';
import { openDataset } from '../../../dataset/open';
import type { Evaluator } from '../../../evaluator/evaluator';
import { ownReferences, type References } from '../../../evaluator/overlap/references';
import { Family } from '../../../evaluator/model/family';
import { isTable, openTable } from '../../../parity/column';
import { compareForParity, type Parity } from '../../../parity/parity';
import { parityPage, sampleLines, type Table, tablesOf } from '../../../parity/page';
import { verdictWords } from '../../../parity/words';
import { writeWhole } from '../../../report/output';
import { type Call, type Command, needed, requireOther, text, wholeNumber } from '../../arguments';
import { openFor } from '../../consent';
import { images, map, python, yes } from '../../options';
import { logPartly } from '../../shownImages';
import { quoted } from '../cluster/slurm';
import { log, print, printJson, table } from '../../terminal';
import { imageFolders, fieldsOf } from '../../datasetRequest';
import type { Described } from '../../../parity/change';

const defaultPairs = 200;

export const parityCommand: Command = {
  name: 'parity',
  summary:
    'compare two evaluators that should give the same scores, and find the settings in which they differ',
  usage: ['parity A B --dataset FILE'],
  operands: {
    A: 'the model folder whose settings are changed one at a time, or a metric of one, such as clipscore:./folder',
    B: 'any evaluator that scores images and captions, or a table (CSV, TSV, JSON lines, Parquet) with the columns image, caption and score',
  },
  options: {
    dataset: { value: 'FILE', describe: 'a dataset with images and captions' },
    images,
    map,
    pairs: { value: 'N', describe: `how many images with captions to compare (default ${defaultPairs})` },
    seed: { value: 'N', describe: 'seed of the sample (default 42)' },
    to: { value: 'md', describe: 'print the result as Markdown, for a bug report' },
    out: { value: 'FILE', describe: 'write the Markdown to this file, in addition to the printed result' },
    python,
    yes,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'Causes are searched on one half of the images. A setting is named only if it removes more of the squared difference of the other half than is left with it, and the interval of this share excludes 0. This needs 20 images. docs/parity.md lists the settings that are tried.',
  ],
  examples: ['parity starter ./port --dataset samples/captions.jsonl --to md'],

  async run(call) {
    const { values } = call;
    const format = text(values, 'to');
    if (format !== undefined && format !== 'md')
      throw new CaptiousError('usage', `--to ${format}: expected md.`);
    const dataset = needed(values, 'dataset', 'Add --dataset FILE, a dataset with images and captions.');
    const out = text(values, 'out');
    if (out !== undefined) requireOther(out, [dataset, ...call.positionals]);
    const parity = await compare(call, dataset);
    const page = parityPage(parity, commandOf(call, parity.seed));
    if (out !== undefined) {
      await writeWhole(out, page);
      log(`wrote ${out}`);
    }
    if (values.json === true) printJson(parity);
    else print(format === 'md' ? page : plain(parity));
    return 0;
  },
};

/** The command as it was given, with the seed and without where its result went. */
function commandOf({ positionals, values }: Call, seed: number): string {
  const options = ['dataset', 'images', 'map', 'pairs'].flatMap((name) =>
    [values[name] ?? []].flat().map((value) => `--${name} ${quoted(String(value))}`),
  );
  return ['captious parity', ...positionals.map(quoted), ...options, `--seed ${seed}`].join(' ');
}

async function compare({ positionals, values, signal }: Call, path: string): Promise<Parity> {
  const [first, second, ...rest] = positionals;
  if (second === undefined || rest.length > 0)
    throw usageError(
      'Expected two evaluators: the model folder, and the one to compare it with.',
      'See: captious parity --help',
    );
  const home = homeFolder();
  const map = fieldsOf(values);
  const dataset = await openDataset(resolve(path), { signal, map });
  const finder: ImageFinder = createImageFinder({ dataset, folders: imageFolders(values), signal });
  const references = (): Promise<References> => ownReferences(dataset.path, map, signal);
  const a = await Family.describe(first, { home });
  const bench = createBench({ store: storeFolder(home) });
  let b: Evaluator | undefined;
  try {
    b = isTable(second)
      ? await openTable(resolve(second), signal)
      : await openFor({ values, signal }, second, {
          ...{ home, references, imageFolders: () => foldersOf(dataset, signal) },
        });
    const described = await describedAs(second, home);
    return await compareForParity({
      ...{ a, b, bench, dataset, finder, signal },
      ...(described === undefined ? {} : { described }),
      ...(a.blueprint.isReferenced ? { references: await references() } : await known(references)),
      pairs: wholeNumber(values, 'pairs', 2) ?? defaultPairs,
      seed: wholeNumber(values, 'seed') ?? 42,
    });
  } finally {
    logPartly(finder.partly.count === 0 ? undefined : finder.partly);
    await bench.close();
    await b?.close();
    await a.close();
  }
}

/** The references of the dataset, if it has any. */
async function known(references: () => Promise<References>): Promise<{ references?: References }> {
  try {
    return { references: await references() };
  } catch (error) {
    if (error instanceof CaptiousError) return {};
    throw error;
  }
}

/** The description of B if it is a model folder, too, or a metric of one. */
async function describedAs(ref: string, home: string): Promise<Described | undefined> {
  if (isTable(ref)) return undefined;
  try {
    const family = await Family.describe(ref, { home });
    await family.close();
    return family.blueprint;
  } catch (error) {
    if (error instanceof CaptiousError) return undefined;
    throw error;
  }
}

function plain(parity: Parity): string {
  const { a, b, failed } = parity;
  const tables = Object.values(tablesOf(parity)).filter(({ rows }: Table) => rows.length > 0);
  const why = [failed.a, failed.b].flatMap((reason) => (reason === undefined ? [] : [english(reason)]));
  return [
    [`A: ${a.name}`, `B: ${b.name}`, ...sampleLines(parity)].join('\n'),
    ...(failed.n === 0 ? [] : [`${failed.n} pairs left out: ${why.join('; ')}`]),
    ...verdictWords(parity).map((words) => english(words)),
    ...tables.map(({ header, rows }: Table) => table(header, rows)),
  ].join('\n\n');
}
