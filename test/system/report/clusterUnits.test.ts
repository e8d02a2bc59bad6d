import { sentences, withSentences } from '../../../src/base/english';
import { type Code, inARow, say } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commonCluster } from '../../../src/base/text/observations';
import { english } from '../../../src/base/english';
import { inClusters } from '../../../src/probe/inference/clusterWords';
import { probeIds } from '../../../src/probe/list';
import { readBoard } from '../../../src/report/board/board';
import { notesOf } from '../../../src/report/board/cells';
import { comparisonHtml } from '../../../src/report/export/comparison';
import { exportReport } from '../../../src/report/export/export';
import { lineUpReports, pairUpReports } from '../../../src/report/lineUp';
import { writePaper } from '../../../src/report/paper/paper';
import { LeftOutRows } from '../../../src/report/rowChecks';
import { viewOf } from '../../../src/service/panelReport';
import { saying } from '../../sentence';
import { audited, type Probe } from '../../unit/report/patients';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

/** The messages that call the observations images. Others may name images: "finds mostly the same top 10 images". */
const codes: readonly Code[] = [
  'inference.clusteredIntervalOnly',
  'inference.oneCluster',
  'inference.pairedTest',
  'inference.pooledVarianceTest',
  'inference.tooFewClusters',
  'inference.twoGroupTest',
  'invariance.modelWithClusteredCi',
  'invariance.modelWithUnitCi',
  'invariance.skillingsMackImpossible',
  'invariance.skillingsMackTest',
  'invariance.testNeedsImages',
  'invariance.testedOnImageMeans',
  'invariance.tooFewImages',
  'invariance.widestWordPair',
  'probe.exactTest',
  'probe.wilsonInterval',
  'prsm.tooFewImages',
  'report.intervalParts',
  'stats.agreementNeedsImages',
  'stats.agreementPerfectOverImages',
  'stats.comparedAgreementPerfect',
  'stats.groupNeedsImages',
  'stats.imagesGiveSameValue',
  'stats.imagesWithoutInfluence',
  'stats.jackknifeConstant',
  'stats.labelsNeedImages',
  'stats.proportionNeedsImages',
  'stats.tooFewCommonImages',
  'visla.pairedRule',
];

/** A pattern of a message with any values, which its sentence for clusters does not fit. */
function patternOf(code: Code): string {
  const parts = sentences()
    [code].replace(/^\{\d+\}|\{\d+\}$/g, '')
    .split(/(\{[^}]*\})/);
  return parts
    .map((part, i) =>
      i % 2 === 0
        ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
        : part.includes('|')
          ? part.slice(part.lastIndexOf('|') + 1, -1)
          : '.{1,80}?',
    )
    .join('');
}

/** Also in the texts of papers and comparisons, which are no messages. */
const countsImages = new RegExp(
  [
    ...codes.map(patternOf),
    ...[
      'fewer than \\S+ images',
      'over images',
      'clustered by image\\b',
      '\\(\\d+ images\\)',
      'images = \\d',
    ],
  ].join('|'),
  'i',
);

/** Shows the place only, because the texts are long. */
function isFree(whole: string): void {
  const text = whole.replaceAll('&#39;', "'");
  const at = text.search(countsImages);
  assert.equal(at < 0 ? '' : text.slice(Math.max(0, at - 60), at + 60), '');
}

describe('the unit of observations', function () {
  this.timeout(300_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'captious-units-'))));
  after(() => rm(folder, { recursive: true }));

  const ofPatients = (probe: Probe, images: number) =>
    audited(folder, probe, { images, copies: 2, cluster: 'patient', evaluators: ['one', 'two'] });

  async function exported({ path }: WrittenReport, to: 'md' | 'html'): Promise<string> {
    const parts: string[] = [];
    for await (const part of exportReport(path, to)) parts.push(part.toString());
    return parts.join('');
  }

  async function compared(both: readonly WrittenReport[]): Promise<string> {
    const reports = both.map(({ report }) => report);
    const lined = lineUpReports(reports);
    const pairs = await pairUpReports(
      reports,
      both.map(({ path }) => path),
      reports.map(() => new LeftOutRows()),
    );
    return comparisonHtml(reports, lined, pairs);
  }

  for (const probe of probeIds)
    for (const images of [6, 18])
      it(`is the named cluster in every text on ${images / 3} clusters of ${probe}`, async () => {
        const both = await ofPatients(probe, images);
        for (const one of both) {
          isFree(JSON.stringify(withSentences(one.report)));
          isFree(await exported(one, 'md'));
          isFree(await exported(one, 'html'));
          assert.equal(viewOf('key', one.report, []).cluster, 'patient');
        }
        isFree(await compared(both));
        const table = await writePaper({
          ...{ reports: both.map(({ path }) => path), layout: 'auto', spread: 'ci' as const },
          ...{ out: join(folder, `${probe} ${images}`), to: 'csv' as const },
        });
        const [head, ...lines] = (
          await readFile(
            table.find((file) => /auto/.test(file))!,
            'utf8',
          )
        )
          .trim()
          .split('\n');
        assert.equal(head.split(',').at(-1), 'cluster');
        for (const line of lines) assert.equal(line.split(',').at(-1), 'patient');
      });

  it('is the image in the same texts without a named cluster', async () => {
    const [one] = await audited(folder, 'lgip', { images: 4, copies: 2 });
    assert.match(JSON.stringify(withSentences(one.report)), countsImages);
    assert.match(await exported(one, 'md'), countsImages);
  });

  it('is named below a board, also if its reports have different ones', async () => {
    const board = async (name: string) => {
      const { rows } = await readBoard(join(folder, name), new AbortController().signal);
      return english(notesOf(rows, 0, []));
    };
    const named = await audited(join(folder), 'visla', { images: 12, cluster: 'patient' });
    assert.match(
      await board(named[0].path.split(/[\\/]/).at(-2)!),
      saying('base.countOfClusters', undefined, 'patient'),
    );
    assert.equal(commonCluster(['patient', undefined]), 'patient, image');
    assert.equal(commonCluster([undefined, undefined]), undefined);
  });

  it('leaves texts alone that count no observations', () => {
    for (const words of ['over images', say('prsm.topListHoldsAll', 3), say('invariance.pairedDifference')])
      assert.deepEqual(inClusters(words), words);
    assert.deepEqual(
      inClusters(inARow(['A note.', say('probe.noInterval', say('inference.tooFewClusters', 4, 5))], ' ')),
      inARow(['A note.', say('probe.noInterval', say('inference.thereOnlyClustersInterval', 4, 5))], ' '),
    );
  });
});
