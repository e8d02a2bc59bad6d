import { english } from '../../base/english';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CaptiousError, usageError } from '../../base/errors';
import { chunksOf } from '../../base/files/readFile';
import { unassigned } from '../../sessions/session';
import { openDataset } from '../../dataset/open';
import { firstChoice, type HalfTriplet, tsvOf } from '../../mining/half';
import type { Problem } from '../../dataset/dataset';
import { type MinedSummary, summaryOfMined } from '../../mining/distances';
import { mine, ways } from '../../mining/mine';
import { TripletSession } from '../../sessions/triplets';
import { writeWhole } from '../../report/output';
import { mineWithLm } from '../mineWithLm';
import { paraphrasesWithLm, paraphraseWords, type WrittenParaphrases } from '../paraphrasesWithLm';
import { synonymsWithLm, type WrittenSynonyms } from '../synonymsWithLm';
import { splitOptions, yes } from '../options';
import { type Command, oneOf, onePositional, repeated, text, wholeNumber } from '../arguments';
import { log, placeOf, print, printJson } from '../terminal';

export const mineCommand: Command = {
  name: 'mine',
  summary: 'make caption triplets, or candidates for them, from a dataset',
  usage: [
    `mine FILE --how ${ways.join('|')} [--out FILE]`,
    'mine FILE --how lm --judge FILE --out FILE [--yes]',
    'mine FILE --how paraphrases --judge FILE --out FILE [--yes]',
    'mine FILE --how synonyms --judge FILE --out FILE [--attributes COLUMN] [--yes]',
  ],
  operands: { FILE: 'a dataset file' },
  options: {
    ...splitOptions,
    how: {
      value: 'WAY',
      describe:
        'how to make triplets. spatial: from statements with a relation (VSR), by swapping subject and object. pairs: from captions with a negative (SugarCrepe); you write the second positives. rules: from any captions; rules generate candidates for the second positive and the negative. lm: from any captions, or from captions with a negative; a language model writes the missing captions and checks them, as the VISLA paper does. paraphrases: from any captions; a language model writes two paraphrases of each caption and checks them, for the set P1 of the probe prsm. synonyms: from any captions; a language model writes a synonym for each attribute of people and checks it, for the set P3 of the probe prsm',
    },
    out: {
      value: 'FILE',
      describe:
        'output file. A .json file contains all candidates, for the triplet workshop. A .tsv file contains finished triplets from the first candidates, for "captious audit --probe visla". TSV works only with --how spatial, because the other ways need your decisions. With --how paraphrases, a dataset with the paraphrases, for "captious audit --probe prsm". With --how synonyms, a file for prsm.attributeFile: name it *.attributes.json, review it, and delete or correct bad synonyms. Without --out, the command prints TSV for spatial and JSON otherwise',
    },
    judge: {
      value: 'FILE',
      describe:
        'for --how lm, paraphrases and synonyms: an evaluator file of the kind judge. Its endpoint and model write the captions; no image is sent. Each answer is stored, so that an interrupted command resumes',
    },
    attributes: {
      value: 'COLUMN',
      multiple: true,
      describe:
        'for --how synonyms: a column that names attributes in the caption. Repeat the option for several columns. Without the option, the attributes are the adjectives before words for people',
    },
    yes,
    limit: { value: 'N', describe: 'stop after N triplets, candidates, captions or attributes' },
    seed: { value: 'N', describe: 'seed of all random choices (default 42)' },
    annotator: {
      value: 'NAME',
      describe: 'name of the annotator in the .json file (default: the editor asks when you open the file)',
    },
    json: { describe: 'with --out: print a summary as one JSON value' },
  },
  examples: [
    'mine vsr.jsonl --how spatial --out spatial.tsv',
    'mine samples/sugarcrepe.json --how pairs --annotator ann --out pairs.ann.triplets.json',
    'mine samples/sugarcrepe.json --how lm --judge judge.evaluator.json --out generic.triplets.json',
    'mine samples/captions.json --how paraphrases --judge judge.evaluator.json --out paraphrased.json',
    'mine samples/captions.json --how synonyms --judge judge.evaluator.json --out people.attributes.json',
  ],

  async run(call) {
    const { values, signal } = call;
    const path = onePositional(call, 'mine', 'A dataset file');
    const how = wayOf(text(values, 'how'));
    const out = text(values, 'out');
    const judge = judgeOf(how, text(values, 'judge'));
    const columns = repeated(values, 'attributes');
    if (columns.length > 0 && how !== 'synonyms')
      throw usageError('--attributes applies to --how synonyms only.', 'Remove --attributes.');
    if (values.json && out === undefined)
      throw new CaptiousError(
        'usage',
        '--json needs --out, because standard output cannot contain both the JSON and the triplets.',
      );
    const asTable = out === undefined ? how === 'spatial' : out.endsWith('.tsv');
    if (asTable && how !== 'spatial')
      throw usageError(
        how === 'synonyms' || how === 'paraphrases'
          ? `--how ${how} writes JSON, not TSV.`
          : `--how ${how} finds only candidates. A candidate becomes a triplet when you accept it.`,
        how === 'synonyms'
          ? 'Use a name that ends in .attributes.json.'
          : how === 'paraphrases'
            ? 'Use a name that ends in .json.'
            : 'Write a .json file and open it in the triplet workshop.',
      );
    if (out !== undefined && !/\.(tsv|json)$/.test(out))
      throw new CaptiousError('usage', `--out ${out}: the name must end in .tsv or .json.`);
    if (out !== undefined && !asTable && existsSync(out))
      throw usageError(
        'The file exists and may contain your edits.',
        'Choose another name, or delete the file first.',
        out,
      );
    const dataset = await openDataset(path, { signal });
    const seed = wholeNumber(values, 'seed') ?? 42;
    const options = {
      limit: wholeNumber(values, 'limit', 1),
      signal,
      onProblem: ({ message, place }: Problem) => {
        log(`${placeOf(place)}${english(message)}`);
      },
    };
    const asked = { ...options, yes: values.yes === true };
    if (how === 'synonyms') {
      await reportSynonyms(await synonymsWithLm(dataset, judge!, columns, asked), out, values.json === true);
      return 0;
    }
    if (how === 'paraphrases') {
      await reportParaphrases(await paraphrasesWithLm(dataset, judge!, asked), out, values.json === true);
      return 0;
    }
    const { halves, leftOut } =
      how === 'lm'
        ? await mineWithLm(dataset, judge!, asked)
        : await mine(dataset, how, { ...options, seed });
    const content = asTable
      ? [...tsvOf(halves.flatMap((half) => firstChoice(half) ?? []))].join('')
      : TripletSession.begin(
          halves,
          { path: resolve(path), sha256: await sha256(path), how, seed },
          text(values, 'annotator') ?? unassigned,
        ).toString();
    if (out === undefined) print(content.trimEnd());
    else await write(out, content);
    const found = { ...countsOf(halves), ...(await summaryOfMined(halves, signal)) };
    if (values.json) printJson({ file: out, how, ...found, leftOut });
    else {
      logFound(found);
      for (const { reason, count } of leftOut) log(`left out ${count}: ${english(reason)}`);
    }
    return 0;
  },
};

