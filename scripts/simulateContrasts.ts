/* Simulates the Type-I error and the power of the tests within one report; prints a table for docs/statistics.md. */
import { atOnce } from '../src/base/turns/steps';
import { pOfInterval } from '../src/probe/claimFamily';
import { Figure } from '../src/probe/figure';
import { Difference } from '../src/probe/inference/difference';
import { correctedOverlap, type Family, type Query } from '../src/probe/prsm/figures';
import { type Beyond, beyondUnrelated, blocksOf } from '../src/probe/prsm/unrelated';
import { AnswerCounts } from '../src/probe/refused/counts';
import { differencesIn } from '../src/report/paired';
import type { OwnShares } from '../src/report/shares';
import { Draws } from '../src/stats/draws';
import { isDefined } from '../src/stats/outcome';
import { mean } from '../src/stats/summary';
import { normalQuantile } from '../src/stats/normal';

/** The number of reports for each cell, and only the contrasts whose name contains the second argument. */
const runs = Number(process.argv[2] ?? 2000);
const only = process.argv[3] ?? '';
const draws = new Draws('contrasts', 1);
const normal = (): number => normalQuantile(draws.uniform());

/** A p value of one simulated report. Undefined if the report has no test. */
type Sample = (images: number, effect: number) => number | undefined;

function pOf(difference: Difference): number | undefined {
  return atOnce(difference.metrics('simulated'))[1].value ?? undefined;
}

/**
 * VISLA's triplets with random scores. Triplets of an image share a part of the negative's score. The effect is added to
 * the negative's similarity with P1 (captions alone), or to the score of P1 (with the image).
 */
function triplets(perImage: number, setting: 't2t' | 'i2t' | 'gain'): Sample {
  return (images, effect) => {
    const difference = new Difference('results');
    for (let image = 0; image < images; image++) {
      const shared = 0.7 * normal();
      for (let i = 0; i < perImage; i++) {
        const own = shared + 0.7 * normal();
        const t2t = { p1p2: normal(), p1n: own + effect, p2n: shared + 0.7 * normal() };
        if (setting === 't2t') difference.add(Number(t2t.p1p2 > t2t.p2n) - Number(t2t.p1p2 > t2t.p1n), image);
        const i2t = { p1: normal() + effect, p2: normal(), n: own };
        if (setting === 'i2t') difference.add(Number(i2t.p1 > i2t.n) - Number(i2t.p2 > i2t.n), image);
        if (setting === 'gain') {
          // The same rule for both settings, so without an effect both are right equally often.
          const n = 0.3 * normal() + own;
          const right = (lead: number) => Number(normal() + lead > n && normal() + lead > own);
          difference.add(right(effect) - right(0), image);
        }
      }
    }
    return pOf(difference);
  };
}

/** An overlap of two top lists. It is skewed, because most lists change little. */
function overlap(own: number): number {
  return 1 / (1 + Math.exp(-(1.5 + own + normal())));
}

/** PRSM's sets on the same queries, with 1 to 5 captions per image. The effect lowers the overlap of the second set. */
const sets: Sample = (images, effect) => {
  const difference = new Difference('numbers');
  for (let image = 0; image < images; image++) {
    const own = normal();
    for (let i = Math.floor(draws.uniform() * 5); i >= 0; i--)
      difference.add(overlap(own) - overlap(own - effect), image);
  }
  return pOf(difference);
};

/** PRSM's groups. `share` of the images, or of the captions of each image, are in the first group. */
function groups(share: number, by: 'image' | 'caption'): Sample {
  return (images, effect) => {
    const difference = new Difference('groups');
    for (let image = 0; image < images; image++) {
      const own = normal();
      const ofImage = image < share * images;
      for (let i = Math.floor(draws.uniform() * 5); i >= 0; i--) {
        const isFirst = by === 'image' ? ofImage : draws.uniform() < share;
        difference.addTo(isFirst ? 'first' : 'second', overlap(isFirst ? own + effect : own), image);
      }
    }
    return pOf(difference);
  };
}

/**
 * Answers of a judge that refuses 2 % of 35 pairs per image, most of them of one image in ten. The effect adds this share
 * to the refusals of the group, which has `share` of the images.
 */
