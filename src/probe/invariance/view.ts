import { largest } from '../../base/extent';
import { english } from '../../base/english';
import { inARow, say, type Words } from '../../base/say';
import { outlineOf } from '../../perturb/image/outline';
import {
  type InvarianceRow,
  type InvarianceVariant,
  keepsContent,
  type RowTransform,
  transformsOf,
  invarianceRowCheck,
} from './row';
import { entryOf } from '../../base/entryOf';
import { inSpreads, isLargeChange } from '../largeChange';
import { cardGroups, cardTitles, corners, invarianceParts, rangeGapId } from './display/names';
import { intervalOf } from '../claim';
import type { Metric } from '../metric';
import type { Card } from '../../protocol/panel';
import type { Change } from '../../protocol/rows';
import { numberCard, type ProbeView, rowView, type ShownCaption, wholeMetric } from '../view';

/** Whether a metric is a change in percent of the score. */
export function isPercent(metric: string): boolean {
  return /^invariance\.(spatial|societal)\b.*\.(median|absMedian|gap|contrast)$/.test(metric);
}

const families: Readonly<Record<string, Words>> = {
  vflip: say('invariance.upsideDown'),
  hflip: say('invariance.mirrored'),
  rotation: say('invariance.rotated'),
  reposition: say('invariance.moved'),
  blur: say('invariance.blurred'),
  cultural: say('invariance.groupCulture'),
  economic: say('invariance.groupWealth'),
  gender: say('invariance.groupGender'),
  emotion: say('invariance.groupEmotion'),
  sociopolitical: say('invariance.groupPolitics'),
};

const axes = { spatial: say('invariance.image'), societal: say('invariance.words') } as const;
const objects = {
  single: say('invariance.objectsOne'),
  multi: say('invariance.objectsSeveral'),
  none: say('invariance.objectsUnused'),
} as const;

/** The displayed name of a family such as "vflip". */
export function familyName(family: string): Words {
  return entryOf(families, family) ?? family;
}

export function variantName({ axis, family, variant, natural }: InvarianceVariant): Words {
  const name = familyName(family);
  // `variant` is then the word of the original caption.
  if (natural === 'swapped') return say('invariance.variantSwapped', name, variant);
  if (axis === 'societal') return variant === '' ? name : say('base.labelledPart', name, variant);
  if (family === 'rotation') return say('invariance.variantDegrees', name, variant.replace('-', '−'));
  if (family === 'blur') return say('invariance.variantSigma', name, variant);
  return variant === '' ? name : say('base.joinedParts', name, entryOf(corners, variant) ?? variant);
}

/** One table line per change. Variants are not right or wrong, but change the score more or less. */
export const invarianceRows = rowView<InvarianceRow>({
  row: invarianceRowCheck,
  facets: [
    { id: 'axis', title: say('invariance.changedPart'), share: false },
    { id: 'family', title: say('invariance.family'), share: false },
    { id: 'objects', title: say('invariance.objects'), share: false },
  ],
  delta: { title: say('invariance.scoreChange'), head: 'Δ', wanted: say('invariance.changeWanted') },
  lineKey(row, sub) {
    const { axis, family, variant, text = '' } = row.variants[sub];
    return `${axis} ${family} ${variant} ${text}`;
  },

  facts: (row) =>
    row.variants.map((variant) => ({
      delta: variant.delta,
      harm: Math.abs(variant.delta),
      verdict: 'none',
      facets: [axes[variant.axis], familyName(variant.family), objects[row.objects]].map(english),
    })),

  words: (row) => [row.text, row.object?.label ?? '', row.image ?? ''].join('\n'),

  line(row, sub) {
    const variant = row.variants[sub];
    return {
      before: variant.againstText ?? row.text,
      after: variant.text ?? row.text,
      label: variantName(variant),
      score: variant.score,
    };
  },

  captions: captionsOf,

  detail: (row, sub) => ({
    change: changeOf(row, row.variants[sub]),
    notes: row.rejected.map(({ what, reason, detail }) =>
      say(
        'invariance.variantLeftOut',
        what,
        detail === undefined ? reason : say('probe.nameWithDetail', reason, detail),
      ),
    ),
  }),

  transforms: (row, sub) => transformsOf(row, row.variants[sub]),

  mark(row, spread) {
    const moved = [...row.variants].sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta)).at(0);
    return {
      texts: row.source === 'dataset' ? [row.text] : [],
      words:
        moved === undefined
          ? say('invariance.noChangePossible')
          : say('invariance.largestMoveChange', variantName(moved), signed(moved.delta)),
      ...(moved === undefined ? {} : { hint: hintOf(moved.delta, spread) }),
      ...(row.variants.some(
        (variant) => keepsContent(variant) && isLargeChange(variant.delta, variant.change, spread),
      )
        ? { unstable: true }
        : {}),
    };
  },
});

function changeOf({ object }: InvarianceRow, variant: InvarianceVariant): Change | undefined {
  const { transform } = variant;
  if (transform === undefined) return undefined;
  const mask = object?.mask;
  return {
    words: variantName(variant),
    outline: mask && {
      path: outlineOf(mask),
      width: mask.width,
      height: mask.height,
      moved: movedBy(transform),
    },
  };
}

