import { resolve } from 'node:path';
import { runAudit } from '../../audit/run';
import { readManifest, requireAll } from '../../audit/variants';
import { inputError, usageError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { readScores, type ScoreRange, scoresEvaluator } from '../../evaluator/scoresTable';
import { type Command, text, type Values } from '../arguments';
import { showReports } from '../reports';

import { slices } from '../options';
import { decimalOf } from '../../base/text/decimal';
export const scoresCommand: Command = {
  name: 'scores',
  summary: 'compute metrics from the scores of your own program',
  usage: ['scores VARIANTS SCORES'],
  operands: {
    VARIANTS: 'the *.variants.json file that "captious variants" wrote',
    SCORES:
      'JSON lines with key and score, or a CSV or TSV file with these columns. The lines may be in any order',
  },
  options: {
    name: { value: 'NAME', describe: "the evaluator's name in the report (default: the file's name)" },
    scale: {
      value: 'LOW..HIGH',
      describe:
        'the lowest and the highest possible score, for example --scale 0..1, or --scale=-1..1 for cosines. Use --scale none if the scores have no bounds. Required for the probe invariance',
    },
    range: { value: 'LOW,HIGH', describe: 'the same as --scale, but with a comma. Example: --range 0,1' },
    out: { value: 'DIR', describe: 'folder for the report and its rows' },
    slices,
    json: { describe: 'print the report as a JSON list' },
  },
  examples: [
    'scores pairs/lgip.captions.variants.json scores.jsonl --scale 0..1 --name my-metric --out reports',
  ],

  async run({ positionals, values, signal }) {
    if (positionals.length !== 2) {
      throw usageError('Expected two files: the variants and their scores.', 'See: captious scores --help');
    }
    const [variants, file] = positionals;
    const range = rangeOf(values);
    const manifest = await readManifest(variants);
    if (range === undefined && manifest.probe === 'invariance')
      throw usageError(
        'The option --scale is missing.',
        'The flip risk (rrf) compares shifts of scores with the range of scores. Add --scale 0..1, or --scale=-1..1 for cosines. If the scores have no bounds, add --scale none.',
        file,
      );
    const { path, sha256 } = manifest.dataset;
    if ((await new Fingerprints(undefined).sha256(path)) !== sha256) {
      throw inputError(
        'The dataset has changed since the variants were written.',
        'Run "captious variants" again, then score the new pairs.',
        path,
      );
    }
    const table = await readScores(resolve(file), signal, range === 'none' ? undefined : range);
    const unknown = await requireAll(variants, manifest, table.scores);
    const notes = unknown.length === 0 ? [] : [ofNoPair(unknown)];
    const reports = await runAudit({
      dataset: path,
      probes: [manifest.probe],
      evaluators: [scoresEvaluator(table, manifest.kinds, text(values, 'name'), notes)],
      images: manifest.images,
      out: text(values, 'out'),
      limit: manifest.limit,
      seed: manifest.seed,
      draws: manifest.draws,
      options: { [manifest.probe]: manifest.options },
      map: manifest.map,
      signal,
    });
    showReports(reports, values);
    return 0;
  },
};

const unknownShown = 5;

function ofNoPair(keys: readonly string[]): string {
  const named = keys.slice(0, unknownShown).map((key) => JSON.stringify(key.slice(0, 40)));
  const more = keys.length > unknownShown ? ', …' : '';
  return `${keys.length} scores have keys that are not among the pairs and were not used: ${named.join(', ')}${more}.`;
}

function rangeOf(values: Values): ScoreRange | 'none' | undefined {
  const [scale, range] = [text(values, 'scale'), text(values, 'range')];
  const given = scale ?? range;
  if (given === undefined) return undefined;
  if (given.trim() === 'none') return 'none';
  const [low, high, more] = given.split(/\.\.|,/).map((part) => decimalOf(part) ?? NaN);
  if (low < high && more === undefined) return { low, high };
  throw usageError(
    `--${scale === undefined ? 'range' : 'scale'} ${given}: expected two numbers, the lower first.`,
    'Give the lowest and the highest possible score, for example --scale 0..1.',
  );
}
