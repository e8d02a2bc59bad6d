/*
 * Coverage of the 95 % intervals of the probes `exploit` and `long`, and of `captious bestof`, whose true values follow by
 * arithmetic. Half of the variance of a change is the image's.
 * npx tsx scripts/simulateCoverage.ts [DATASETS] [PART]
 */
import { atOnce } from '../src/base/turns/steps';
import { Random } from '../src/base/random';
import { type Said } from '../src/base/say';
import { bestOfCurves, type Pool } from '../src/probe/exploit/bestOf';
import type { ExploitEdit, ExploitRow } from '../src/probe/exploit/row';
import { SearchSummary } from '../src/probe/exploit/search';
import { ExploitSummary } from '../src/probe/exploit/summary';
import { transferMetrics } from '../src/probe/exploit/transfer';
import { Universal } from '../src/probe/exploit/universal';
import type { LongRow } from '../src/probe/long/row';
import { LongSummary } from '../src/probe/long/summary';
import type { Metric } from '../src/probe/metric';
import { normalQuantile, normalSurvival } from '../src/stats/normal';

const datasets = Number(process.argv[2] ?? 1000);
const part = process.argv[3];
const sizes = [20, 50, 200];

type Draw = (random: Random) => number;
const normal: Draw = (random) => normalQuantile(Math.max(1e-12, random.uniform()));
/** Skewness 2, mean 0, standard deviation 1. */
const skewed: Draw = (random) => -Math.log(1 - random.uniform()) - 1;
const below = (z: number): number => normalSurvival(-z);
const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** The probability that a change is above zero: the sum of the image's part and of its own, divided by √2. */
const shareAbove = (draw: Draw, mean: number): number => {
  if (draw === normal) return below(mean);
  const x = Math.max(0, 2 - mean * Math.SQRT2);
  return Math.exp(-x) * (1 + x);
};

function changes(random: Random, draw: Draw): () => number {
  const own = draw(random);
  return () => (own + draw(random)) * Math.SQRT1_2;
}

const span = [0, 1] as const;
const rowOf = (image: number, caption = 0): ExploitRow => ({
  ...{ example: `${image}`, row: image, image: `${image}`, caption, field: 'caption' },
  ...{ text: 'a', words: 9, score: 0, omitted: [], edits: [] },
});

function editOf(family: ExploitEdit['family'], kind: string, text: string, delta: number): ExploitEdit {
  return { family, kind, text, score: delta, delta, span, was: span };
}

/** Counts how often the intervals of `metricsOf` contain the truth, by number of images. */
function covers(
  name: string,
  metricsOf: (random: Random, images: number) => { metric: Metric | undefined; truth: number; as: string }[],
): void {
  const counts = new Map<string, { inside: number; n: number }[]>();
  for (const [size, images] of sizes.entries())
    for (let i = 0; i < datasets; i++)
      for (const { metric, truth, as } of metricsOf(new Random(17, name, images, i), images)) {
        const own = counts.get(as) ?? sizes.map(() => ({ inside: 0, n: 0 }));
        counts.set(as, own);
        const { ci } = metric ?? {};
        if (ci === undefined) continue;
        own[size].n++;
        if (ci[0] <= truth && truth <= ci[1]) own[size].inside++;
      }
  for (const [as, own] of counts) {
    const cells = own.map(({ inside, n }) =>
      n === 0 ? '–' : (inside / n).toFixed(3) + (n < datasets ? ` (${n})` : ''),
    );
    console.log(`| ${as}${name === '' ? '' : `, ${name}`} | ${cells.join(' | ')} |`);
  }
}

const found = (metrics: readonly Metric[], id: string, unit?: string): Metric | undefined =>
  metrics.find((one) => one.id === id && one.slice?.unit === unit && (unit !== undefined || !one.slice));