function refusals(share: number): Sample {
  return (images, effect) => {
    const answers = new AnswerCounts();
    for (let image = 0; image < images; image++) {
      const isFirst = image < share * images;
      const rate = (draws.uniform() < 0.1 ? 0.11 : 0.01) + (isFirst ? effect : 0);
      let refused = 0;
      for (let pair = 0; pair < 35; pair++) if (draws.uniform() < rate) refused++;
      answers.add({
        cluster: String(image),
        groups: { group: isFirst ? 'a' : 'b' },
        kinds: { caption: [35, refused] },
      });
    }
    const { metrics } = atOnce(answers.addTo({ metrics: [], warnings: [] }));
    return metrics.find(({ id }) => id === 'refused.difference.p')?.value ?? undefined;
  };
}

/** The overlap beyond chance of two rankings of 115 images, by its interval. The effect is a part of the score that both share. */
const chance: Sample = (images, effect) => {
  const [all, size] = [115, 100];
  const figure = new Figure();
  for (let image = 0; image < images; image++) {
    const shared = Array.from({ length: all }, () => effect * normal());
    const [a, b] = [0, 1].map(() => {
      const scores = shared.map((score) => score + normal());
      const order = scores.map((_, i) => i).sort((x, y) => scores[y] - scores[x]);
      return new Set(order.slice(0, size));
    });
    const overlap = [...a].filter((name) => b.has(name)).length / size;
    figure.add(correctedOverlap(overlap, size, all)!, image);
  }
  const { value, ci, degrees } = atOnce(figure.metric('overlap', { interval: 'test' }));
  return value === null || ci === undefined ? undefined : pOfInterval(value, ci, 0, degrees);
};

/** Hubs of a gallery of 100 images: how much their scores are raised for every text, times `strength`. */
const hubs = Array.from({ length: 100 }, normal);

/**
 * The overlap of the top 20 beyond that of unrelated captions. Each image has 1 to 3 captions with three wordings. A score
 * adds the image's hub, a meaning that the wordings share, and noise. Captions of an image share half of their meaning.
 */
function beyond(images: number, meaning: number, strength: number): Beyond | undefined {
  const size = 20;
  const families: Family[] = [];
  const tops = new Map<Query, Set<number>[]>();
  for (let image = 0; image < images; image++) {
    const shared = hubs.map(normal);
    for (let caption = Math.floor(draws.uniform() * 3); caption >= 0; caption--) {
      const own = shared.map((score) => meaning * Math.SQRT1_2 * (score + normal()));
      const text = `${draws.uniform()}`;
      const query = { example: { id: text }, text, caption, cluster: image } as unknown as Query;
      const wordings = [0, 1, 2].map(() => {
        const noise = Math.exp(0.3 * normal());
        const scores = hubs.map((hub, i) => strength * hub + own[i] + noise * normal());
        const order = scores.map((_, i) => i).sort((x, y) => scores[y] - scores[x]);
        return new Set(order.slice(0, size));
      });
      tops.set(query, wordings);
      families.push({ query, labels: ['o', 'c1', 'c2'] } as unknown as Family);
    }
  }
  const share = (a: Set<number>, b: Set<number>): number =>
    [...a].filter((item) => b.has(item)).length / size;
  const own = families.map(({ query }) => {
    const [o, c1, c2] = tops.get(query)!;
    return { query, overlap: (share(o, c1) + share(o, c2) + share(c1, c2)) / 3, times: 1 };
  });
  const unrelated = blocksOf(families, ['P1'], 1).flatMap(({ members, pairs }) =>
    pairs.map((pair) => {
      const [a, b] = pair.map((i) => members[i]);
      const [first, second] = [a, b].map(({ family, wording }) => tops.get(family.query)![wording]);
      return { queries: [a.family.query, b.family.query] as const, share: share(first, second) };
    }),
  );
  return beyondUnrelated(own, unrelated);
}

/** With an effect of 0, against the value of many captions with this meaning; otherwise against `limit`. */
function beyondFloor(meaning: number, strength: number, limit: number): Sample {
  let truth: number | undefined = meaning === 0 ? 0 : undefined;
  return (images, effect) => {
    if (effect === 0) truth ??= mean(Array.from({ length: 60 }, () => beyond(400, meaning, strength)!.value));
    const found = beyond(images, meaning + effect, strength);
    if (found === undefined || !isDefined(found.test)) return undefined;
    const { low, high, degrees } = found.test;
    return pOfInterval(found.value, [low, high], effect === 0 ? truth! : limit, degrees);
  };
}

/**
 * RoCOCO's drop rates of two evaluators on the same altered captions. R@1 of the second evaluator is `second`; the rates
 * are `rate` without an effect, which is added to the drop rate of the second one.
 */
