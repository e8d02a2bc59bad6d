/* Simulates evaluators and wrong labels, and counts how many of the labels that are suspected are wrong. */
import { Draws } from '../src/stats/draws';
import { atOnce } from '../src/base/turns/steps';
import { normalQuantile, normalCdf } from '../src/stats/normal';
import { flipsIn } from '../src/stats/irt/flips';
import { logistic } from '../src/stats/irt/patterns';
import { ascendingOrder } from '../src/stats/order';

const runs = Number(process.argv[2] ?? 20);
const items = 1000;
const flipped = 50;

type Kind = 'guessing' | 'logistic' | 'shared';
function world(kind: Kind, low: number, high: number, E: number, run: number) {
  const draws = new Draws('items', kind, low, high, E, run);
  const z = () => normalQuantile(draws.uniform());
  const difficulty = Float64Array.from({ length: items }, z);
  const bias = Float64Array.from({ length: items }, z);
  const slope = Float64Array.from({ length: items }, () => Math.exp(0.3 * z()));
  const probability = (t: number, i: number): number => {
    const x = slope[i] * (t - difficulty[i]);
    if (kind === 'guessing') return 0.5 + 0.5 * logistic(x);
    if (kind === 'logistic') return logistic(x);
    return normalCdf(0.6 * (t - difficulty[i]) + 0.5 * bias[i]);
  };
  // the strength whose mean probability is the wanted accuracy
  const strength = (accuracy: number): number => {
    let [a, b] = [-10, 10];
    for (let r = 0; r < 50; r++) {
      const m = (a + b) / 2;
      let s = 0;
      for (let i = 0; i < items; i++) s += probability(m, i);
      if (s / items < accuracy) a = m;
      else b = m;
    }
    return (a + b) / 2;
  };
  const isFlipped = new Uint8Array(items).fill(1, 0, flipped);
  const accs = Array.from({ length: E }, (_, e) => low + ((high - low) * e) / (E - 1));
  const credits = accs.map((acc) => {
    const t = strength(acc);
    return Float64Array.from({ length: items }, (_, i) => {
      const right = draws.uniform() < probability(t, i) ? 1 : 0;
      return isFlipped[i] ? 1 - right : right;
    });
  });
  return { credits, isFlipped };
}
function precision(score: Float64Array, isFlipped: Uint8Array): number {
  const order = ascendingOrder(score.map((x) => -x));
  let n = 0;
  for (const i of order.slice(0, flipped)) n += isFlipped[i];
  return n / flipped;
}
for (const kind of ['guessing', 'logistic', 'shared'] as const)
  for (const [low, high] of [[0.55, 0.95], [0.6, 0.9], [0.7, 0.95],[0.8,0.95], [0.55, 0.8]])
   for (const E of [12]) {
    const found: Record<string, number> = {};
    const add = (k: string, v: number) => (found[k] = (found[k] ?? 0) + v / runs);
    for (let run = 0; run < runs; run++) {
      const { credits, isFlipped } = world(kind, low, high, E, run);
      const means = credits.map((c) => c.reduce((a, b) => a + b, 0) / items);
      const grand = means.reduce((a, b) => a + b) / E;
      const missed = new Float64Array(items), weighted = new Float64Array(items), logit = new Float64Array(items);
      for (let i = 0; i < items; i++)
        for (let e = 0; e < E; e++) {
          missed[i] += (1 - credits[e][i]);
          weighted[i] += (1 - 2*credits[e][i]) * (means[e] - grand);
          logit[i] += (1 - 2*credits[e][i]) * Math.log(means[e] / (1 - means[e]));
        }
      add('missed', precision(missed, isFlipped));
      add('covariance', precision(weighted, isFlipped));
      add('logit', precision(logit, isFlipped));
      for (const g of [true, false]) {
        const t0 = performance.now();
        const f = atOnce(flipsIn({ credits, options: new Float64Array(items).fill(2) }, g));
        add(`flips${g ? 'G' : ''}`, precision(f.probability, isFlipped));
        add(`share${g ? 'G' : ''}`, f.share);
        add(`n.5${g ? 'G' : ''}`, f.probability.filter(p => p > 0.5).length);
        add(`ms${g ? 'G' : ''}`, performance.now() - t0);
      }
    }
    console.log(kind, low, high, E, Object.entries(found).map(([k, v]) => `${k} ${v.toFixed(3)}`).join('  '));
  }
