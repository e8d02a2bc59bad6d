import { eachOf, type Steps } from '../../base/turns/steps';
import { isDefined } from '../../stats/outcome';
import { mean } from '../../stats/summary';
import { percent } from '../claim';
import { Figure } from '../figure';
import { imageInterval } from '../inference/interval';
import { clusterOf } from '../metric';
import { type InvarianceRow, type InvarianceVariant, keepsContent } from './row';
import { gaps } from './rrf';

export interface SystemsRisk {
  /** The number of images with scored captions from both systems. */
  images: number;
  /** The number of pairs of an image and one of its changes. */
  pairs: number;
  /** Each system's mean score on unchanged images. `gap` is the difference of the two means. */
  means: [number, number];
  gap: number;
  /** The 95 % interval of `gap` over images. */
  gapCi?: readonly [number, number];
  /** The share of pairs in which A − B after the change and A − B before the change differ in sign (eq. 1). */
  value: number;
  ci?: readonly [number, number];
  /** `pairs`, `value` and `ci` for changed words of the captions instead of changed images. */
  wording?: { pairs: number; value: number; ci?: readonly [number, number] };
  /** The images with equal scores before the change. Any difference after it counts as a change of sign. */
  ties: number;
  /** The risk if A and B were further apart or closer, for image changes and for changed words. */
  byGap: GapRisk[];
  byTransform: {
    transform: string;
    axis: InvarianceVariant['axis'];
    n: number;
    value: number;
    /** The mean of A − B over images with this transform: before the change (`before`) and after it (`gap`). */
    before: number;
    gap: number;
    overtakes: boolean;
  }[];
  words: string;
}

/**
 * The risk at a fixed gap, which is how the paper reports it: B's scores are shifted so that the mean scores of unchanged
 * images differ by the gap, and the better system stays the better one.
 */
export interface GapRisk {
  /** In percent of the score's range. */
  gap: number;
  pairs: number;
  value: number;
  ci?: readonly [number, number];
  wording?: { pairs: number; value: number; ci?: readonly [number, number] };
}

/** A system's score of one image after a change. */
interface Changed {
  axis: InvarianceVariant['axis'];
  transform: string;
  /** The transform as JSON. It distinguishes moves of an object to different places in the same quarter. */
  how: string;
  score: number;
}

/** Collects A − B before and after each change, and the index of its image. */
class Swaps {
  private readonly before: number[] = [];
  private readonly after: number[] = [];
  private readonly images: number[] = [];

  add(image: number, before: number, after: number): void {
    this.before.push(before);
    this.after.push(after);
    this.images.push(image);
  }

  get pairs(): number {
    return this.images.length;
  }

  /** The share of changes that swap A and B, if A's lead was larger by `shift` on every image. */
  *share(shift = 0): Steps<{ pairs: number; value: number; ci?: readonly [number, number] }> {
    const { before, after, images: clusters } = this;
    const values = before.map((lead, i) => (isSwapped(lead + shift, after[i] + shift) ? 1 : 0));
    const share = { pairs: values.length, value: mean(values) };
    const figure = new Figure();
    for (const [i, value] of values.entries()) figure.add(value, clusters[i]);
    const { ci } = yield* figure.metric('', { share: true });
    return ci === undefined ? share : { ...share, ci };
  }
}

function isSwapped(before: number, after: number): boolean {
  return Math.sign(after) !== Math.sign(before);
}

/**
 * How often two captioning systems swap ranks if an image or a wording changes, but not the meaning. Undefined
 * if the systems share no changed image. `width` is the length of the evaluator's range.
 */
export function* riskBetween(
  a: readonly InvarianceRow[],
  b: readonly InvarianceRow[],
  width = 1,
): Steps<SystemsRisk | undefined> {
  const first = byImage(a);
  const second = byImage(b);
  const shared = [...first.keys()].filter((image) => second.has(image)).sort();
  const swaps = { spatial: new Swaps(), societal: new Swaps() };
  const byTransform = new Map<string, Group>();
  const unchanged: [number, number][] = [];
  for (const [number, image] of shared.entries()) {
    const [one, other] = [first.get(image)!, second.get(image)!];
    const before = one.score! - other.score!;
    unchanged.push([one.score!, other.score!]);
    for (const { axis, transform, after } of pairsOf(one, other)) {
      swaps[axis].add(number, before, after);
      const group = byTransform.get(transform) ?? { axis, flips: [], before: [], gaps: [] };
      group.flips.push(isSwapped(before, after) ? 1 : 0);
      group.before.push(before);
      group.gaps.push(after);
      byTransform.set(transform, group);
    }
  }
  if (swaps.spatial.pairs === 0) return undefined;
  const means: [number, number] = [mean(unchanged.map(([x]) => x)), mean(unchanged.map(([, y]) => y))];
  const gap = means[0] - means[1];
  const risk: SystemsRisk = {
    images: shared.length,
    ...(yield* swaps.spatial.share()),
    means,
    gap,
    ties: unchanged.filter(([x, y]) => x === y).length,
    byGap: yield* eachOf(gaps, (percent) => riskAt(percent, swaps, gap, width)),
    byTransform: [...byTransform].map(([transform, group]) => {
      const [was, is] = [mean(group.before), mean(group.gaps)];
      return {
        transform,
        axis: group.axis,
        n: group.flips.length,
        value: mean(group.flips),
        before: was,
        gap: is,
        overtakes: Math.sign(is) !== Math.sign(was),
      };
    }),
    words: '',
  };
  if (swaps.societal.pairs > 0) risk.wording = yield* swaps.societal.share();
  const leads = unchanged.map(([x, y]) => x - y);
  const lead = yield* imageInterval({ values: leads, statistic: 'mean' });
  if (isDefined(lead)) risk.gapCi = [lead.low, lead.high];
  risk.words = wordsOf(risk);
  return risk;
}

