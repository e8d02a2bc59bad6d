import { archived } from '../../../base/files/archived';
import { english } from '../../../base/english';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { type EmbeddingItems, embeddingItems } from '../../../audit/embeddingItems';
import { ImageFiles } from '../../../audit/imageFiles';
import { prepareFolder } from '../../../audit/output/folder';
import { inputError } from '../../../base/errors';
import { say } from '../../../base/say';
import { fileName } from '../../../base/files/fileName';
import { homeFolder } from '../../../base/files/home';
import { madeElsewhere } from '../../../evaluator/embeddings/embeddingsFile';
import { npyOf } from '../../../evaluator/embeddings/numpy';
import type { Evaluator } from '../../../evaluator/evaluator';
import { openEvaluator } from '../../../evaluator/open';
import { textItemKey } from '../../../evaluator/wantKey';
import { writePieces, writeWhole } from '../../../report/output';
import { type Command, list, missing, needed, onePositional, text } from '../../arguments';
import { datasetRequest, datasetRequestOptions } from '../../datasetRequest';
import { python, seeds, splitOptions, yes } from '../../options';
import { logPartly } from '../../shownImages';
import { agreed, log, printJson } from '../../terminal';

export const embeddingsCommand: Command = {
  name: 'embeddings',
  summary:
    'list the texts and images that a probe needs embeddings of, or write the embeddings of an evaluator',
  usage: ['embeddings FILE --probe P[,P…] --out DIR'],
  operands: { FILE: 'a dataset file' },
  options: {
    ...splitOptions,
    probe: { value: 'P[,P…]', multiple: true, describe: 'the probes that you want to run' },
    out: {
      value: 'DIR',
      describe:
        'output folder. FILE.texts.jsonl and FILE.images.jsonl list one item per line. FILE.evaluator.json is an evaluator that reads your embeddings from FILE.texts.npy and FILE.images.npy',
    },
    evaluator: {
      value: 'E',
      describe:
        'also write the embeddings of E. If E itself reads embeddings from files, list only the items that these files lack',
    },
    'write-images': { describe: 'write each altered image as a PNG file to DIR/images' },
    ...datasetRequestOptions,
    seeds,
    python,
    yes,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'Embed each line with your own model. Save the embeddings in the order of the lines as DIR/FILE.texts.npy and DIR/FILE.images.npy. Then run "captious audit" with --evaluator DIR/FILE.evaluator.json. docs/evaluators.md has a script for this.',
    'RoCOCO needs the embeddings of your captions to generate new captions. To list the new captions, run this command again with --evaluator DIR/FILE.evaluator.json.',
  ],
  examples: ['embeddings samples/captions.json --probe prsm --out embeddings'],

  async run(call) {
    const { values, signal } = call;
    const dataset = resolve(onePositional(call, 'embeddings', 'A dataset file'));
    const probes = list(values, 'probe');
    if (probes.length === 0) throw missing('--probe', 'Add a probe, for example --probe rococo.');
    const out = needed(values, 'out', 'Add --out DIR.');
    const named = text(values, 'evaluator');
    await prepareFolder(out);
    const home = homeFolder();
    const known =
      named === undefined
        ? undefined
        : await openEvaluator(named, {
            home,
            signal,
            python: { asked: text(values, 'python') },
            allow: async (consent) => {
              if (await agreed(consent.terms(0), values.yes === true, signal)) await consent.give();
            },
          });
    try {
      const items = await embeddingItems(
        {
          dataset,
          probes,
          ...datasetRequest(values),
          home,
          signal,
        },
        known,
      );
      if (items.texts.size + items.images.size === 0)
        throw inputError(say('cli.nothingToEmbed'), say('cli.checkImagesOrProbe'), dataset);
      const written = await write(items, {
        out,
        stem: fileName(basename(dataset, extname(dataset))),
        known,
        writeImages: values['write-images'] === true,
        signal,
      });
      logPartly(items.partly);
      if (values.json) printJson(written);
      else report(written);
    } finally {
      await known?.close();
    }
    return 0;
  },
};

