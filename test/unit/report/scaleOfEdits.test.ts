import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAudit } from '../../../src/audit/run';
import type { Metric } from '../../../src/probe/metric';
import { basisOf, comparableMetrics } from '../../../src/report/scale';
import type { PairOfReports } from '../../../src/report/lineUp';
import { fakeScorer } from './fakeScorer';
import { isSame, maps, near, paired } from './unitsOfScores';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

const colours = ['red', 'blue', 'green', 'black', 'white'];
const things = ['bus', 'dog', 'cat', 'car', 'boat', 'horse', 'chair', 'bird'];
const sentence = (i: number): string =>
  `Two ${colours[i % 5]} ${things[i % 8]}s stand to the left of a ${things[(i + 3) % 8]}.`;

describe('edits, words and long captions of evaluators with different units', function () {
  this.timeout(120_000);
  let folder: string;
  const found = new Map<string, WrittenReport>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-units-'));
    for (const [file, sentences, probes] of [
      ['captions.json', 1, ['exploit', 'explain']],
      ['long.json', 4, ['long']],
    ] as const) {
      const captions = Array.from({ length: 24 }, (_, i) => ({
        image: `${i}.jpg`,
        caption: Array.from({ length: sentences }, (_, at) => sentence(i + 7 * at)).join(' '),
      }));
      await writeFile(join(folder, file), JSON.stringify(captions));
      const evaluators = (['plain', 'times', 'plus', 'curved'] as const).map((id) =>
        fakeScorer(id, { seed: 'one', map: maps[id] }),
      );
      for (const written of await runAudit({
        ...{ dataset: join(folder, file), probes: [...probes], images: [folder] },
        evaluators: [...evaluators, fakeScorer('other', { noise: 1.2 })],
        ...{ home: join(folder, 'home'), out: join(folder, 'out'), signal: new AbortController().signal },
      }))
        found.set(`${written.report.probe} ${written.report.evaluator.id}`, written);
    }
  });
  after(() => rm(folder, { recursive: true }));

  const compared = (probe: string, id: string, other = 'other'): Promise<PairOfReports[]> =>
    paired([id, other].map((name) => found.get(`${probe} ${name}`)!));

  for (const id of ['times', 'plus']) {
    for (const probe of ['exploit', 'long'])
      it(`${probe}: the linear map "${id}" changes no comparison`, async () => {
        isSame(await compared(probe, id), await compared(probe, 'plain'));
      });

    // Words of a caption are not tested between evaluators, but shown side by side.
    it(`explain: the linear map "${id}" changes no number beside another evaluator's`, () => {
      const shown = (name: string) => {
        const reports = [name, 'other'].map((one) => found.get(`explain ${one}`)!.report);
        return comparableMetrics('explain', reports[0].metrics, basisOf(reports));
      };
      const [plain, mapped] = [shown('plain'), shown(id)];

      const named = (metrics: readonly Metric[]) => metrics.map(({ id, slice, n }) => ({ id, slice, n }));
      assert.deepEqual(named(mapped), named(plain));
      assert.ok(plain.filter(({ value }) => value !== null).length > 10);
      for (const [i, { id: metric, value, ci }] of mapped.entries()) {
        near(value ?? undefined, plain[i].value ?? undefined, metric);
        for (const end of [0, 1]) near(ci?.[end], plain[i].ci?.[end], `${metric}, interval`);
      }
    });
  }

  it('a curved monotone map changes no comparison of rates', async () => {
    for (const probe of ['exploit', 'long']) {
      const rates = (pairs: PairOfReports[]) =>
        pairs
          .filter(({ metric }) => /^(exploit\.rate|long\.pr)/.test(metric))
          .map(({ metric, difference, pValue, verdict }) => [metric, difference, pValue, verdict]);
      const plain = rates(await compared(probe, 'plain'));
      assert.ok(plain.length > 5);
      assert.deepEqual(rates(await compared(probe, 'curved')), plain);
    }
  });

  it('an evaluator does not win or lose against itself in other units', async () => {
    for (const probe of ['exploit', 'long'])
      for (const pair of await compared(probe, 'times', 'plain')) {
        assert.equal(pair.verdict, 'undecided', pair.metric);
        near(pair.difference, 0, pair.metric);
      }
  });

  it('a difference is that of the metrics of both reports', async () => {
    for (const probe of ['exploit', 'long'])
      for (const { metric, difference } of await compared(probe, 'plain')) {
        const [own, other] = ['plain', 'other'].map((id) =>
          found
            .get(`${probe} ${id}`)!
            .report.metrics.find((one) => one.id === metric && one.slice === undefined),
        );
        near(difference, other!.value! - own!.value!, metric);
      }
  });
});