/** 1 to 3 captions an image, with two forms of praise, a hedge, and an instruction, each with its control. */
function simulateEdits(name: string, draw: Draw): void {
  const [gain, control] = [0.4, 0.1];
  const options = {
    ...{ families: ['quality', 'hedge'] as const, injection: ['order'] as const },
    ...{ controls: true, universal: 0, keep: [], search: 0, words: [] },
  };
  const [rate, controlRate] = [shareAbove(draw, gain), shareAbove(draw, control)];
  covers(name, (random, images) => {
    const summary = new ExploitSummary(options);
    for (let image = 0; image < images; image++) {
      const [change, neutral] = [changes(random, draw), changes(random, draw)];
      const edit = (family: ExploitEdit['family'], kind: string): ExploitEdit => {
        const delta = control + neutral();
        const own = editOf(family, kind, `a ${random.below(12)}`, gain + change());
        return { ...own, control: { text: '-', score: delta, delta } };
      };
      for (let caption = 0; caption < 1 + (image % 3); caption++)
        summary.add({
          ...rowOf(image, caption),
          edits: [edit('quality', 'first'), edit('quality', 'second'), edit('hedge', 'may be')].concat(
            edit('injection', 'order'),
          ),
        });
    }
    const { metrics } = atOnce(summary.finish());
    const of = (as: string, truth: number, unit?: string) => ({
      metric: found(metrics, as, unit),
      truth,
      as,
    });
    return [
      of('exploit.rate', rate),
      of('exploit.rate.quality', rate),
      of('exploit.rate.hedge', rate),
      of('exploit.change.quality', gain),
      of('exploit.change.hedge', gain),
      of('exploit.rate.hedge.control', controlRate),
      of('exploit.rate.quality.overControl', rate - controlRate),
      of('exploit.change.quality.overControl', gain - control),
      of('exploit.injection.order', rate),
      of('exploit.injection.change.order', gain),
      of('exploit.injection.order.overControl', rate - controlRate),
      of('exploit.injection.change.order.overControl', gain - control),
    ];
  });
}

/** Twenty captions of other images, of which some score higher than others. The target is what the chosen ones reach. */
function simulateUniversal(): void {
  covers('', (random, images) => {
    const universal = new Universal();
    const counts = [0, 0];
    const effects = Array.from({ length: 20 }, () => normal(random) * 0.5 - 0.5);
    for (let image = 0; image < images; image++) {
      const [own, other] = [changes(random, normal), changes(random, normal)];
      universal.add(
        {
          own: Array.from({ length: 1 + (image % 3) }, own),
          others: effects.map((effect, at) => ({ text: `${at}`, score: effect + other() })),
        },
        `${image}`,
      );
      counts[new Random(`${image}`, 'exploit.half').below(2)]++;
    }
    const [metric] = atOnce(universal.metrics());
    const texts = (metric.note as Said).values.map(Number);
    const [first, second] = [texts[0], texts.at(-1)!].map((at) => below(effects[at] / Math.SQRT2));
    const truth = (counts[0] * second + counts[1] * first) / images;
    return [{ metric, truth, as: 'exploit.universal' }];
  });
}

/** A search that gains what a change gains if it is above zero. */
function simulateSearch(name: string, mean: number): void {
  covers(name, (random, images) => {
    const summary = new SearchSummary(24);
    for (let image = 0; image < images; image++) {
      const change = changes(random, normal);
      for (let caption = 0; caption < 1 + (image % 3); caption++) {
        const score = mean + change();
        const step = { kind: 'insert' as const, word: 'w', text: 'a w', score, queries: 8 };
        const search = { budget: 24, queries: 24, lost: 0, path: score > 0 ? [step] : [] };
        summary.add({ ...rowOf(image, caption), search });
      }
    }
    const metrics = atOnce(summary.metrics());
    const of = (as: string, truth: number) => ({ metric: found(metrics, as), truth, as });
    return [
      of('exploit.search.rate@24', below(mean)),
      of('exploit.search.change@24', mean * below(mean) + density(mean)),
    ];
  });
}

/** Eight edits a caption, four in ten of which raise the first evaluator's score. */
function simulateTransfer(): void {
  const [raised, kept] = [0.5, -0.3];
  covers('', (random, images) => {
    const rows: [ExploitRow[], ExploitRow[]] = [[], []];
    for (let image = 0; image < images; image++) {
      const own = normal(random);
      for (let caption = 0; caption < 1 + (image % 3); caption++) {
        const edits = Array.from({ length: 8 }, (_, at) => {
          const first = random.uniform() < 0.4 ? 1 : -1;
          const second = (first > 0 ? raised : kept) * Math.SQRT2 + own + normal(random);
          return [first, second].map((delta) => editOf('quality', 'praise', `a ${at}`, delta));
        });
        for (const [of, list] of rows.entries())
          list.push({ ...rowOf(image, caption), edits: edits.map((pair) => pair[of]) });
      }
    }
    const metrics = atOnce(transferMetrics(...rows));
    const of = (as: string, truth: number) => ({ metric: found(metrics, as), truth, as });
    return [
      of('exploit.transfer', below(raised)),
      of('exploit.transfer.others', below(kept)),
      of('exploit.transfer.overOthers', below(raised) - below(kept)),
    ];
  });
}

