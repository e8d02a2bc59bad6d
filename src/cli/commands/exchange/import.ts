import { importLog } from '../../../audit/imported/run';
import { usageError } from '../../../base/errors';
import { type Command, list, text } from '../../arguments';
import { Listener, showReports } from '../../reports';
import type { WrittenReport } from '../../../audit/output/writtenReport';

export const importCommand: Command = {
  name: 'import',
  summary: 'make reports of the logs of other evaluation programs, to compare them with paired tests',
  usage: ['import FILE… [--cluster FIELD] [--better SCORE=higher|lower,…] [--out DIR]'],
  operands: {
    'FILE…':
      'logs with the scores of each sample: of Inspect (.eval or JSON), lmms-eval (samples_*.jsonl), CaptionEvalKit (JSON) or Every Eval Ever (JSON or JSONL). Each file has its own report',
  },
  options: {
    cluster: {
      value: 'FIELD',
      describe:
        'the field whose values count as one observation each, such as a document or a video (default: the image if each sample names one, otherwise the sample)',
    },
    better: {
      value: 'SCORE=WAY[,…]',
      multiple: true,
      describe:
        'whether higher or lower values of a score are better: SCORE=higher or SCORE=lower. Without it, a score whose log does not say so is tested, but has no verdict',
    },
    model: { value: 'NAME', describe: 'the name of the model, if the log does not say it' },
    out: {
      value: 'DIR',
      describe: "folder for reports and rows (default: a folder for each log under Captious's home folder)",
    },
    json: { describe: 'print the reports as a JSON list, and nothing else' },
  },
  notes: [
    'Several epochs of a sample become their mean. Reports of the same task and the same samples can be compared. docs/import.md explains what each format says.',
  ],
  examples: ['import a.eval b.eval --out reports'],

  async run({ positionals, values, signal }) {
    if (positionals.length === 0) throw usageError('A log is missing.', 'See: captious import --help');
    const request = {
      ...{ cluster: text(values, 'cluster'), model: text(values, 'model'), out: text(values, 'out') },
      better: new Map(list(values, 'better').map(direction)),
    };
    const listener = new Listener();
    const written: WrittenReport[] = [];
    try {
      for (const log of positionals)
        written.push(await importLog({ ...request, log, signal, onEvent: (event) => listener.hear(event) }));
    } finally {
      listener.done();
    }
    showReports(written, values);
    return 0;
  },
};

function direction(given: string): [score: string, way: 'higher' | 'lower'] {
  const [, score, way] = /^(.+)=(higher|lower)$/.exec(given) ?? [];
  if (way === 'higher' || way === 'lower') return [score, way];
  throw usageError(`--better cannot be "${given}".`, 'Write SCORE=higher or SCORE=lower.');
}
