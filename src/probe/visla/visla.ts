import { say } from '../../base/say';
import type { Example } from '../../dataset/example';
import type { TextItem, Want } from '../../protocol/item';
import { missingImage } from '../missingImage';
import type { PairProbe, Plan, PlanContext, Share } from '../probe';
import { vislaCharts } from './charts';
import { vislaClaims } from './claims';
import { vislaFaults } from './faults';
import { characterDistance, wordDistance, mostCompared } from '../../base/text/levenshtein';
import type { Edges, VislaRow } from './row';
import { VislaSummary } from './summary';
import { vislaView } from './view';

interface Triplet {
  p1: string;
  p2: string;
  n: string;
  swapped: boolean;
}

interface VislaPlan extends Plan {
  triplet: Triplet;
  /** The index in `wants` of the first of three scores from the captions alone, if they can be scored. */
  t2tAt?: number;
  /** The index in `wants` of the first of the three scores with the image. Absent if they cannot be scored. */
  i2tAt?: number;
}

export const visla: PairProbe<VislaPlan, VislaRow> = {
  ...vislaView,
  options: [],
  claims: vislaClaims,
  charts: vislaCharts,

  needs: () => ['text-text', 'image-text'],

  refuse(example, { scores, image }) {
    if (example.form !== 'triplet') return say('visla.notTriplet');
    if (example.captions.some(({ text }) => text.length > mostCompared))
      return say('visla.captionTooLong', mostCompared);
    if (scores.includes('text-text')) return undefined;
    if (!scores.includes('image-text')) return say('visla.evaluatorLacksScores');
    return image(0) === undefined ? say('sugarcrepe.imageNeeded', missingImage(example)) : undefined;
  },

  plan(example, { scores, image }) {
    const triplet = arrange(example);
    const [p1, p2, n] = [triplet.p1, triplet.p2, triplet.n].map((text): TextItem => ({ kind: 'text', text }));
    const wants: Want[] = [];
    const plan: VislaPlan = { triplet, wants };
    if (scores.includes('text-text')) {
      plan.t2tAt = wants.length;
      wants.push({ left: p1, right: p2 }, { left: p1, right: n }, { left: p2, right: n });
    }
    const item = scores.includes('image-text') ? image(0) : undefined;
    if (item !== undefined) {
      plan.i2tAt = wants.length;
      for (const right of [p1, p2, n]) wants.push({ left: item, right, against: n.text });
    }
    return plan;
  },

  kinds: ({ wants, t2tAt, i2tAt = wants.length }) =>
    wants.map((_, at) =>
      t2tAt !== undefined && at < t2tAt + 3
        ? 'two captions'
        : ['first positive', 'second positive', 'negative'][at - i2tAt],
    ),

  measure(example, plan, scores, _, __, onLost) {
    const { p1, p2, n, swapped } = plan.triplet;
    const row: VislaRow = {
      example: example.id,
      row: example.row,
      place: example.place,
      image: example.images.at(0)?.name,
      p1,
      p2,
      n,
      swapped,
      characters: edges(plan.triplet, characterDistance),
      words: edges(plan.triplet, wordDistance),
    };
    const has = (at: number | undefined): at is number =>
      at !== undefined && !scores.subarray(at, at + 3).some(Number.isNaN);
    if (has(plan.t2tAt)) {
      const [p1p2, p1n, p2n] = scores.subarray(plan.t2tAt, plan.t2tAt + 3);
      row.t2t = { p1p2, p1n, p2n, right: p1p2 > p1n && p1p2 > p2n, tie: p1p2 === Math.max(p1n, p2n) };
    }
    if (has(plan.i2tAt)) {
      const [s1, s2, sn] = scores.subarray(plan.i2tAt, plan.i2tAt + 3);
      row.i2t = { p1: s1, p2: s2, n: sn, right: s1 > sn && s2 > sn, tie: Math.min(s1, s2) === sn };
    }
    if (row.t2t && row.i2t) row.settings = sideBySide(row.t2t.right, row.i2t.right);
    const [asked, found] = [
      [plan.t2tAt, plan.i2tAt],
      [row.t2t, row.i2t],
    ].map((settings) => settings.filter((one) => one !== undefined).length);
    if (found === 0) return [];
    const lost = asked - found;
    onLost?.({ variants: lost });
    return [lost === 0 ? row : { ...row, lost }];
  },

  faults: vislaFaults,

  shares: ({ t2t, i2t }) => [
    ...(t2t ? rates('visla.t2t', [t2t.p1p2, t2t.p2n], [t2t.p1p2, t2t.p1n]) : []),
    ...(i2t ? rates('visla.i2t', [i2t.p1, i2t.n], [i2t.p2, i2t.n]) : []),
  ],

  summary: (context: Omit<PlanContext, 'image'>) => new VislaSummary(context),

  demo: {
    file: 'triplets.tsv',
    lines: [
      { metric: 'visla.t2t', words: 'same meaning closer than same words', style: 'percent' },
      {
        metric: 'visla.i2t',
        words: 'with the image, both right captions beat the wrong one',
        style: 'percent',
      },
    ],
  },
};

/**
 * P1 is the positive that differs from the negative in fewer characters. If both differ in equally many, P1 is
 * the file's first positive.
 */
function arrange(example: Example): Triplet {
  const [first, second] = example.captions.filter((caption) => caption.role === 'caption');
  const negative = example.captions.find((caption) => caption.role === 'negative');
  if (second === undefined || negative === undefined) {
    throw new Error(`Example ${example.id} has the form of a triplet, but lacks its captions.`);
  }
  const swapped =
    characterDistance(second.text, negative.text) < characterDistance(first.text, negative.text);
  const [p1, p2] = swapped ? [second, first] : [first, second];
  return { p1: p1.text, p2: p2.text, n: negative.text, swapped };
}

function sideBySide(t2t: boolean, i2t: boolean): VislaRow['settings'] {
  if (t2t === i2t) return t2t ? 'both right' : 'both wrong';
  return t2t ? 'only t2t' : 'only i2t';
}

function edges({ p1, p2, n }: Triplet, distance: (a: string, b: string) => number): Edges {
  return { p1p2: distance(p1, p2), p1n: distance(p1, n), p2n: distance(p2, n) };
}

type Comparison = readonly [right: number, wrong: number];

function rates(id: string, p1n: Comparison, p2n: Comparison): Share[] {
  const near = p1n[0] > p1n[1];
  const far = p2n[0] > p2n[1];
  return [
    { metric: id, value: near && far ? 1 : 0, better: 'higher' },
    { metric: `${id}.p1n`, value: near ? 1 : 0, better: 'higher' },
    { metric: `${id}.p2n`, value: far ? 1 : 0, better: 'higher' },
  ];
}
