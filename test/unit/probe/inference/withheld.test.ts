import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { briefly } from '../../../../src/assistant/answer';
import { english } from '../../../../src/base/english';
import { findSaid, say, type Words } from '../../../../src/base/say';
import { datasetHash } from '../../../../src/dataset/parts/hash';
import { markdownText } from '../../../../src/base/text/markdown';
import { Fingerprints } from '../../../../src/base/files/fingerprints';
import { printReports } from '../../../../src/cli/printReports';
import { figureOf, verdictOf, verdictsOf } from '../../../../src/editor/text/figure';
import { claimsOfFewer, withheldIn } from '../../../../src/probe/inference/withheld';
import { reportsOn } from '../../../../src/report/beside';
import { html } from '../../../../src/report/export/html';
import { markdown } from '../../../../src/report/export/markdown';
import { readRows } from '../../../../src/report/rows';
import { LeftOutRows } from '../../../../src/report/rowChecks';
import { readReport, type Report } from '../../../../src/report/report';
import { boardOf } from '../../../../src/service/board';
import { viewOf } from '../../../../src/service/panelReport';
import { writeBoard } from '../../../../src/report/board/board';
import { reportOf, writeReport } from '../../report/reportOf';

const truncated = { text: say('audit.tooManyTruncated', 61), rule: say('audit.truncatedAsRows', 61, 40) };
const brief = say('probe.noVerdictTruncated', 61);

/** A report whose interval contains chance level, so that its metrics alone would give a sentence. */
const withoutVerdict = (path: string, sha256: string): Report =>
  reportOf({
    dataset: { ...reportOf().dataset, path, sha256, examples: 40 },
    claims: [truncated],
    metrics: [{ id: 'visla.t2t', value: 0.3, n: 60, ci: [0.21, 0.4] }],
  });

function printed(run: () => void): string {
  const write = process.stdout.write.bind(process.stdout);
  let all = '';
  process.stdout.write = ((text: string) => (all += text) !== '') as typeof process.stdout.write;
  try {
    run();
  } finally {
    process.stdout.write = write;
  }
  return all;
}

describe('a report without a verdict', () => {
  let folder: string;
  let path: string;
  let report: Report;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-withheld-'));
    const dataset = join(folder, 'triplets.tsv');
    await writeFile(dataset, 'image\tcaption\n');
    const sha256 = await datasetHash(dataset, new Fingerprints(undefined));
    path = await writeReport(folder, withoutVerdict(dataset, sha256), '{}\n');
    report = await readReport(path);
  });
  after(() => rm(folder, { recursive: true }));

  const isWithheld = (words: Words | undefined): void => {
    assert.deepEqual(findSaid(words, 'probe.noVerdictTruncated'), brief);
    assert.doesNotMatch(english(words!), /30 %|chance/);
  };

  it('says so in the line above its file, the list of runs, the notification and the record', () => {
    isWithheld(verdictOf([report]));
    isWithheld(verdictOf([report, report, report]));
    isWithheld(verdictsOf([report])[0].words);
    isWithheld(figureOf(report));
  });

  it('says so above a file next to reports of the command line', async () => {
    const [{ sentence, brief: short }] = await reportsOn(report.dataset.path, [path]);
    isWithheld(sentence);
    isWithheld(short);
  });

  it('has its claim in place of a headline in the panel', () => {
    const { headline, claims } = viewOf('key', report, []);
    assert.deepEqual([headline, claims[0].text], [undefined, truncated.text]);
  });

  it('says so in the cell of a board, in the editor and on its page', async () => {
    const { rows } = await boardOf({ type: 'folder', folder }, new AbortController().signal);
    const [cell] = rows[0].cells;
    assert.ok(cell.type === 'value');
    assert.deepEqual(cell.doubt, brief);
    const [page] = await writeBoard(folder, join(folder, 'out'), { to: ['html'] });
    assert.equal((await readFile(page, 'utf8')).split(english(brief)).length, 2);
  });

  it('has its claim on the command line, in exports and for assistants', async () => {
    const claim = english(truncated.text);
    assert.ok(printed(() => printReports([{ path, report }], false)).includes(claim));
    assert.ok(markdown(report).includes(markdownText(claim)));
    const leftOut = new LeftOutRows();
    assert.ok((await html(path, report, () => readRows(path, report, leftOut), leftOut)).includes(claim));
    assert.deepEqual((briefly(report) as { claims: Words[] }).claims, [truncated.text]);
  });

  it('is one of an evaluator with one score for all, too', () => {
    const verdictBy = (text: Words) => withheldIn([{ text }]);
    assert.deepEqual(verdictBy(say('probe.constantScores')), say('probe.noVerdictConstant'));
    assert.deepEqual(verdictBy(say('probe.onlyTies')), say('probe.noVerdictConstant'));
    // These verdicts stay, about the parts that it read.
    assert.equal(verdictBy(say('audit.textsTruncated', 3)), undefined);
  });

  it('stays one after some of its rows are left out', () => {
    const verdict = { text: 'b', rule: '' };
    assert.deepEqual(claimsOfFewer([truncated], [verdict]), [truncated]);
    const partly = { text: say('audit.textsTruncated', 3), rule: '' };
    assert.deepEqual(claimsOfFewer([partly, { text: 'a', rule: '' }], [verdict]), [partly, verdict]);
  });
});