interface Written {
  evaluator?: string;
  texts: number;
  images: number;
  /** Whether embedding rows were written. */
  embedded: boolean;
  notWritten: string[];
}

interface Target {
  out: string;
  stem: string;
  known: Evaluator | undefined;
  writeImages: boolean;
  signal: AbortSignal;
}

async function write(items: EmbeddingItems, target: Target): Promise<Written> {
  const { out, known, writeImages, signal } = target;
  const fromFiles = known?.info.provider === madeElsewhere;
  const embedded = known !== undefined && !fromFiles;
  // With an encoder, writes the items that it could embed. Otherwise, lists the items without an embedding.
  const wanted = (row: Float32Array | undefined): boolean =>
    embedded ? row !== undefined : row === undefined;
  const texts = [...items.texts].filter(([, row]) => wanted(row));
  const images = [...items.images].filter(([, { row }]) => wanted(row));
  const written = { texts: texts.length, images: images.length, embedded, notWritten: [] };
  if (texts.length + images.length === 0) return written;
  const stem = fromFiles ? `${target.stem}.more` : target.stem;
  const at = (ending: string): string => join(out, `${stem}.${ending}`);
  const files = writeImages ? new ImageFiles(out) : undefined;
  const lines = texts.map(([text]) => ({ key: textItemKey(text), text }));
  const imageLines: object[] = [];
  try {
    for (const [key, { item }] of images) {
      const { source, transforms } = item;
      const file = await files?.add(item, signal);
      // Other programs cannot read a path into an archive.
      const path = 'path' in source && archived(source.path) === undefined ? { path: source.path } : {};
      imageLines.push({
        key,
        image: source.name,
        ...path,
        transforms,
        ...(file === undefined ? {} : { file }),
      });
    }
    await files?.flush(signal);
  } finally {
    await files?.close();
  }
  if (texts.length > 0) await writeLines(at('texts.jsonl'), lines);
  if (images.length > 0) await writeLines(at('images.jsonl'), imageLines);
  if (embedded) {
    await writeRows(
      at('texts.npy'),
      texts.map(([, row]) => row!),
    );
    await writeRows(
      at('images.npy'),
      images.map(([, { row }]) => row!),
    );
  }
  const path = at('evaluator.json');
  const said = {
    kind: 'embeddings',
    ...(texts.length > 0 ? { texts: `./${stem}.texts.npy`, textIds: `./${stem}.texts.jsonl` } : {}),
    ...(images.length > 0 ? { images: `./${stem}.images.npy`, imageIds: `./${stem}.images.jsonl` } : {}),
    ...(fromFiles ? { fallback: besidePath(out, known.info.path!) } : {}),
  };
  await writeWhole(path, `${JSON.stringify(said, null, 1)}\n`);
  return { ...written, evaluator: path, notWritten: (files?.problems ?? []).map(english) };
}

function report({ evaluator, texts, images, embedded, notWritten }: Written): void {
  for (const problem of notWritten) log(`not written: ${problem}`);
  if (evaluator === undefined) log('No embedding is missing.');
  else if (embedded) log(`wrote the embeddings of ${texts} texts and ${images} images: ${evaluator}`);
  else
    log(
      `Listed ${texts} texts and ${images} images. Embed them, save the embeddings as .npy files in the same folder, then use ${evaluator} as the evaluator.`,
    );
}

async function writeLines(path: string, lines: readonly object[]): Promise<void> {
  await writeWhole(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

async function writeRows(path: string, rows: readonly Float32Array[]): Promise<void> {
  if (rows.length > 0) await writePieces(path, npyOf(rows));
}

/** A path relative to the folder, as in evaluator files. */
function besidePath(folder: string, path: string): string {
  const there = relative(resolve(folder), path).split(sep).join('/');
  return there.startsWith('../') ? there : `./${there}`;
}