function drops(second: number, rate = 0.3): Sample {
  return (images, effect) => {
    const reports = [new Map<string, OwnShares>(), new Map<string, OwnShares>()] as const;
    for (let image = 0; image < images; image++) {
      const shared = [normal(), normal()];
      for (const [e, report] of reports.entries()) {
        const below = (share: number, own: number): boolean =>
          Math.SQRT1_2 * (own + normal()) < normalQuantile(share);
        const clean = below(e === 0 ? 0.7 : second, shared[0]);
        const stays = below(1 - rate - (e === 0 ? 0 : effect), shared[1]);
        const shares = [
          { metric: 'rococo.i2t.r1', value: Number(clean), better: 'higher' as const },
          { metric: 'rococo.i2t.stressed.r1', value: Number(clean && stays), better: 'higher' as const },
        ];
        report.set(`${image}`, { image: `${image}`, shares });
      }
    }
    const found = atOnce(differencesIn('rococo', ...reports)).find(
      ({ metric }) => metric === 'rococo.i2t.dropRate',
    );
    return found?.tooFew === undefined ? found?.pValue : undefined;
  };
}

const sources: readonly { name: string; effect: number; sample: Sample }[] = [
  { name: 'VISLA, captions alone: P1 − P2', effect: 0.5, sample: triplets(1, 't2t') },
  { name: 'VISLA, captions alone: P1 − P2, 3 triplets per image', effect: 0.5, sample: triplets(3, 't2t') },
  { name: 'VISLA, with the image: P1 − P2', effect: 0.5, sample: triplets(1, 'i2t') },
  { name: 'VISLA, with the image: P1 − P2, 3 triplets per image', effect: 0.5, sample: triplets(3, 'i2t') },
  { name: 'VISLA, image − captions alone', effect: 0.5, sample: triplets(1, 'gain') },
  { name: 'VISLA, image − captions alone, 3 triplets per image', effect: 0.5, sample: triplets(3, 'gain') },
  { name: 'PRSM, two sets', effect: 0.4, sample: sets },
  { name: 'PRSM, two groups of images, half each', effect: 0.7, sample: groups(0.5, 'image') },
  {
    name: 'PRSM, two groups of images, one quarter and the rest',
    effect: 0.7,
    sample: groups(0.25, 'image'),
  },
  { name: 'PRSM, two groups of captions of the same images', effect: 0.7, sample: groups(0.5, 'caption') },
  { name: 'refusals, two groups of images, half each', effect: 0.04, sample: refusals(0.5) },
  { name: 'refusals, two groups of images, one quarter and the rest', effect: 0.04, sample: refusals(0.25) },
  { name: 'refusals, two groups of images, one tenth and the rest', effect: 0.04, sample: refusals(0.1) },
  { name: 'RoCOCO, drop rates of two evaluators, both with R@1 .7', effect: 0.25, sample: drops(0.7) },
  { name: 'RoCOCO, drop rates of two evaluators, R@1 .7 and .4', effect: 0.25, sample: drops(0.4) },
  { name: 'RoCOCO, drop rates of .6, R@1 .7 and .4', effect: 0.25, sample: drops(0.4, 0.6) },
  { name: 'RoCOCO, drop rates of two evaluators, R@1 .7 and .15', effect: 0.25, sample: drops(0.15) },
  { name: 'PRSM, overlap beyond chance, the top 100 of 115', effect: 0.5, sample: chance },
  { name: 'PRSM, beyond unrelated captions, hubs alone: 0', effect: 1.5, sample: beyondFloor(0, 6, 0) },
  { name: 'PRSM, beyond unrelated captions, meaning: .8', effect: 2, sample: beyondFloor(5.3, 1.5, 0.8) },
];

/** The share of p values below 0.05. Undefined if too few reports have a test. */
function rejected(sample: Sample, images: number, effect: number): string {
  let [tested, small] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const p = sample(images, effect);
    if (p === undefined) continue;
    tested++;
    if (p < 0.05) small++;
  }
  return tested < runs / 4 ? '–' : (small / tested).toFixed(3);
}

const heads = ['contrast', 'images', 'Type I', 'power'];
for (const row of [heads, heads.map((_, i) => (i === 0 ? '---' : '---:'))])
  process.stdout.write(`| ${row.join(' | ')} |\n`);
for (const { name, effect, sample } of sources.filter((source) => source.name.includes(only)))
  for (const images of [20, 50, 200]) {
    const row = [name, String(images), rejected(sample, images, 0), rejected(sample, images, effect)];
    process.stdout.write(`| ${row.join(' | ')} |\n`);
  }
