import { join } from 'node:path';
import { english } from '../../../base/english';
import { newestIn } from '../../../report/board/chosen';
import { writeBoard } from '../../../report/board/board';
import { type Command, onePositional, text } from '../../arguments';
import { shownImages } from '../../options';
import { withImages } from '../../shownImages';
import { log, printJson } from '../../terminal';

export const boardCommand: Command = {
  name: 'board',
  summary:
    'write a leaderboard from a folder of reports: a static web page, and result files in the format of mteb',
  usage: ['board DIR [--out DIR] [--strict]'],
  operands: { DIR: 'a folder with *.report.json files and their rows' },
  options: {
    out: { value: 'DIR', describe: 'where to write (default: DIR/board)' },
    images: shownImages,
    strict: {
      describe:
        'fail if a report cannot be read, or if there are two of one evaluator, probe and dataset: after a checkout or a copy, the times of files do not say which one is newer',
    },
    json: { describe: 'print the written files and the reports that are left out as one JSON value' },
  },
  notes: [
    'Of several reports of one evaluator, probe and dataset, the board has the newest file. The page names the others, and reports that cannot be read.',
    'The page opens from disk, without a server or network. Each value links to the page of its report, which lists the failures, worst first.',
  ],
  examples: ['board reports --out board'],

  async run(call) {
    const folder = onePositional(call, 'board', 'A folder');
    const { values, signal } = call;
    const out = text(values, 'out') ?? join(folder, 'board');
    const chosen = values.strict ? undefined : await newestIn(folder);
    const files = await withImages(values, (images) =>
      writeBoard(chosen ?? folder, out, { signal, ...(images && { images }) }),
    );
    const { leftOut = [], notes = [] } = chosen ?? {};
    for (const note of notes) log(english(note));
    if (values.json)
      printJson({ files, leftOut: leftOut.map(({ path, why }) => ({ path, why: english(why) })) });
    else for (const file of files.filter((name) => name.endsWith('.html'))) log(`wrote ${file}`);
    return 0;
  },
};
