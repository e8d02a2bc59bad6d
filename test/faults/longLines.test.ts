import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../../src/dataset/open';
import { readScores } from '../../src/evaluator/scoresTable';
import { exportReport } from '../../src/report/export/export';
import { LeftOutRows } from '../../src/report/rowChecks';
import { reportOf, writeReport } from '../unit/report/reportOf';
import { pieces, type Subject, subjects, whySlow } from './fuzz/longLines';

describe('one long line', function () {
  this.timeout(600_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'captious-lines-'))));
  after(() => rmSync(folder, { recursive: true }));

  const written = (content: string): string => {
    const path = join(folder, 'data');
    writeFileSync(path, content);
    return path;
  };

  async function read(content: string): Promise<void> {
    const dataset = await openDataset(written(content));
    for await (const example of dataset.read()) assert.ok(example.captions.length >= 0);
  }

  async function exported(form: string, text: string): Promise<void> {
    const distances = { p1p2: 3, p1n: 1, p2n: 4 };
    const row = {
      ...{ example: '1', row: 1, p1: text, p2: 'one cat', n: text, swapped: false },
      ...{ characters: distances, words: distances },
      t2t: { p1p2: 0.5, p1n: 0.6, p2n: 0.1, right: false, tie: false },
    };
    const report = reportOf({ warnings: [text], options: { a: text } });
    const path = await writeReport(folder, report, `${JSON.stringify(row)}\n`);
    for await (const piece of exportReport(path, form, new LeftOutRows())) assert.ok(piece.length >= 0);
  }

  const files: Subject[] = [
    { name: 'a dataset file', act: read },
    { name: 'a dataset in JSON', act: (text) => read(JSON.stringify([{ image: text, caption: text }])) },
    {
      name: 'a dataset in JSON with a column',
      act: (text) => read(JSON.stringify([{ image: 'a', [text]: text }])),
    },
    {
      name: 'a dataset in JSON Lines',
      act: (text) => read(`${JSON.stringify({ image: 'a.jpg', caption: text })}\n`),
    },
    { name: 'a dataset in CSV', act: (text) => read(`image,caption\na.jpg,${text}\n`) },
    { name: 'a dataset in TSV', act: (text) => read(`${text}\tcaption\na.jpg\t"${text}\n`) },
    { name: 'a file of scores', act: (text) => readScores(written(text)) },
    {
      name: 'a line of scores',
      act: (text) => readScores(written(`{"key": "a", "score": NaN, "x": "${text}`)),
    },
    { name: 'a score', act: (text) => readScores(written(`${JSON.stringify({ key: 'a', score: text })}\n`)) },
    {
      name: 'a score of digits',
      act: (text) =>
        readScores(written(`${JSON.stringify({ key: 'a', score: `${text.slice(6, -7)} x` })}\n`)),
    },
    ...['csv', 'html', 'md', 'junit', 'sarif', 'parquet', 'json'].map((form) => ({
      name: `a report as ${form}`,
      act: (text: string) => exported(form, text),
    })),
  ];

  for (const subject of [...subjects, ...files])
    it(`takes time in proportion to its length: ${subject.name}`, async () => {
      for (const piece of pieces) assert.equal(await whySlow(subject, piece), undefined);
    });
});