/** How far the transform moves the object, in pixels. Zero for a blur; undefined for flips and rotations. */
function movedBy(transform: RowTransform): [number, number] | undefined {
  if (transform.op === 'move') return [transform.dx, transform.dy];
  return transform.op === 'blur' ? [0, 0] : undefined;
}

/** A change in spreads, so that evaluators can be compared, or in units of the score if the spread is not known. */
function hintOf(delta: number, spread: number | undefined): string {
  return spread === undefined ? signed(delta) : `${delta < 0 ? '−' : '+'}${inSpreads(delta, spread)}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

/**
 * The original caption, then the variants: the selected one first, and the others by the size of their change.
 * A caption that only serves for comparison comes before the variants that are compared with it. If there is one,
 * each variant says what its change is against.
 */
function captionsOf(row: InvarianceRow, sub: number | undefined): ShownCaption[] {
  const own: ShownCaption = { label: say('invariance.original'), text: row.text };
  if (row.score !== null) own.score = row.score;
  const shown = [own];
  const references = new Map<string, number>();
  const most = [...row.variants.keys()].sort(
    (a, b) => Math.abs(row.variants[b].delta) - Math.abs(row.variants[a].delta),
  );
  for (const i of sub === undefined ? most : [sub, ...most.filter((at) => at !== sub)]) {
    const variant = row.variants[i];
    const { against: score, againstText, transform } = variant;
    const isOwn = score === row.score && (transform !== undefined || (againstText ?? row.text) === row.text);
    let against = isOwn ? 0 : references.get(`${score} ${againstText}`);
    if (against === undefined) {
      against = shown.length;
      references.set(`${score} ${againstText}`, against);
      const label =
        againstText === undefined || transform !== undefined
          ? say('invariance.beforeChange')
          : say('invariance.neutralWording');
      shown.push({ label, text: againstText ?? row.text, score });
    }
    shown.push({
      label: variantName(variant),
      text: variant.text ?? row.text,
      score: variant.score,
      delta: variant.delta,
      against,
      chosen: i === sub,
      sub: i,
    });
  }
  if (references.size === 0) return shown;
  return shown.map(({ label, ...one }) => ({
    ...one,
    label:
      one.against === undefined ? label : say('invariance.changeAgainst', label, shown[one.against].label),
  }));
}

/** One card for each axis and each family: the median size of the shifts. */
function cardsOf(metrics: readonly Metric[]): Card[] {
  const wanted = Object.entries(cardGroups).flatMap(([axis, title]) => [
    { id: `invariance.${axis}.absDelta`, title: say('invariance.allChanges'), group: title },
    ...Object.entries(cardTitles).map(([family, name]) => ({
      id: `invariance.${axis}.${family}.absDelta`,
      title: name,
      group: title,
    })),
  ]);
  const found = wanted.flatMap(({ id, title, group }) => {
    const metric = wholeMetric(metrics, id);
    return metric === undefined ? [] : [{ title, group, metric }];
  });
  const most = Math.max(
    1e-9,
    largest(found.flatMap(({ metric: { value, ci } }) => [value ?? 0, ci?.[1] ?? 0])),
  );
  return found.map(({ title, group, metric: { id } }) =>
    numberCard(title, id, say('invariance.cardsMeaning'), [0, most], { group }),
  );
}

export const invarianceView = {
  id: 'invariance',
  title: 'Invariance audit',
  question:
    'Does the score stay the same when an image is flipped, rotated or rearranged, or when a caption gets a word for an invisible property?',
  mode: 'pairs',
  madeFor: [],
  rows: invarianceRows,
  columns: { before: say('dataset.caption'), after: say('invariance.changedItem') },
  cards: cardsOf,
  metricParts: invarianceParts,
  better: (metric) =>
    /\.(absMedian|absDelta|meanAbsDelta|gap|rrf@[\d.]+|keepFlips@\d+)$/.test(metric) ? 'lower' : undefined,
  ofRange: (metric) => /\.rrf@[\d.]+$/.test(metric) || metric === rangeGapId,
  percent: (metric) =>
    isPercent(metric)
      ? metric.replace(/\.absMedian$/, '.absDelta').replace(/\.median$/, '.delta')
      : undefined,
  unit: (metric) =>
    /\.(delta|absDelta|meanAbsDelta|beta1)$/.test(metric) || metric === rangeGapId
      ? 'difference'
      : /^invariance\.object\.((coverage|category)\..*\.median|mean|balanced)$/.test(metric)
        ? 'level'
        : undefined,
  sentence(metrics, evaluator) {
    const few = say('probe.tooLittleData');
    const parts = (['spatial', 'societal'] as const).flatMap((axis) => {
      const id = `invariance.${axis}.absDelta`;
      const { value, ci } = wholeMetric(metrics, id) ?? { value: null };
      if (value === null) return [];
      const interval = ci && intervalOf(metrics, id);
      const size = value.toFixed(3);
      const shown = interval ? `${size} [${interval.map((end) => end.toFixed(3)).join(', ')}]` : size;
      const words =
        axis === 'spatial' ? say('invariance.headlineImages', shown) : say('invariance.headlineWords', shown);
      return [interval ? words : say('probe.nameWithDetail', words, few)];
    });
    return parts.length === 0 ? undefined : say('invariance.headline', evaluator, inARow(parts, ', '));
  },
} satisfies ProbeView<InvarianceRow>;
