import { Tally } from '../../base/text/tally';
import { say, type Words, together } from '../../base/say';
import type { Steps } from '../../base/turns/steps';
import { append } from '../../base/lists';
import { median, sum } from '../../stats/summary';
import { Clusters } from '../figure';
import { KeepFlips } from '../filter/keepFlips';
import type { Findings, PlanContext } from '../probe';
import { isPercent } from './view';
import { clusterOf, type Metric, type Slice } from '../metric';
import { Cell, type Shift } from './cell';
import { compositionMetrics, type Scored } from './object/composition';
import { type Places, placesOf, radiusMetrics } from './object/radius';
import { MeasuredExamples } from './display/measuredExamples';
import { rangeGapId } from './display/names';
import { byOrder } from './display/order';
import { BesideNeutral } from './compare/eachNeutral';
import { familyContrasts, type Keyed } from './compare/families';
import { ByFrequency } from './fairness';
import { NeutralSwaps } from './compare/neutralSwaps';
import { betweenGroups, type Group, groupMedians } from './compare/groups';
import { type InvarianceOptions, invarianceOptionsFrom } from './options';
import { type Beside, besideOf } from './plan/beside';
import { leastScore } from '../largeChange';
import { bins, categories, type InvarianceRow, type InvarianceVariant, isFilterChange } from './row';
import { anchorsOf, moveDistance, repositionMetrics, visibleIn } from './reposition';
import { ValenceRecord } from './valence';
import { rangeOf, verdictGap, warningsOf } from './warnings';

export class InvarianceSummary {
  private readonly options: InvarianceOptions;
  private readonly beside: Beside;
  private readonly images = new Clusters();
  private readonly keyed = new Map<string, Keyed>();
  private readonly axes = new Map<string, Cell>();
  /** The spatial axis without blur. Blur is a control, because it keeps the layout of the image. */
  private readonly layout = new Cell();
  private readonly scored: Scored[] = [];
  private readonly places: Places[] = [];
  private readonly contrast = new Cell();
  private readonly besideNeutral = new BesideNeutral();
  private readonly neutralSwaps = new NeutralSwaps();
  private readonly valence = new ValenceRecord();
  private readonly byFrequency = new ByFrequency();
  private readonly moved: { seam: number | null; background: number | null }[] = [];
  private readonly reasons = new Map<string, Tally>();
  private readonly tied = new Set<string>();
  private readonly keepFlips: KeepFlips;
  private readonly measured = new MeasuredExamples();
  private readonly slices = { single: 0, multi: 0, none: 0 };
  private lowest = Infinity;
  private highest = -Infinity;

  constructor(private readonly context: Omit<PlanContext, 'image'>) {
    this.options = invarianceOptionsFrom(context.options);
    this.beside = besideOf(context);
    this.keepFlips = new KeepFlips(this.options.keep);
  }

  /** Whether a row counts without a slice. Of generated captions, only those for one prominent object. */
  private isMain(row: InvarianceRow): boolean {
    return this.templated ? row.source === 'template' && row.objects === 'single' : row.source === 'dataset';
  }

  private get templated(): boolean {
    return this.options.captions !== 'dataset' && this.beside.instances !== undefined;
  }

  add(row: InvarianceRow): void {
    if (row.source === 'template') this.slices[row.objects]++;
    for (const { what, reason } of row.rejected) this.count(what, reason);
    this.measured.add(row, row.score !== null && row.object !== undefined && this.isMain(row));
    if (row.score === null) return;
    const image = this.images.of(clusterOf(row));
    this.see(row.score);
    if (row.object?.tied === true) this.tied.add(row.object.label);
    if (this.isMain(row)) {
      this.addObject(row, image);
      this.addDecisions(row, image);
      this.neutralSwaps.add(row, image);
    }
    for (const variant of row.variants) this.addVariant(row, variant, image);
    this.addContrast(row, image);
  }