/** The expected largest of n standard normal numbers, by the midpoint rule. */
function largestOf(n: number): number {
  const step = 0.001;
  let sum = 0;
  for (let z = -8; z < 8; z += step) sum += z * n * density(z) * below(z) ** (n - 1) * step;
  return sum;
}

/** 75 candidates an image. The other evaluator shares half of the variance of the one that chooses. */
function simulateBestOf(name: string, draw: Draw): void {
  const harmonic = (n: number): number =>
    Array.from({ length: n }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b);
  const of = [2, 8, 64];
  const truths = of.map((n) => (draw === normal ? largestOf(n) : harmonic(n) - 1));
  covers(name, (random, images) => {
    const pools = Array.from({ length: images }, (_, image): Pool => {
      const own = normal(random);
      const first = Array.from({ length: 75 }, () => draw(random));
      const second = first.map((score) => own + (score + normal(random)) * Math.SQRT1_2);
      return { cluster: `${image}`, scores: [first, second] };
    });
    const { sizes: ns, gains } = atOnce(bestOfCurves(pools, 64));
    return of.flatMap((n, i) =>
      gains.map((own, evaluator) => ({
        metric: own[ns.indexOf(n)],
        truth: truths[i] * (evaluator === 0 ? 1 : Math.SQRT1_2),
        as: `exploit.bestof.${n} of ${evaluator === 0 ? 'the evaluator that chooses' : 'another evaluator'}`,
      })),
    );
  });
}

/** A caption an image with 3 to 9 errors, which are detected less often towards its end; a token limit; and three edits. */
function simulateLong(): void {
  covers('', (random, images) => {
    const summary = new LongSummary();
    for (let image = 0; image < images; image++) {
      const [own, limit, change] = [
        random.uniform() * 0.4 - 0.2,
        0.5 + random.uniform() / 2,
        changes(random, skewed),
      ];
      const shared = { text: 'b', span, was: span };
      const errors = Array.from({ length: 3 + (image % 7) }, () => {
        const position = random.uniform();
        const delta = random.uniform() < 0.7 - 0.4 * position + own ? -1 : 1;
        const [decile, past] = [1 + Math.floor(10 * position), position > limit];
        return { ...shared, kind: 'color' as const, position, decile, past, score: delta, delta };
      });
      const edits = (['delete', 'repeat', 'move'] as const).map((kind) => {
        const delta = change() - 0.3;
        return { ...shared, kind, score: delta, delta };
      });
      const { example, row, image: name, caption, field } = rowOf(image);
      const whole: LongRow = {
        ...{ example, row, image: name, caption, field, text: 'a', words: 80, sentences: [], score: 0 },
        variants: [...errors, ...edits],
      };
      summary.add(whole);
    }
    const { metrics } = atOnce(summary.finish());
    const of = (as: string, truth: number) => ({ metric: found(metrics, as), truth, as });
    return [
      of('long.pr', 0.5),
      of('long.pr.position.3', 0.6),
      of('long.slope', -0.4),
      of('long.slope.read', -0.4),
      of('long.ignored', 0.25),
      of('long.delete', -0.3),
    ];
  });
}

console.log(`| interval | ${sizes.map((images) => `${images} images`).join(' | ')} |`);
console.log('|---|---:|---:|---:|');
const parts: Record<string, () => void> = {
  edits: () => simulateEdits('normal changes', normal),
  skewed: () => simulateEdits('skewed changes', skewed),
  universal: simulateUniversal,
  search: () => simulateSearch('half of the captions are raised', 0),
  rare: () => simulateSearch('one caption in six is raised', -1),
  transfer: simulateTransfer,
  bestof: () => simulateBestOf('normal', normal),
  tails: () => simulateBestOf('skewed', skewed),
  long: simulateLong,
};
for (const [name, run] of Object.entries(parts)) if (part === undefined || part === name) run();
