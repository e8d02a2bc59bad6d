import { groupedBy, valueIn } from '../../base/lists';
import { allOf, eachOf, type Steps } from '../../base/turns/steps';
import { plainMean } from '../../stats/summary';
import { flipTypes } from '../../perturb/text/variant';
import type { WantKind } from '../../protocol/item';
import { Clusters, Figure, figuresOf } from '../figure';
import { KeepFlips } from '../filter/keepFlips';
import type { Findings, Summary } from '../probe';
import { clusterOf, FirstDraw, type Metric } from '../metric';
import { ByWord } from './rates/byWord';
import { directionOf, directions, directionSlice } from './rates/direction';
import { FlipRecord, Gaps } from './flipRecord';
import { lengthBand } from './names';
import type { LgipOptions } from './options';
import { advancedBy, Increase } from './increase';
import type { LgipRow, LgipVariant, Outcome } from './row';
import { changeOf, marginOf } from './shares';
import { manyWords, warningsOf } from './warnings';

export class LgipSummary implements Summary<LgipRow> {
  private readonly clusters = new Clusters();
  private readonly outcomes: Record<Outcome, number> = {
    perturbed: 0,
    given: 0,
    'no-variant': 0,
    'other-language': 0,
    'no-word': 0,
    'too-long': 0,
    blank: 0,
  };
  private readonly first = new FirstDraw();
  private captions = 0;
  private long = 0;
  private readonly coverage = figuresOf('paraphrase', 'advanced', 'flip', 'object', 'color', 'number');
  private readonly inv = figuresOf('all', 'simple', 'advanced', 'pooled');
  private readonly margin = new Figure();
  private readonly marginByType = figuresOf(...flipTypes);
  private readonly increase = new Increase();
  private readonly invByLength = new Groups(() => new Figure());
  private readonly invByRule = new Groups(() => new Figure());
  private readonly gaps = new Gaps();
  private readonly pooled = new Gaps();
  private readonly gapsByType = new Groups(() => new Gaps());
  private readonly gapsByDirection = { larger: new Gaps(), smaller: new Gaps() };
  private readonly byWord = new ByWord();
  private readonly gapsByLength = new Groups(() => new Gaps());
  private readonly combined = new Gaps();
  private readonly combinedVsParaphrase = new Gaps();
  private readonly combinedByType = new Groups(() => new Gaps());
  private readonly beyond = new Groups(() => new Gaps());
  private readonly flips = new FlipRecord();
  private readonly keepFlips: KeepFlips;
  private readonly isAdvanced: (paraphrase: LgipVariant) => boolean;

  constructor(
    private readonly options: LgipOptions,
    private readonly scores: readonly WantKind[],
    private readonly language?: string,
  ) {
    this.isAdvanced = advancedBy(options, language);
    this.keepFlips = new KeepFlips(options.keep);
  }

  private count({ outcome, words }: LgipRow): void {
    this.captions++;
    this.outcomes[outcome]++;
    if (words > manyWords) this.long++;
  }

  add(row: LgipRow): void {
    if (this.first.has(row)) this.count(row);
    if (row.score === null) return;
    const cluster = this.clusters.of(clusterOf(row));
    const ofFamily = (family: LgipVariant['family']) =>
      row.variants.filter((variant) => variant.family === family);
    const paraphrases = ofFamily('paraphrase');
    const flips = ofFamily('flip');
    this.keepFlips.addOriginal(row.score);
    for (const { score } of paraphrases)
      this.keepFlips.addChange({ before: row.score, after: score, cluster });
    this.addCoverage(paraphrases, flips, cluster);
    this.addParaphrases(row, paraphrases, cluster);
    this.addFlips(row, flips, cluster);
    const margin = marginOf(row.variants);
    if (margin !== undefined) this.margin.add(margin, cluster);
    for (const type of flipTypes) {
      const own = marginOf(row.variants, type);
      if (own !== undefined) this.marginByType[type].add(own, cluster);
    }
    this.addCombined(ofFamily('combined'), cluster);
    for (const [kind, variants] of groupedBy(ofFamily('beyond'), ({ kind }) => kind)) {
      this.beyond.of(kind).add(variants.map(gapOf), cluster);
    }
  }