  private addObject(row: InvarianceRow, image: number): void {
    if (row.object === undefined || row.source !== 'template') return;
    const { coverage, bin, category } = row.object;
    const places = placesOf(row, image);
    if (places !== undefined) this.places.push(places);
    this.scored.push({ score: row.score!, coverage, bin, category, image, text: row.text });
  }

  /** Adds what a filter decides before and after each change that keeps the content. */
  private addDecisions(row: InvarianceRow, image: number): void {
    const { score: original, text, variants } = row;
    this.keepFlips.addOriginal(original!);
    for (const { against, score, axis } of variants.filter(isFilterChange))
      this.keepFlips.addChange({
        ...{ before: against, after: score, cluster: image, part: axis },
        ...{ text, ofWords: axis === 'societal' },
      });
  }

  private addVariant(row: InvarianceRow, variant: InvarianceVariant, image: number): void {
    this.see(variant.score);
    const { axis, family, natural } = variant;
    const shift: Shift = {
      ...{ against: variant.against, score: variant.score, image },
      ...(axis === 'societal' ? { text: row.text } : {}),
      reference: referenceOf(row, variant),
      category: row.object?.category ?? 'not known',
    };
    if (natural !== undefined) {
      this.addSliced(variant, shift, { captions: 'natural', rewrite: natural });
      return;
    }
    if (!this.isMain(row)) {
      this.addSliced(
        variant,
        shift,
        row.source === 'dataset' ? { captions: 'dataset' } : { objects: row.objects },
      );
      return;
    }
    this.addSliced(variant, shift, undefined);
    if (family !== 'neutral') {
      const axisCell = this.axes.get(axis) ?? new Cell();
      axisCell.add(shift);
      this.axes.set(axis, axisCell);
      if (axis === 'spatial' && family !== 'blur') this.layout.add(shift);
    }
    if (variant.seams !== undefined) this.moved.push(variant.seams);
    const distance = moveDistance(row, variant);
    if (distance !== undefined) this.cell(axis, family, '', { distance }).add(shift);
    if (row.object === undefined) return;
    const object = row.object.category === 'person' ? 'person' : 'non-person';
    if (family === 'vflip' || family === 'hflip') this.addSliced(variant, shift, { object });
    if (axis !== 'societal') return;
    this.besideNeutral.add(row, variant, image);
    if (family === 'neutral') return;
    if (variant.valence !== undefined) this.valence.add(family, variant.variant, variant.valence);
    this.byFrequency.add(variant.variant, shift);
    this.addSliced(variant, shift, { object });
    this.addSliced(variant, { ...shift, against: row.score!, reference: row.text }, { against: 'no word' });
    this.cell(axis, family, '', { category: row.object.category }).add(shift);
  }

  private addSliced(
    { axis, family, variant }: InvarianceVariant,
    shift: Shift,
    slice: Slice | undefined,
  ): void {
    this.cell(axis, family, '', slice).add(shift);
    if (variant !== '') this.cell(axis, family, variant, slice).add(shift);
  }

  private cell(axis: string, family: string, variant: string, slice: Slice | undefined): Cell {
    const key = JSON.stringify([axis, family, variant, slice]);
    let keyed = this.keyed.get(key);
    if (keyed === undefined) {
      keyed = { axis, family, variant, cell: new Cell() };
      if (slice !== undefined) keyed.slice = slice;
      this.keyed.set(key, keyed);
    }
    return keyed.cell;
  }

  /** Adds the score difference between the moves to the bottom right and the top left. */
  private addContrast(row: InvarianceRow, image: number): void {
    const moves = this.isMain(row) ? anchorsOf(row) : undefined;
    if (moves === undefined) return;
    const [tl, br] = moves;
    this.contrast.add({
      against: tl.score,
      score: br.score,
      image,
      reference: `${referenceOf(row, tl)} tl`,
      category: row.object?.category ?? 'not known',
      ...visibleIn(moves),
    });
  }

  private see(score: number): void {
    this.lowest = Math.min(this.lowest, score);
    this.highest = Math.max(this.highest, score);
  }