const allWays = [...ways, 'lm', 'paraphrases', 'synonyms'] as const;
type AnyWay = (typeof allWays)[number];

async function reportSynonyms(
  { synonyms, attributes, leftOut }: WrittenSynonyms,
  out: string | undefined,
  json: boolean,
): Promise<void> {
  const content = `${JSON.stringify({ attributes: synonyms }, undefined, 2)}\n`;
  if (out === undefined) print(content.trimEnd());
  else await write(out, content);
  if (json) {
    printJson({ file: out, how: 'synonyms', attributes, synonyms: synonyms.length, leftOut });
    return;
  }
  log(`${synonyms.length} of ${attributes} attributes have a synonym. Review the file before you use it.`);
  for (const { reason, count } of leftOut) log(`left out ${count}: ${reason}`);
}

async function reportParaphrases(
  written: WrittenParaphrases,
  out: string | undefined,
  json: boolean,
): Promise<void> {
  const { entries, ...counts } = written;
  const content = `${JSON.stringify(entries, undefined, 1)}\n`;
  if (out === undefined) print(content.trimEnd());
  else await write(out, content);
  if (json) {
    printJson({ file: out, how: 'paraphrases', ...counts });
    return;
  }
  log(paraphraseWords(written));
  for (const { reason, count } of written.leftOut) log(`left out ${count}: ${reason}`);
}

function judgeOf(how: AnyWay, judge: string | undefined): string | undefined {
  const needs = how === 'lm' || how === 'paraphrases' || how === 'synonyms';
  if (needs === (judge !== undefined)) return judge;
  throw usageError(
    needs
      ? `--how ${how} needs a language model.`
      : '--judge applies to --how lm, paraphrases and synonyms only.',
    needs ? 'Name an evaluator file of the kind judge: --judge FILE.' : 'Remove --judge.',
  );
}

function wayOf(given: string | undefined): AnyWay {
  const way = oneOf('how', given, allWays);
  if (way === undefined) throw usageError('--how is missing.', `Choose from: ${allWays.join(', ')}.`);
  return way;
}

type Counts = ReturnType<typeof countsOf>;

function logFound({ halves, both, noSecond, noNegative, ...found }: Counts & MinedSummary): void {
  log(
    `${halves} items: ${both} with a second positive and a negative, ${noSecond} without a second positive, ${noNegative} without a negative`,
  );
  const kinds = Object.entries(found.kinds).map(
    ([kind, count]) => `${kind} ${Math.round((100 * count) / both)} %`,
  );
  if (kinds.length > 0) log(`first negatives: ${kinds.join(', ')}`);
  for (const unit of ['characters', 'words'] as const) {
    const mean = found[unit];
    if (mean !== undefined)
      log(
        `mean distance in ${unit}: P1–P2 ${mean.p1p2.toFixed(1)}, P1–N ${mean.p1n.toFixed(1)}, P2–N ${mean.p2n.toFixed(1)}`,
      );
  }
  if (found.notNearest > 0)
    log(
      `warning: in ${found.notNearest} of ${both} triplets, P1–N is not the nearest pair in characters, so the negative does not compete by its wording. Choose another second positive or negative for them.`,
    );
}

function countsOf(halves: readonly HalfTriplet[]) {
  return {
    halves: halves.length,
    both: halves.filter((half) => firstChoice(half) !== undefined).length,
    noSecond: halves.filter(({ positives }) => positives.length === 0).length,
    noNegative: halves.filter(({ negatives }) => negatives.length === 0).length,
  };
}

async function write(path: string, content: string): Promise<void> {
  await writeWhole(path, content);
  log(`wrote ${path}`);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(path)) hash.update(chunk);
  return hash.digest('hex');
}