  private addCoverage(
    paraphrases: readonly LgipVariant[],
    flips: readonly LgipVariant[],
    cluster: number,
  ): void {
    const { coverage } = this;
    const has = (figure: Figure, variants: readonly LgipVariant[]) =>
      figure.add(variants.length > 0 ? 1 : 0, cluster);
    has(coverage.paraphrase, paraphrases);
    has(coverage.advanced, paraphrases.filter(this.isAdvanced));
    has(coverage.flip, flips);
    for (const type of flipTypes)
      has(
        coverage[type],
        flips.filter(({ kind }) => kind === type),
      );
  }

  private addParaphrases(row: LgipRow, paraphrases: readonly LgipVariant[], cluster: number): void {
    const errors = (variants: readonly LgipVariant[]) => variants.map(({ delta }) => Math.abs(delta));
    const add = (figure: Figure, variants: readonly LgipVariant[]) => {
      if (variants.length > 0) figure.add(plainMean(errors(variants)), cluster);
    };
    const simple = paraphrases.filter((variant) => !this.isAdvanced(variant));
    const advanced = paraphrases.filter(this.isAdvanced);
    add(this.inv.all, paraphrases);
    add(this.inv.simple, simple);
    add(this.inv.advanced, advanced);
    if (simple.length > 0) this.increase.add('before', plainMean(errors(simple)), cluster);
    if (advanced.length > 0) this.increase.add('after', plainMean(errors(advanced)), cluster);
    add(this.invByLength.of(lengthBand(row.words)), paraphrases);
    for (const [rule, variants] of groupedBy(paraphrases, ({ rule }) => rule))
      add(this.invByRule.of(rule), variants);
    for (const error of errors(paraphrases)) this.inv.pooled.add(error, cluster);
  }

  private addFlips(row: LgipRow, flips: readonly LgipVariant[], cluster: number): void {
    const gaps = flips.map(gapOf);
    this.gaps.add(gaps, cluster);
    this.gapsByLength.of(lengthBand(row.words)).add(gaps, cluster);
    for (const gap of gaps) this.pooled.add([gap], cluster);
    for (const [type, variants] of groupedBy(flips, ({ kind }) => kind)) {
      this.gapsByType.of(type).add(variants.map(gapOf), cluster);
    }
    const change = changeOf(row.variants);
    for (const flip of flips) this.byWord.add(row.text, { ...flip, gap: gapOf(flip) }, cluster, change);
    const numbers = flips.filter(({ kind }) => kind === 'number');
    for (const direction of directions) {
      const own = numbers.filter((flip) => directionOf(row.text, flip) === direction);
      this.gapsByDirection[direction].add(own.map(gapOf), cluster);
    }
    this.flips.add(flips, cluster);
  }

  private addCombined(variants: readonly LgipVariant[], cluster: number): void {
    this.combined.add(variants.map(gapOf), cluster);
    this.combinedVsParaphrase.add(
      variants.flatMap(({ gapToParaphrase }) => gapToParaphrase ?? []),
      cluster,
    );
    for (const [type, group] of groupedBy(variants, ({ kind }) => kind)) {
      this.combinedByType.of(type).add(group.map(gapOf), cluster);
    }
  }

  soFar(): Metric[] {
    return [
      this.inv.all.soFar('lgip.inv'),
      ...this.gaps.soFar((figure) => `lgip.${figure}`),
      ...this.gapsByType.each((type, gaps) => gaps.soFar((figure) => `lgip.${figure}.${type}`)),
    ];
  }

