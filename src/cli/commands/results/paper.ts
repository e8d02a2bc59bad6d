import { usageError } from '../../../base/errors';
import { say } from '../../../base/say';
import { tableLayouts } from '../../../report/paper/layouts/list';
import { figureChoice, mostFigures } from '../../../report/paper/figures/choose';
import { figureKinds } from '../../../report/paper/figures/figures';
import { paperForms, writePaper } from '../../../report/paper/paper';
import { spreads } from '../../../report/paper/write/spread';
import { type Command, needed, oneOf, repeated, text } from '../../arguments';
import { label, parseLabels } from '../../labels';
import { shownImages } from '../../options';
import { withImages } from '../../shownImages';
import { log, print, printJson } from '../../terminal';

export const paperCommand: Command = {
  name: 'paper',
  summary: 'write tables of reports for a paper, with macros, methods and BibTeX',
  usage: [`paper REPORT… [--layout L] [--to ${paperForms.join('|')}] --out DIR`],
  operands: { 'REPORT…': 'reports of several evaluators and datasets; rows and columns follow their order' },
  options: {
    layout: {
      value: 'L',
      describe:
        'the published table whose layout to use (default: auto, the main metrics of each probe). "list" prints all layouts',
    },
    to: {
      value: 'FORMAT',
      describe:
        'tables as tex (default; needs booktabs and siunitx), md, html or csv (with all digits); figures, 84 or 174 mm wide, as svg or pdf (with embedded fonts)',
    },
    spread: {
      value: 'S',
      describe:
        'what to print below each value: ci (the interval, default), pm (half the width of the interval), or none',
    },
    figures: {
      value: 'LIST|all|none',
      describe: `with svg or pdf: the figures to write, as kinds (${figureKinds.join(', ')}) or names of files, separated by commas. Default: at most ${mostFigures}, in the order of these kinds`,
    },
    images: {
      ...shownImages,
      describe:
        "with svg or pdf: add contact sheets of examples. DIR is the folder with the dataset's images. Repeatable",
    },
    label,
    facts: {
      value: 'FILE',
      describe:
        'a JSON file with facts about evaluators that reports do not have: {"NAME": {"parameters", "dataset", "dataSize", "dataType", "objectives", "finetuned"}}. Tables of VISLA have columns for them',
    },
    out: { value: 'DIR', describe: 'folder to write into' },
    json: { describe: 'print the paths of the written files as one JSON value' },
  },
  notes: [
    'The best value of a column with a paired test is bold. A dagger marks values that do not differ significantly from the best (paired test, p ≥ 0.05 after Holm’s correction over the table).',
  ],
  examples: [
    'paper reports/lgip.*.report.json --layout lgip.table2 --out paper',
    'paper reports/*.report.json --to md --spread pm --out paper',
    'paper reports/*.report.json --to pdf --images samples/images --out figures',
    'paper reports/*.report.json --to pdf --figures main,ranks --out figures',
  ],

  async run({ positionals, values, signal }) {
    const layout = text(values, 'layout') ?? 'auto';
    if (layout === 'list') {
      const layouts = tableLayouts.map(({ id, probe, mirrors }) => ({ id, probe, mirrors }));
      if (values.json) printJson({ layouts });
      else for (const { id, mirrors } of layouts) print(`${id.padEnd(20)} ${mirrors}`);
      return 0;
    }
    if (positionals.length === 0) throw usageError(say('cli.reportExpected'), 'See: captious paper --help');
    const out = needed(values, 'out', 'Specify a folder for the tables.');
    const to = oneOf('to', text(values, 'to'), paperForms) ?? 'tex';
    const spread = oneOf('spread', text(values, 'spread'), spreads) ?? 'ci';
    const files = await withImages(values, (images) =>
      writePaper({
        ...{ reports: positionals, layout, out, signal, to, spread },
        labels: parseLabels(repeated(values, 'label'), positionals.length),
        ...(images && { images }),
        ...(text(values, 'facts') === undefined ? {} : { facts: text(values, 'facts') }),
        figures: figureChoice(text(values, 'figures')),
        onLeftOut: (names) =>
          log(`Not written: ${names.length} further figures (--figures all, or a list such as ${names[0]}).`),
      }),
    );
    if (values.json) printJson({ files });
    else for (const file of files) log(`wrote ${file}`);
    return 0;
  },
};
