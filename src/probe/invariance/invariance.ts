import { say, type Words } from '../../base/say';
import { missingImage } from '../missingImage';
import type { Fault, PairProbe } from '../probe';
import { invarianceCharts, invarianceComparison } from './charts';
import { invarianceClaims } from './claims';
import { invarianceOptions, invarianceOptionsFrom } from './options';
import { besideOf, prepareBeside } from './plan/beside';
import { type InvariancePlan, planExample, type PlannedRow } from './plan/plan';
import { changeOf, largeChange } from '../largeChange';
import { type InvarianceRow, type InvarianceVariant, keepsContent, type Rejection } from './row';
import { InvarianceSummary } from './summary';
import { invarianceShares } from './shares';
import { lineLength, projection } from './valence';
import type { Outcome } from '../../base/outcome';
import type { Seams } from '../../perturb/image/seams';
import { invarianceView, variantName } from './view';

export const invariance: PairProbe<InvariancePlan, InvarianceRow> = {
  ...invarianceView,
  options: invarianceOptions,
  prepare: prepareBeside,
  claims: invarianceClaims,
  faults: invarianceFaults,
  shares: invarianceShares,
  charts: invarianceCharts,
  comparisonCharts: invarianceComparison,
  // Hundreds of slices are too many for charts.
  slicesInTableOnly: true,

  needs: () => ['image-text'],

  refuse(example, context) {
    if (!context.scores.includes('image-text')) return say('invariance.evaluatorLacksJointScores');
    if (example.images.length === 0 || context.image(0) === undefined) return missingImage(example);
    const { captions } = invarianceOptionsFrom(context.options);
    const needsCaption = captions === 'dataset' || besideOf(context).instances === undefined;
    if (needsCaption && !example.captions.some(({ role, text }) => role === 'caption' && text.trim() !== ''))
      return say('invariance.noCaptionForImage');
    return undefined;
  },

  plan: planExample,

  unneeded(plan, seams) {
    const [needed, varied] = [new Set<number>(), new Set<number>()];
    for (const { scoreAt: at, variants } of plan.rows) {
      if (at !== undefined) needed.add(at);
      const kept = new Set(withoutVaried(variants, ({ movedAt }) => seamsAt(seams, movedAt)).kept);
      for (const variant of variants)
        for (const score of [variant.scoreAt, variant.againstAt])
          (kept.has(variant) ? needed : varied).add(score);
    }
    return new Set([...varied].filter((at) => !needed.has(at)));
  },

  kinds({ wants, rows }) {
    const kinds = wants.map(() => 'valence');
    for (const { variants } of rows)
      for (const { againstAt } of variants) kinds[againstAt] = 'caption without the word';
    for (const { variants } of rows) for (const { family, scoreAt } of variants) kinds[scoreAt] = family;
    for (const { scoreAt } of rows) if (scoreAt !== undefined) kinds[scoreAt] = 'caption';
    return kinds;
  },

  measure(_, plan, scores, __, seams = [], onLost) {
    const rows = plan.rows.flatMap((planned) => {
      if (planned.scoreAt !== undefined && Number.isNaN(scores[planned.scoreAt])) {
        onLost?.({ captions: 1 });
        return [];
      }
      const row = rowOf(plan, planned, scores, seams);
      onLost?.({ variants: row.lost ?? 0 });
      return [row];
    });
    return rows.some(({ score }) => score !== null) || rows.length === plan.rows.length ? rows : [];
  },

  summary: (context) => new InvarianceSummary(context),
};