  *finish(): Steps<Findings> {
    const { inv } = this;
    const textSpace = this.scores.includes('text-text');
    const simple = yield* inv.simple.metric('lgip.inv.simple');
    const advanced = yield* inv.advanced.metric('lgip.inv.advanced');
    // Slices are computed first, because the metrics by type add missing types to `gapsByType`.
    const slices = yield* this.slices();
    const metrics: Metric[] = [
      yield* inv.all.metric('lgip.inv'),
      simple,
      advanced,
      yield* this.increase.metric('lgip.inv.advancedIncrease', simple, advanced),
      yield* inv.pooled.metric('lgip.inv.pooled'),
      ...(yield* this.gaps.metrics((figure) => `lgip.${figure}`)),
      yield* this.margin.metric('lgip.margin', { interval: 'test' }),
      // Types have few images, where a bootstrap rejects too often.
      ...(yield* eachOf(flipTypes, (type) =>
        this.marginByType[type].metric(`lgip.margin.${type}`, { interval: 'test' }),
      )),
      ...(yield* this.pooled.metrics((figure) => `lgip.${figure}.pooled`)),
      ...(yield* allOf(flipTypes, (type) =>
        this.gapsByType.of(type).metrics((figure) => `lgip.${figure}.${type}`),
      )),
      ...(yield* this.combinedMetrics()),
      ...(yield* this.flips.metrics(this.options.alpha, textSpace)),
      ...(yield* eachOf(Object.entries(this.coverage), ([what, figure]) =>
        figure.metric(`lgip.coverage.${what}`, { share: true }),
      )),
      ...(yield* this.keepFlips.metrics('lgip')),
      ...slices,
      ...(yield* this.beyond.eachInSteps((kind, gaps) =>
        gaps.metrics((figure) => `lgip.beyond.${figure}.${kind}`),
      )),
    ];
    return {
      metrics,
      warnings: warningsOf(this.captions, this.outcomes, this.long, this.options, this.language),
    };
  }

  private *combinedMetrics(): Steps<Metric[]> {
    if (this.options.mostCombined === 0) return [];
    return [
      ...(yield* this.combined.metrics((figure) => `lgip.${figure}.combined`)),
      ...(yield* this.combinedVsParaphrase.metrics((figure) => `lgip.${figure}.combined.vsParaphrase`)),
      ...(yield* this.combinedByType.eachInSteps((type, gaps) =>
        gaps.metrics((figure) => `lgip.${figure}.combined`, { flip: type }),
      )),
    ];
  }

  private *slices(): Steps<Metric[]> {
    return [
      ...(yield* this.invByLength.eachInSteps((words, figure) =>
        listed(figure.metric('lgip.inv', { slice: { 'caption length': words } })),
      )),
      ...(yield* this.gapsByLength.eachInSteps((words, gaps) =>
        gaps.metrics((figure) => `lgip.${figure}`, { 'caption length': words }),
      )),
      ...(yield* this.invByRule.eachInSteps((rule, figure) =>
        listed(figure.metric('lgip.inv', { slice: { rule } })),
      )),
      ...(yield* this.gapsByType.eachInSteps((flip, gaps) =>
        gaps.metrics((figure) => `lgip.${figure}`, { flip }),
      )),
      ...(yield* this.byWord.metrics()),
      ...(yield* allOf(
        directions.filter((direction) => this.gapsByDirection[direction].pr.n > 0),
        (direction) =>
          this.gapsByDirection[direction].metrics((figure) => `lgip.${figure}`, directionSlice(direction)),
      )),
    ];
  }
}

/** Groups sorted by name, because a report must not depend on the order of rows. */
class Groups<T> {
  private readonly groups = new Map<string, T>();

  constructor(private readonly create: () => T) {}

  of(name: string): T {
    return valueIn(this.groups, name, () => this.create());
  }

  each(metrics: (name: string, group: T) => Metric[]): Metric[] {
    return this.sorted().flatMap(([name, group]) => metrics(name, group));
  }

  eachInSteps(metrics: (name: string, group: T) => Steps<Metric[]>): Steps<Metric[]> {
    return allOf(this.sorted(), ([name, group]) => metrics(name, group));
  }

  private sorted(): [string, T][] {
    return [...this.groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  }
}

function* listed(metric: Steps<Metric>): Steps<Metric[]> {
  return [yield* metric];
}

function gapOf({ gap }: LgipVariant): number {
  if (gap === undefined) throw new Error('A flip has no gap.');
  return gap;
}
