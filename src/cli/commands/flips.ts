import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runAudit } from '../../audit/run';
import { CaptiousError } from '../../base/errors';
import { temporaryFolder } from '../../base/files/temporary';
import type { InvarianceRow } from '../../probe/invariance/row';
import { riskBetween } from '../../probe/invariance/systems';
import { figure } from '../../report/figures';
import { invarianceRows } from '../../report/invarianceRows';
import { type Command, repeated, text } from '../arguments';
import { agreed, log, logLeftOut, print, printJson, ProgressBar, table } from '../terminal';
import { images, yes } from '../options';
export const flipsCommand: Command = {
  name: 'flips',
  summary:
    'measure how often two captioning systems swap ranks when images are altered but their content stays the same',
  usage: ['flips A B --evaluator E'],
  operands: {
    'A, B': 'two caption files for the same images. If an image has several captions, the first one counts',
  },
  options: {
    evaluator: { value: 'E', describe: 'the evaluator that scores the captions' },
    images,
    yes,
    json: { describe: 'print the result as one JSON value' },
  },
  examples: ['flips mine.jsonl theirs.jsonl --evaluator starter --images samples/images'],

  async run({ positionals, values, signal }) {
    const evaluator = text(values, 'evaluator');
    if (positionals.length !== 2 || evaluator === undefined)
      throw new CaptiousError('usage', 'Expected two caption files and an evaluator.', {
        remedy: 'See: captious flips --help',
      });
    const out = await temporaryFolder('flips');
    try {
      const rows: InvarianceRow[][] = [];
      for (const [i, dataset] of positionals.entries()) {
        const asked = { evaluator, images: repeated(values, 'images'), yes: values.yes === true };
        rows.push(await rowsOf(dataset, join(out, String(i)), asked, signal));
      }
      const risk = riskBetween(rows[0], rows[1]);
      if (risk === undefined)
        throw new CaptiousError('input', 'The two files have no image in common.', {
          at: `${positionals[0]}, ${positionals[1]}`,
          remedy: 'Choose two caption files for the same images.',
        });
      if (values.json) {
        printJson(risk);
        return 0;
      }
      print(risk.words);
      print(`\nMean score: A ${figure(risk.means[0])}, B ${figure(risk.means[1])}.\n`);
      print(
        table(
          ['transform', 'n', 'rank swaps', 'A − B before', 'A − B'],
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

async function rowsOf(
  dataset: string,
  out: string,
  { evaluator, images: folders, yes: allows }: { evaluator: string; images: readonly string[]; yes: boolean },
  signal: AbortSignal,
): Promise<InvarianceRow[]> {
  const bar = new ProgressBar();
  const [{ path, report }] = await runAudit({
    dataset,
    probes: ['invariance'],
    evaluators: [evaluator],
    images: folders,
    out,
    options: { invariance: { captions: 'dataset', societal: 'false' } },
    signal,
    consent: (terms) => agreed(terms, allows, signal),
    onEvent: (event) => {
      if (event.type === 'progress') bar.draw(event.probe, event.progress);
    },
  });
  bar.clear();
  const { rows, leftOut } = await invarianceRows(path, report);
  logLeftOut(dataset, leftOut);
  for (const { reason, count } of report.dataset.leftOut) log(`${dataset}: left out, ${count}: ${reason}`);
  return rows;
}