/** The risk if the better system led by this gap. `lead` is the real lead of A. */
function* riskAt(
  percent: number,
  { spatial, societal }: Record<InvarianceVariant['axis'], Swaps>,
  lead: number,
  width: number,
): Steps<GapRisk> {
  const shift = (lead < 0 ? -1 : 1) * ((percent / 100) * width) - lead;
  const risk: GapRisk = { gap: percent, ...(yield* spatial.share(shift)) };
  if (societal.pairs > 0) risk.wording = yield* societal.share(shift);
  return risk;
}

interface Group {
  axis: InvarianceVariant['axis'];
  flips: number[];
  before: number[];
  gaps: number[];
}

/** A − B after each image change that is in both rows, and after each word change that is in either row. */
function* pairsOf(
  one: InvarianceRow,
  other: InvarianceRow,
): Generator<Pick<Changed, 'axis' | 'transform'> & { after: number }> {
  const [ours, theirs] = [changesOf(one), changesOf(other)];
  for (const [key, { axis, transform, score }] of ours) {
    // If only one caption has the word, the other caption stays unchanged.
    const same = theirs.get(key)?.score ?? (axis === 'societal' ? other.score! : undefined);
    if (same !== undefined) yield { axis, transform, after: score - same };
  }
  for (const [key, { axis, transform, score }] of theirs)
    if (axis === 'societal' && !ours.has(key)) yield { axis, transform, after: one.score! - score };
}

/** The changes of one row by name. Changed captions count only if they are edits of a dataset's caption. */
function changesOf({ variants }: InvarianceRow): Map<string, Changed> {
  const changes = new Map<string, Changed>();
  for (const { axis, family, variant, natural, transform, against, score } of variants) {
    if ((axis === 'societal' && natural === undefined) || !keepsContent({ family, natural })) continue;
    const name = `${family} ${variant}`.trim();
    const changed: Changed = {
      axis,
      transform: natural === undefined ? name : `${name}, ${natural}`,
      how: transform === undefined ? '' : JSON.stringify(transform),
      // For `neutralised`, `against` is the score of the changed caption.
      score: natural === 'neutralised' ? against : score,
    };
    const key = `${axis} ${changed.transform} ${changed.how}`;
    if (!changes.has(key)) changes.set(key, changed);
  }
  return changes;
}

/** The first scored row of each image, because a system writes one caption per image. */
function byImage(rows: readonly InvarianceRow[]): Map<string, InvarianceRow> {
  const found = new Map<string, InvarianceRow>();
  for (const row of rows) {
    const image = clusterOf(row);
    if (row.source === 'dataset' && row.score !== null && !found.has(image)) found.set(image, row);
  }
  return found;
}

/** The result in words. A system leads if the gap's interval excludes zero; any gap, if there is none. */
function wordsOf({ images: count, value, ci, wording, gap, gapCi, byTransform }: SystemsRisk): string {
  // Changes of words are excluded. Few captions share a word, so the order of the means would say little.
  const transforms = byTransform.filter(({ axis }) => axis === 'spatial');
  const turned = transforms.filter(({ overtakes }) => overtakes).map(({ transform }) => transform);
  const images = `On ${count} images, the better of the two captions changes in ${percent(value)} of cases${range(ci)} when the image is changed but its content stays the same.`;
  const often =
    wording === undefined
      ? images
      : `${images} The better caption changes in ${percent(wording.value)} of ${wording.pairs} cases${range(wording.ci)} when a word of the societal families is replaced.`;
  if (gap === 0)
    return `${often} On average, both systems have the same score: this evaluator does not rank them.`;
  const leader = gap > 0 ? 'A' : 'B';
  const lead = `${leader} scores ${Math.abs(gap).toFixed(4)} higher on average${gapCi === undefined ? '' : ` (A − B: ${gapCi.map((end) => end.toFixed(4)).join(' to ')})`}`;
  if (gapCi !== undefined && gapCi[0] <= 0 && gapCi[1] >= 0)
    return `${often} ${lead}, which is not significant on ${count} images. Do not rank the two systems with this evaluator: score more images, or use another evaluator.`;
  return turned.length > 0
    ? `${often} ${lead}. The order of the averages reverses with: ${turned.join(', ')}. Do not rank the two systems with this evaluator alone.`
    : `${often} ${lead}. The order of the averages stays the same with all ${transforms.length} transforms. The order of single captions can still change.`;
}

function range(ci: readonly [number, number] | undefined): string {
  return ci === undefined ? '' : ` (95 %: ${percent(ci[0])} to ${percent(ci[1])})`;
}