function rowOf(
  { anchors, anchorsAt }: InvariancePlan,
  { row, scoreAt, variants }: PlannedRow,
  scores: Float64Array,
  seams: readonly Outcome<Seams>[],
): InvarianceRow {
  const line = anchorsAt === undefined ? 0 : lineLength(anchors, scores.subarray(anchorsAt));
  const width = anchors.positive.length + anchors.negative.length;
  const place = (at: number): number => {
    const cosines = [...scores.subarray(at, at + width)];
    return cosines.some(Number.isNaN) ? NaN : projection(anchors, cosines, line);
  };
  const { kept: shown, rejected } = withoutVaried(variants, ({ movedAt }) => seamsAt(seams, movedAt));
  const kept = shown.filter(
    ({ scoreAt: at, againstAt }) => !Number.isNaN(scores[at]) && !Number.isNaN(scores[againstAt]),
  );
  return {
    ...row,
    ...(kept.length < shown.length ? { lost: shown.length - kept.length } : {}),
    rejected: [...row.rejected, ...rejected],
    score: scoreAt === undefined ? null : scores[scoreAt],
    variants: kept.map(({ scoreAt: at, againstAt, movedAt, valenceAt, ...what }) => {
      const [score, against] = [scores[at], scores[againstAt]];
      const measured: InvarianceVariant = {
        ...what,
        against,
        score,
        delta: score - against,
        change: changeOf(score, against),
      };
      if (valenceAt !== undefined && line > 0) {
        const valence = { word: place(valenceAt.word), phrase: place(valenceAt.phrase) };
        if (!Number.isNaN(valence.word + valence.phrase)) measured.valence = valence;
      }
      const seam = seamsAt(seams, movedAt);
      if (seam !== undefined) measured.seams = seam;
      return measured;
    }),
  };
}

function seamsAt(seams: readonly Outcome<Seams>[], at: number | undefined): Seams | undefined {
  const seam = at === undefined ? undefined : seams.at(at);
  return seam?.ok === true ? seam.value : undefined;
}

/** Leaves out moves that would be visible: before surroundings that are not plain, and of objects with a shadow. */
function withoutVaried<V extends Pick<InvarianceVariant, 'transform' | 'family' | 'variant'>>(
  variants: readonly V[],
  seamsOf: (variant: V) => Seams | undefined,
): { kept: V[]; rejected: Rejection[] } {
  const rejected: Rejection[] = [];
  const kept = variants.filter((variant) => {
    const { transform, family, variant: name } = variant;
    const { surroundings, shade } = seamsOf(variant) ?? {};
    const [around, darker] = [surroundings ?? 0, shade ?? 0];
    const limit = (transform?.op === 'move' ? transform.plain : undefined) ?? 1;
    if (Math.max(around, darker) <= limit) return true;
    const what = `${family} ${name}`;
    if (around > limit)
      rejected.push({
        what,
        reason: say('invariance.surroundingsNotPlain'),
        detail: say('invariance.surroundingsSpread', around.toFixed(2)),
      });
    else
      rejected.push({
        what,
        reason: say('invariance.sideDarker'),
        detail: say('invariance.darkerBy', darker.toFixed(2)),
      });
    return false;
  });
  return { kept, rejected };
}

function changeWords(name: Words, natural: InvarianceVariant['natural']): Words {
  if (natural === undefined) return say('invariance.changeNamed', name);
  return natural === 'neutralised'
    ? say('invariance.replacingNeutralNamed', name)
    : say('invariance.replacingByCounterpart', name);
}

/** Large score changes by edits that should not affect the score. */
function invarianceFaults({ variants }: InvarianceRow): Fault[] {
  return variants
    .filter(
      (variant) =>
        variant.change !== null &&
        Math.abs(variant.change) >= largeChange &&
        variant.family !== 'neutral' &&
        keepsContent(variant),
    )
    .map((variant) => ({ ...variant, what: variantName(variant) }))
    .map(({ what, change, against, score, natural }) => ({
      message: say(
        'invariance.scoreChanges',
        changeWords(what, natural),
        against.toFixed(4),
        score.toFixed(4),
        change!.toFixed(1),
      ),
      size: Math.abs(change!) / 100,
    }))
    .sort((a, b) => b.size - a.size);
}
