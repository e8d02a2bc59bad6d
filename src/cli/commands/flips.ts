import { english } from '../../base/english';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runAudit } from '../../audit/run';
import { inputError, usageError } from '../../base/errors';
import { inTurns } from '../../base/turns/steps';
import { temporaryFolder } from '../../base/files/temporary';
import type { Scale } from '../../evaluator/evaluator';
import type { InvarianceRow } from '../../probe/invariance/row';
import { riskBetween } from '../../probe/invariance/systems';
import { rangeOf } from '../../probe/invariance/warnings';
import { figure } from '../../report/figures';
import { invarianceRows } from '../../report/invarianceRows';
import { type Command, parseSettings, repeated, text, wholeNumber } from '../arguments';
import { agreed, log, logLeftOut, print, printJson, ProgressBar, table } from '../terminal';
import { images, seed, set, splitOptions, yes } from '../options';
import { imageFolders } from '../datasetRequest';

export const flipsCommand: Command = {
  name: 'flips',
  summary:
    'measure how often two captioning systems swap ranks when images or words are altered but their content stays the same',
  usage: ['flips A B --evaluator E'],
  operands: {
    'A, B': 'two caption files for the same images. If an image has several captions, the first one counts',
  },
  options: {
    ...splitOptions,
    evaluator: { value: 'E', describe: 'the evaluator that scores the captions' },
    images,
    seed,
    set: {
      ...set,
      describe:
        'value of an option of the probe invariance, such as instances or lexicon. "captious probes invariance" lists the options. Example: --set invariance.lexicon=words.json',
    },
    yes,
    json: { describe: 'print the result as one JSON value' },
  },
  examples: ['flips mine.jsonl theirs.jsonl --evaluator starter --images samples/images'],

  async run({ positionals, values, signal }) {
    const evaluator = text(values, 'evaluator');
    if (positionals.length !== 2 || evaluator === undefined)
      throw usageError('Expected two caption files and an evaluator.', 'See: captious flips --help');
    const settings = parseSettings(repeated(values, 'set'));
    checkSettings(settings);
    const out = await temporaryFolder('flips');
    try {
      const rows: InvarianceRow[][] = [];
      let width = 1;
      for (const [i, dataset] of positionals.entries()) {
        const asked = {
          evaluator,
          images: imageFolders(values),
          seed: wholeNumber(values, 'seed'),
          options: settings.invariance ?? {},
          yes: values.yes === true,
        };
        const audited = await rowsOf(dataset, join(out, String(i)), asked, signal);
        rows.push(audited.rows);
        ({ width } = rangeOf(audited.scale));
      }
      const risk = await inTurns(riskBetween(rows[0], rows[1], width), signal);
      if (risk === undefined)
        throw inputError(
          'The two files share no image that was changed and scored.',
          'Choose two caption files for the same images, and check --images. Do not set invariance.spatial=false.',
          `${positionals[0]}, ${positionals[1]}`,
        );
      if (values.json) {
        printJson(risk);
        return 0;
      }
      print(risk.words);
      print(`\nMean score: A ${figure(risk.means[0])}, B ${figure(risk.means[1])}.\n`);
      print(
        table(
          ['gap (% of the range)', 'rank swaps', 'with changed words'],
          risk.byGap.map(({ gap, value, wording }) => [
            String(gap),
            figure(value),
            wording === undefined ? '' : figure(wording.value),
          ]),
        ),
      );
      print('');
      print(
        table(
          ['transform or word', 'n', 'rank swaps', 'A − B before', 'A − B'],
          risk.byTransform.map(({ transform, n, value, before, gap }) => [
            transform,
            String(n),
            figure(value),
            figure(before),
            figure(gap),
          ]),
        ),
      );
      return 0;
    } finally {
      await rm(out, { recursive: true, force: true });
    }
  },
};

interface Asked {
  evaluator: string;
  images: readonly string[];
  seed?: number;
  options: Readonly<Record<string, string>>;
  yes: boolean;
}

/** Throws for options of other probes, and for the option that sets another source of captions. */
function checkSettings(settings: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
  const other = Object.keys(settings).find((probe) => probe !== 'invariance');
  if (other !== undefined)
    throw usageError(
      `This command has no options of ${other}.`,
      'Use options of invariance, such as --set invariance.lexicon=words.json.',
    );
  if (settings.invariance?.captions !== undefined)
    throw usageError(
      'This command always scores the captions of the two files.',
      'Leave out invariance.captions.',
    );
}

async function rowsOf(
  dataset: string,
  out: string,
  { evaluator, images: folders, seed: chosen, options, yes: allows }: Asked,
  signal: AbortSignal,
): Promise<{ rows: InvarianceRow[]; scale: Scale }> {
  const bar = new ProgressBar();
  const [{ path, report }] = await runAudit({
    dataset,
    probes: ['invariance'],
    evaluators: [evaluator],
    images: folders,
    out,
    seed: chosen,
    options: { invariance: { ...options, captions: 'dataset' } },
    signal,
    consent: (terms) => agreed(terms, allows, signal),
    onEvent: (event) => {
      if (event.type === 'progress') bar.draw(event.probe, event.progress);
    },
  });
  bar.clear();
  const { rows, leftOut } = await invarianceRows(path, report);
  logLeftOut(dataset, leftOut);
  for (const { reason, count } of report.dataset.leftOut)
    log(`${dataset}: left out, ${count}: ${english(reason)}`);
  return { rows, scale: report.evaluator.scale };
}
