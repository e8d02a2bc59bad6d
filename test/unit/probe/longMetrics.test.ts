import { findSaid } from '../../../src/base/say';
import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { inTurns, type Steps } from '../../../src/base/turns/steps';
import { lexicon } from '../../../src/perturb/society/lexicon';
import { probeIds, probeNamed } from '../../../src/probe/list';
import type { Findings } from '../../../src/probe/probe';
import type { ImageItem, TextItem } from '../../../src/protocol/item';
import { differencesIn } from '../../../src/report/paired';
import { ranksOfReports } from '../../../src/report/decisions/decisions';
import { sharesByRow } from '../../../src/report/shares';
import { encoder, pairScorer, runGalleryProbe } from './galleryHarness';
import { exampleOf, type PairProbeId, rowOf, scoreFor } from './manyRows';

/** A signal that counts how often it is asked, and that is aborted from one of these times on. */
function asked(abortedFrom = Infinity): { signal: AbortSignal; times: () => number } {
  const { signal } = new AbortController();
  let times = 0;
  Object.defineProperty(signal, 'aborted', { get: () => ++times >= abortedFrom });
  return { signal, times: () => times };
}

function isCancelled(error: unknown): boolean {
  return error instanceof CaptiousError && error.kind === 'interrupted';
}

/** The metrics of a pair probe over many rows. */
function finishOf(id: PairProbeId, rows: number): () => Steps<Findings> {
  const probe = probeNamed(id);
  assert.ok(probe.mode === 'pairs');
  return () => {
    const summary = probe.summary({
      ...{ dataset: 'test', seed: 42, scores: ['image-text', 'text-text'] as const },
      options: Object.fromEntries(probe.options.map(({ key, default: value }) => [key, value])),
      beside: { lexicon },
    });
    for (let row = 0; row < rows; row++) summary.add(rowOf[id](row));
    return summary.finish();
  };
}

/** Runs all steps and counts them. */
function counted<T>(steps: Steps<T>): { count: number; value: T } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return { count, value };
  }
}

async function sharesOf(id: PairProbeId, rows: number) {
  return sharesByRow(
    id,
    (async function* () {
      for (let row = 0; row < rows; row++) yield await Promise.resolve(rowOf[id](row));
    })(),
  );
}

const pairProbes = probeIds.filter((id): id is PairProbeId => probeNamed(id).mode === 'pairs');
const galleryProbes = probeIds.filter((id) => probeNamed(id).mode === 'gallery');

const formulas = ['probe.wilsonInterval', 'inference.intervalOfReportedTest'] as const;

describe('the metrics of', () => {
  for (const id of pairProbes) {
    it(`${id} are computed in many short steps`, () => {
      const counts = id === 'invariance' ? [100, 800] : [500, 4000];
      const [few, many] = counts.map((rows) => counted(finishOf(id, rows)()));
      const intervals = many.value.metrics.filter(({ ci }) => ci !== undefined);
      assert.ok(intervals.length > 0);
      // Only a bootstrap takes long. Other intervals have degrees of freedom or a note.
      const resampled = intervals.filter(
        ({ degrees, note }) => degrees === undefined && formulas.every((code) => !findSaid(note, code)),
      ).length;
      assert.ok(many.count > 10 * resampled, `${many.count} steps for ${resampled} intervals`);
      // A step of a bootstrap has a bounded number of values, so more rows need more steps.
      if (resampled > 0) assert.ok(many.count > 1.5 * few.count, `${few.count} and ${many.count} steps`);
    });

    it(`${id} end with the step in which a run is cancelled`, async () => {
      // A simple probe ends in fewer steps.
      const steps = finishOf(id, 600)();
      let at = 0;
      while (at < 20 && !steps.next().done) at++;
      const { signal, times } = asked(at);
      await assert.rejects(inTurns(finishOf(id, 600)(), signal), isCancelled);
      assert.equal(times(), at);
    });
  }

  for (const id of galleryProbes) {
    it(`${id} end with the step in which a run is cancelled`, async () => {
      const whole = asked();
      await runOf(id, whole.signal);
      assert.ok(whole.times() > 200, `asked ${whole.times()} times`);
      // Two thirds of the way, all scores are known.
      const from = Math.floor((2 * whole.times()) / 3);
      const cancelled = asked(from);
      await assert.rejects(runOf(id, cancelled.signal), isCancelled);
      assert.ok(cancelled.times() <= from + 2, `asked ${cancelled.times()} times`);
    });
  }

  it('a comparison are computed in many short steps', async () => {
    const [first, second] = [await sharesOf('lgip', 3000), await sharesOf('lgip', 3000)];
    assert.ok(counted(differencesIn('lgip', first, second)).count > 10);
    assert.ok(counted(ranksOfReports('lgip', [first, second])).count > 10_000);
  });

  it('a comparison end with the step in which it is cancelled', async () => {
    const [first, second] = [await sharesOf('lgip', 300), await sharesOf('lgip', 300)];
    for (const steps of [
      (): Steps<unknown> => differencesIn('lgip', first, second),
      (): Steps<unknown> => ranksOfReports('lgip', [first, second]),
    ]) {
      const { signal, times } = asked(3);
      await assert.rejects(inTurns(steps(), signal), isCancelled);
      assert.equal(times(), 3);
    }
  });
});

async function runOf(id: string, signal: AbortSignal): Promise<void> {
  const probe = probeNamed(id);
  assert.ok(probe.mode === 'gallery');
  const embeddingOf = (item: TextItem | ImageItem): Float32Array => {
    const name = item.kind === 'text' ? item.text : item.source.name;
    return Float32Array.from({ length: 8 }, (_, at) => scoreFor(name, String(at)) - 0.5);
  };
  await runGalleryProbe(
    probe,
    Array.from({ length: 60 }, (_, row) => exampleOf[id](row)),
    embeddingOf,
    {
      evaluators: [id === 'human' ? pairScorer() : encoder()],
      scoreOf: (image, text) => scoreFor(image.source.name, text),
      options: { prsm: { groups: 'group', sizes: '5' }, rococo: { images: 'none' } }[id] ?? {},
      signal,
    },
  );
}
