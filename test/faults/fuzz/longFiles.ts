import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { columns, pageSvg, svgFile } from '../../../src/chart/svg';
import { readInstances } from '../../../src/dataset/instances';
import { openDataset } from '../../../src/dataset/open';
import { readIds } from '../../../src/evaluator/embeddings/ids';
import { npyOf } from '../../../src/evaluator/embeddings/numpy';
import { readTable } from '../../../src/evaluator/embeddings/vectors';
import { readScores } from '../../../src/evaluator/scoresTable';
import { readLexicon } from '../../../src/perturb/society/lexicon';
import { viewFor } from '../../../src/probe/views';
import { exportReport } from '../../../src/report/export/export';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { readReport } from '../../../src/report/report';
import { reportOf, sealOfText } from '../../unit/report/reportOf';
import { type Subject, pieces, subjects, whySlow } from './longLines';
import { rowSeeds } from './messages';
import { datasetSeeds } from './seeds';
import type { Target } from './target';

/** The value with the text in place of each string. */
function filled(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => filled(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, text)]));
}

const probes = [
  'visla',
  'lgip',
  'sugarcrepe',
  'winoground',
  'rococo',
  'prsm',
  'invariance',
  'choice',
  'human',
];

/** Probes with a row of another probe reject it, which must not take long either. */
const views: Subject[] = probes.map((probe) => ({
  name: `rows of ${probe} in the panel`,
  act: (text) =>
    rowSeeds.map((seed) => {
      const { row, ...show } = viewFor(probe).rows;
      const given = filled(seed, text);
      return (
        row.fits(given) && [show.facts(given), show.line(given, 0), show.detail(given, 0), show.mark(given)]
      );
    }),
}));

const drawing = (text: string) => ({
  ...{ title: text, width: 100, height: 100 },
  shapes: [{ is: 'text' as const, x: 0, y: 0, text }],
});

/** Readers and renderers of files, which they find in `folder`. */
export function fileSubjects(folder: string): Subject[] {
  const written = (content: string | Buffer, name = 'data'): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const read = async (content: string): Promise<void> => {
    const dataset = await openDataset(written(content));
    for await (const example of dataset.read()) assert.ok(example.captions.length >= 0);
  };
  const exported = async (probe: string, form: string, text: string): Promise<void> => {
    const own = rowSeeds.filter((seed) => viewFor(probe).rows.row.fits(seed));
    const content = own.map((seed) => `${JSON.stringify(filled(seed, text))}\n`).join('');
    const report = reportOf({ probe, warnings: [text], options: { a: text }, ...sealOfText(content) });
    const path = written(JSON.stringify(report), 'x.report.json');
    written(content, report.rows);
    for await (const piece of exportReport(path, form, new LeftOutRows())) assert.ok(piece.length >= 0);
  };
  const captions = datasetSeeds().flatMap((seed, i): Subject[] => {
    const content = seed.toString();
    const caption = /(?<=[",\t] ?)[A-Z][a-z]* [\w ,']+/.exec(content);
    return caption === null
      ? []
      : [
          {
            name: `dataset ${i}, a caption`,
            act: (text) => read(content.replace(caption[0], () => JSON.stringify(text).slice(1, -1))),
          },
          { name: `dataset ${i}, the end`, act: (text) => read(content + text) },
        ];
  });
  return [
    ...captions,
    ...views,
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
    { name: 'a file that could be Parquet', act: (text) => read(`PAR1${text}PAR1`) },
    { name: 'outlines of objects', act: (text) => readInstances(written(text)) },
    { name: 'a lexicon', act: (text) => readLexicon(written(text)) },
    { name: 'a report', act: (text) => readReport(written(text)) },
    {
      name: 'a report with names',
      act: (text) => readReport(written(JSON.stringify(filled(reportOf({}), text)))),
    },
    { name: 'ids of embeddings', act: (text) => readIds(written(text), 'image') },
    { name: 'ids of texts', act: (text) => readIds(written(`${JSON.stringify([text])}`), 'text') },
    { name: 'a NumPy file', act: (text) => readTable([written(`\x93NUMPY${text}`)], undefined, 'image') },
    {
      name: 'a NumPy file with more after it',
      act: (text) =>
        readTable(
          [written(Buffer.concat([...npyOf([Float32Array.of(1)]), Buffer.from(text)]))],
          undefined,
          'image',
        ),
    },
    {
      name: 'an archive of arrays',
      act: (text) => readTable([written(`PK\x03\x04${text}`)], undefined, 'image'),
    },
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
    { name: 'charts', act: (text) => [pageSvg(drawing(text)), svgFile(drawing(text), columns.single)] },
    ...['csv', 'html', 'md', 'junit', 'sarif', 'parquet', 'json'].map((form): Subject => ({
      name: `a report as ${form}`,
      act: (text) => exported('visla', form, text),
    })),
    ...probes.map((probe): Subject => ({
      name: `a report of ${probe} as a page`,
      act: (text) => exported(probe, 'html', text),
    })),
  ];
}

/** Random lines for random subjects. `longLines.test.ts` tries each of the known pieces with each subject. */
export const longLines: Target = {
  name: 'one long line',
  share: 0.01,
  property: (folder) => {
    const all = [...subjects, ...fileSubjects(folder)];
    const piece = fc.oneof(
      fc.constantFrom(...pieces),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
    );
    return fc.asyncProperty(fc.nat(all.length - 1), piece, async (at, part) => {
      assert.equal(await whySlow(all[at], part), undefined);
    });
  },
};
