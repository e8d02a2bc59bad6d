/*
 * Simulates comparisons of evaluators with different scales, and LGIP's verdict on stability: Type-I errors and power.
 * Prints tables for docs/statistics.md.
 */
import { atOnce } from '../src/base/turns/steps';
import { spreadFrom } from '../src/audit/spread/spread';
import { against } from '../src/probe/claim';
import { Figure } from '../src/probe/figure';
import { type DefinedSpread, isDefinedSpread } from '../src/probe/spread';
import { comparedShares } from '../src/report/paired';
import type { Basis } from '../src/report/scale';
import type { OwnShares, RowShares } from '../src/report/shares';
import { Draws } from '../src/stats/draws';
import { normalQuantile } from '../src/stats/normal';

const runs = Number(process.argv[2] ?? 4000);
const draws = new Draws('scales', 1);
const normal = (): number => normalQuantile(draws.uniform());
const exponential = (): number => -Math.log(draws.uniform());

interface Setting {
  /** What an evaluator multiplies its scores by. */
  factor: number;
  /** The mean change for a paraphrase, in true spreads. */
  change: number;
}

/** Two evaluators on the same images. Their scores share a part of each image's, caption's and change's effect. */
function sample(
  images: number,
  settings: readonly Setting[],
): { rows: RowShares[]; spreads: DefinedSpread[] } {
  const shared = Array.from({ length: images }, () => [normal(), normal()]);
  const rows = settings.map(() => new Map<string, OwnShares>());
  for (let i = 0; i < images; i++)
    for (let caption = 1 + Math.floor(draws.uniform() * 5); caption > 0; caption--) {
      const common = exponential();
      for (const [e, { factor, change }] of settings.entries()) {
        const value = factor * change * (common + exponential()) * 0.5;
        rows[e].set(`${i} ${caption}`, {
          image: `${i}`,
          shares: [{ metric: 'lgip.inv', value, better: 'lower' }],
        });
      }
    }
  const spreads = settings.map(({ factor }) => {
    const image = shared.map(([own]) => 0.5 * (own + normal()));
    const caption = shared.map(([, own]) => 0.35 * (own + normal()));
    const pairs = [];
    for (let round = 1; pairs.length < 200; round++)
      for (let i = 0; i < images; i++) {
        const right = (i + round) % images;
        // The variances add up to 1: 0.5 from the image, 0.245 from the caption, the rest is noise.
        const score = factor * (image[i] + caption[right] + Math.sqrt(0.255) * normal());
        pairs.push({ left: `${i}`, right: `${right}`, score });
      }
    return spreadFrom('image-text', pairs);
  });
  return { rows, spreads: spreads.filter(isDefinedSpread) };
}

function rejects(rows: readonly RowShares[], basis: Basis): boolean {
  const [found] = atOnce(comparedShares('lgip', [rows[0], rows[1]], { basis }));
  return found.pValue < 0.05;
}

console.log(
  '| images | scores of B | change of B | raw units | spread as a constant | spread with its error |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const images of [20, 60, 200])
  for (const [factor, ratio] of [
    [2.5, 1],
    [1, 1],
    [2.5, 1.25],
    [0.01, 1.5],
  ]) {
    const counts = [0, 0, 0];
    for (let run = 0; run < runs; run++) {
      const { rows, spreads } = sample(images, [
        { factor: 1, change: 0.3 },
        { factor, change: 0.3 * ratio },
      ]);
      const constant = spreads.map((spread) => ({ ...spread, influence: {} }));
      if (rejects(rows, { kind: 'raw' })) counts[0]++;
      if (rejects(rows, { kind: 'relative', spreads: constant })) counts[1]++;
      if (rejects(rows, { kind: 'relative', spreads })) counts[2]++;
    }
    const shares = counts.map((count) => (count / runs).toFixed(3).replace(/^0/, ''));
    console.log(`| ${images} | × ${factor} | × ${ratio} | ${shares.join(' | ')} |`);
  }

/**
 * LGIP's verdict. A caption with a colour or a number has flips, and its paraphrases change the score more; other captions
 * have only paraphrases. `margin` is the true difference on the captions with both.
 */
function verdicts(images: number, margin: number): { before: boolean; now: boolean } {
  const [inv, sens, both] = [new Figure(), new Figure(), new Figure()];
  for (let i = 0; i < images; i++) {
    const own = normal();
    for (let caption = 0; caption < 3; caption++) {
      const hasFlips = draws.uniform() < 0.4;
      const moved = (hasFlips ? 0.04 : 0.02) * exponential();
      inv.add(moved, i);
      if (!hasFlips) continue;
      const gap = 0.04 + margin + 0.02 * own + 0.03 * normal();
      sens.add(gap, i);
      both.add(gap - moved, i);
    }
  }
  const [a, b, c] = [atOnce(inv.metric('a')).ci!, atOnce(sens.metric('b')).ci!, atOnce(both.metric('c')).ci!];
  return { before: a[1] < b[0] || a[0] > b[1], now: against(c, 0) !== 'across' };
}

console.log('\n| images | true margin | two intervals | paired |\n| --- | --- | --- | --- |');
for (const images of [50, 200])
  for (const margin of [0, 0.01]) {
    const trials = Math.ceil(runs / 8);
    const found = Array.from({ length: trials }, () => verdicts(images, margin));
    const share = (key: 'before' | 'now') =>
      (found.filter((one) => one[key]).length / trials).toFixed(3).replace(/^0/, '');
    console.log(`| ${images} | ${margin} | ${share('before')} | ${share('now')} |`);
  }
