import { join } from 'node:path';
import { writeBoard } from '../../../report/board/board';
import { type Command, onePositional, text } from '../../arguments';
import { shownImages } from '../../options';
import { withImages } from '../../shownImages';
import { log, printJson } from '../../terminal';

export const boardCommand: Command = {
  name: 'board',
  summary:
    'write a leaderboard from a folder of reports: a static web page, and result files in the format of mteb',
  usage: ['board DIR [--out DIR]'],
  operands: { DIR: 'a folder with *.report.json files and their rows' },
  options: {
    out: { value: 'DIR', describe: 'where to write (default: DIR/board)' },
    images: shownImages,
    json: { describe: 'print the paths of the written files as one JSON value' },
  },
  notes: [
    'The page opens from disk, without a server or network. Each value links to the page of its report, which lists the failures, worst first.',
  ],
  examples: ['board reports --out board'],

  async run(call) {
    const folder = onePositional(call, 'board', 'A folder');
    const { values, signal } = call;
    const out = text(values, 'out') ?? join(folder, 'board');
    const files = await withImages(values, (images) =>
      writeBoard(folder, out, { signal, ...(images && { images }) }),
    );
    if (values.json) printJson({ files });
    else for (const file of files.filter((name) => name.endsWith('.html'))) log(`wrote ${file}`);
    return 0;
  },
};
