import { join } from 'node:path';
import { writeBoard } from '../../../report/board/board';
import { type Command, onePositional, text } from '../../arguments';
import { log, printJson } from '../../terminal';

export const boardCommand: Command = {
  name: 'board',
  summary: 'write a leaderboard of a folder of reports: a static page, and results in mteb’s form',
  usage: ['board DIR [--out DIR]'],
  operands: { DIR: 'a folder with *.report.json files and their rows' },
  options: {
    out: { value: 'DIR', describe: 'where to write (default: DIR/board)' },
    json: { describe: 'print the written files as one JSON value' },
  },
  notes: [
    'The page opens from disk, without a server or network. A value links to its report’s page with the failures, worst first.',
  ],
  examples: ['board reports --out board'],

  async run(call) {
    const folder = onePositional(call, 'board', 'A folder');
    const files = await writeBoard(folder, text(call.values, 'out') ?? join(folder, 'board'), call.signal);
    if (call.values.json) printJson({ files });
    else for (const file of files.filter((name) => name.endsWith('.html'))) log(`wrote ${file}`);
    return 0;
  },
};