  private count(tried: string, reason: Words): void {
    // Groups reasons by family, because a reason usually applies to most words or angles of a family.
    const what = /^(the|every) /.test(tried) ? tried : tried.split(' ')[0];
    this.reasons.set(what, (this.reasons.get(what) ?? new Tally()).add(reason));
  }

  soFar(): Metric[] {
    return [...this.axes].map(([axis, cell]) => cell.soFar(`invariance.${axis}`));
  }

  *finish(): Steps<Findings> {
    const { width } = rangeOf(this.context.scale);
    const sorted = [...this.keyed.values()].sort(byOrder);
    const metrics: Metric[] = [];
    for (const { axis, family, variant, slice, cell } of sorted) {
      const prefix = `invariance.${axis}.${family}${variant === '' ? '' : `.${variant}`}`;
      append(metrics, yield* slice === undefined ? cell.all(prefix, width) : cell.medians(prefix, slice));
    }
    append(metrics, yield* repositionMetrics(this.contrast, this.moved, width));
    append(metrics, yield* radiusMetrics(this.places));
    for (const [axis, cell] of this.axes) append(metrics, yield* cell.all(`invariance.${axis}`, width));
    if (this.layout.shifts.length > 0)
      append(metrics, yield* this.layout.all('invariance.spatial.withoutBlur', width));
    append(metrics, yield* this.neutralSwaps.metrics(width));
    const n = sum([...this.axes.values()].map(({ shifts }) => shifts.length));
    if (n > 0)
      metrics.push({ id: rangeGapId, value: verdictGap * width, n, note: say('invariance.rangeGapNote') });
    append(metrics, yield* this.byFrequency.metrics());
    append(metrics, [...(yield* familyContrasts(sorted)), ...(yield* this.besideNeutral.metrics())]);
    append(metrics, yield* this.object());
    append(
      metrics,
      this.valence.metrics((family, variant) => {
        const { changes } = this.cell('societal', family, variant, undefined);
        return changes.length === 0 ? null : median(changes);
      }),
    );
    append(metrics, yield* this.keepFlips.metrics('invariance', 'axis'));
    if (this.isOnBothSides) for (const metric of metrics) if (isPercent(metric.id)) markMoot(metric);
    const { options, context, beside, templated, slices, reasons, measured, tied, isOnBothSides } = this;
    const warnings = warningsOf({
      ...{ options, templated, slices, reasons, tied, isOnBothSides },
      ...{ scale: context.scale, instances: beside.instances, unmeasured: measured.reasons },
    });
    return { metrics, warnings, measured: measured.count };
  }

  private *object(): Steps<Metric[]> {
    if (!this.templated) return [];
    const groups = (names: readonly string[], groupOf: (one: Scored) => string) =>
      names.map((name): Group => {
        const own = this.scored.filter((one) => groupOf(one) === name);
        const images = own.map(({ image }) => image);
        return { name, values: own.map(({ score }) => score), images, texts: own.map(({ text }) => text!) };
      });
    const byBin = groups(bins, ({ bin }) => bin);
    const byCategory = groups(categories, ({ category }) => category);
    return [
      ...(yield* groupMedians('invariance.object.coverage', byBin)),
      ...(yield* betweenGroups('invariance.object.coverage.p', 'coverage', byBin)),
      ...(yield* groupMedians('invariance.object.category', byCategory)),
      ...(yield* betweenGroups('invariance.object.category.p', 'category', byCategory)),
      ...(yield* compositionMetrics(this.scored)),
    ];
  }

  private get isOnBothSides(): boolean {
    return this.lowest < -leastScore && this.highest > leastScore;
  }
}

function markMoot(metric: Metric): void {
  metric.moot = true;
  metric.note = together(metric.note, bothSigns);
}
const bothSigns = say('invariance.mixedSigns');

/** Identifies the score that a variant is compared with. It is one observation, even if variants share it. */
function referenceOf(row: InvarianceRow, { againstText }: InvarianceVariant): string {
  return JSON.stringify([clusterOf(row), againstText ?? row.text]);
}
