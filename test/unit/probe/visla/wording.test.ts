import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/base/turns/steps';
import { Random } from '../../../../src/base/random';
import { Difference } from '../../../../src/probe/inference/difference';
import type { Metric } from '../../../../src/probe/metric';
import { vislaClaims } from '../../../../src/probe/visla/claims';
import type { VislaRow } from '../../../../src/probe/visla/row';
import { VislaSummary } from '../../../../src/probe/visla/summary';
import { findSaid } from '../../../../src/base/say';

const random = new Random(42, 'visla wording');
const edges = { p1p2: 10, p1n: 5, p2n: 12 };

/**
 * A triplet with random scores. `lead` is added to P1's advantage over the negative in both settings, and `sight` is
 * taken from the negative with the image.
 */
function row(id: number, image: number, lead: number, sight: number): VislaRow {
  const [p1p2, p1n, p2n, p1, p2, other] = Array.from({ length: 6 }, () => random.uniform());
  const n = other - sight;
  const t2t = { p1p2, p1n: p1n + lead, p2n };
  const i2t = { p1: p1 + lead, p2, n };
  const right = [p1p2 > t2t.p1n && p1p2 > p2n, i2t.p1 > n && p2 > n];
  return {
    ...{ example: String(id), row: id, image: `${image}.jpg`, p1: 'a', p2: 'b', n: 'c', swapped: false },
    ...{ characters: edges, words: edges },
    t2t: { ...t2t, right: right[0], tie: false },
    i2t: { ...i2t, right: right[1], tie: false },
    settings: right[0] ? (right[1] ? 'both right' : 'only t2t') : right[1] ? 'only i2t' : 'both wrong',
  };
}

function metricsOf(triplets: number, perImage: number, lead: number, sight = 0): Metric[] {
  const summary = new VislaSummary({ scores: ['text-text', 'image-text'], seed: 42 });
  for (let i = 0; i < triplets; i++) summary.add(row(i, Math.floor(i / perImage), lead, sight));
  return atOnce(summary.finish()).metrics;
}

const codes = (metrics: Metric[]): string => JSON.stringify(vislaClaims(metrics).map(({ text }) => text));

describe('VISLA: P1 against P2', () => {
  it('finds a planted effect of the wording', () => {
    const found = codes(metricsOf(600, 2, 0.3));
    assert.match(found, /visla\.followsWording/);
    assert.match(found, /visla\.imageFirstEasier/);
  });

  it('rejects in about one of 20 runs without an effect, also if images have several triplets', () => {
    let wrong = 0;
    for (let run = 0; run < 400; run++) {
      const difference = new Difference('results');
      for (let i = 0; i < 200; i++) difference.add(Math.floor(random.uniform() * 3) - 1, Math.floor(i / 2));
      if (atOnce(difference.metrics('visla.t2t.wording'))[1].value! < 0.05) wrong++;
    }
    assert.ok(wrong >= 8 && wrong <= 32, `${wrong} of 400`);
  });

  it('does not count triplets of one image as independent', () => {
    const p = (perImage: number): number =>
      metricsOf(600, perImage, 0).find(({ id }) => id === 'visla.t2t.wording.p')!.images ?? 600;
    assert.deepEqual([p(1), p(3)], [600, 200]);
  });

  it('has no test for fewer than ten differing triplets, and says so', () => {
    const metrics = metricsOf(12, 1, 0);
    const p = metrics.find(({ id }) => id === 'visla.t2t.wording.p')!;
    assert.equal(p.value, null);
    const [differing, least] = findSaid(
      findSaid(p.note, 'inference.noTest'),
      'inference.tooFewDiscordant',
    )!.values;
    assert.ok(Number(differing) < 10 && least === '10', `${JSON.stringify(differing)}`);
  });
});

describe('VISLA: with the image against captions alone', () => {
  it('finds a planted difference on the same triplets, in its direction', () => {
    const metrics = metricsOf(120, 2, 0, 0.3);
    const gain = metrics.find(({ id }) => id === 'visla.both.gain')!;
    const rate = (id: string): number => metrics.find((one) => one.id === id)!.value!;
    assert.ok(Math.abs(gain.value! - (rate('visla.i2t') - rate('visla.t2t'))) < 1e-12);
    assert.ok(gain.ci![0] > 0 && metrics.find(({ id }) => id === 'visla.both.gain.p')!.value! < 1e-4);
    assert.match(codes(metrics), /visla\.imageHelps/);
    assert.match(codes(metricsOf(120, 2, 0, -0.3)), /visla\.imageHurts/);
  });

  it('says nothing without a significant test, although the interval of one accuracy lies above the other', () => {
    const given = (p: number | null): string => {
      const metric = (id: string, value: number): Metric => ({
        id,
        value,
        n: 100,
        ci: [value - 0.04, value + 0.04],
      });
      const gain = { ...metric('visla.both.gain', 0.1), ci: [0.01, 0.19] as const };
      const metrics = [metric('visla.t2t', 0.5), metric('visla.i2t', 0.6), gain];
      return codes([...metrics, { id: 'visla.both.gain.p', value: p, n: 100 }]);
    };
    assert.doesNotMatch(given(0.2) + given(null), /visla\.image(Helps|Hurts)/);
    assert.match(given(0.001), /visla\.imageHelps/);
  });
});
