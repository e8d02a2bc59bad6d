import type { Bench } from '../bench/bench';
import type { Example } from '../dataset/example';
import type { Outcome } from '../base/outcome';
import type { Evaluator, Scale } from '../evaluator/evaluator';
import type { Seams } from '../perturb/picture/seams';
import type { ImageItem, Want, WantKind } from '../protocol/item';
import type { Chart, Charted } from './chart';
import type { Metric, Row } from './metric';
import type { ProbeView } from './view';

export type OptionValue = string | number | boolean;

export interface OptionSpec {
  key: string;
  describe: string;
  default: OptionValue;
  /** The values a text option may take; absent: any. */
  choices?: readonly string[];
}

/** A sentence about a report, and the rule by which an interval earned it. */
export interface Claim {
  text: string;
  rule: string;
}

export interface PlanContext {
  /** Name of the dataset file, without folder and extension. */
  dataset: string;
  seed: number;
  options: Readonly<Record<string, OptionValue>>;
  /** What the evaluator can score; a plan holds no want of another kind. */
  scores: readonly WantKind[];
  /** The picture of an example, found and ready to be scored; absent where it is missing or not asked for. */
  image: (index: number) => ImageItem | undefined;
  /** What `prepare` found, for a probe that has it. */
  beside?: unknown;
  /** How a picture and a text become a score, for what must know the range; absent: a cosine. */
  scale?: Scale;
}

/** What a probe is told before the first example. */
export interface PrepareRequest {
  datasetPath: string;
  options: Readonly<Record<string, OptionValue>>;
}

/** What a probe wants of one example. Extended by each probe with what it needs to measure. */
export interface Plan {
  wants: Want[];
  /** Pictures with an object moved, last of their transforms, whose seams are to be measured. */
  moved?: ImageItem[];
}

/** Where the evaluator failed on an example, in words. The larger, the worse; zero is an exact tie. */
export interface Fault {
  message: string;
  size: number;
}

export interface Share {
  metric: string;
  value: number;
  better: 'higher' | 'lower';
}

/** Takes rows one by one, keeps only what its metrics need. */
export interface Summary<R extends Row> {
  add(row: R): void;
  /** What the main figures stand at: no intervals, so that it costs next to nothing, and it changes nothing. */
  soFar(): Metric[];
  finish(): Findings;
}

export interface Findings {
  metrics: Metric[];
  warnings: string[];
}

/** A view, and what computes what it shows. */
export interface ProbeBase<R extends Row = Row> extends ProbeView<R> {
  readonly options: readonly OptionSpec[];
  /** Reads what lies beside the dataset (outlines of objects, word lists); it comes back as `beside` in every context. */
  prepare?(request: PrepareRequest): unknown;
  /** Why an example cannot take part, in words that follow "left out: "; undefined where it can. */
  refuse(example: Example, context: PlanContext): string | undefined;
  /** What the metrics say in words, most important first; nothing that an interval has not earned. */
  claims(metrics: readonly Metric[]): Claim[];
  /** What went wrong in one of its rows, worst first; of a row that went well, nothing. */
  faults(row: R): Fault[];
  /** What one row gives to the metrics that are means over rows, so that two reports can be compared row by row. */
  shares(row: R): Share[];
  /** What tells the rows of one example apart, besides their order. */
  rowKey?(row: R): string;
  /** Charts of one report for its export. */
  charts?(report: Charted, rows: AsyncIterable<R>): Promise<Chart[]>;
  /** Charts of several reports side by side. */
  comparisonCharts?(reports: readonly Charted[]): Chart[];
  /** Sliced metrics are too many for charts: only the table has them. */
  readonly slicesInTableOnly?: boolean;
  /** An export of its own, named like the probe: an entry for each line. */
  entries?(rows: AsyncIterable<R>): AsyncIterable<object>;
}

/** Scores pairs, example by example: the whole run streams. */
export interface PairProbe<P extends Plan = Plan, R extends Row = Row> extends ProbeBase<R> {
  readonly mode: 'pairs';
  plan(example: Example, context: PlanContext): P;
  /** `scores[i]` answers `plan.wants[i]`, `seams[i]` answers `plan.moved[i]`. */
  measure(
    example: Example,
    plan: P,
    scores: Float64Array,
    context: PlanContext,
    seams?: readonly Outcome<Seams>[],
  ): R[];
  summary(context: Omit<PlanContext, 'image'>): Summary<R>;
}

export interface GalleryContext extends Omit<PlanContext, 'scores' | 'image'> {
  evaluators: readonly Evaluator[];
  bench: Bench;
  examples: () => AsyncIterable<Example>;
  image: (example: Example, index: number) => ImageItem | undefined;
  writeRow: (evaluator: Evaluator, row: Row) => Promise<void>;
  /** Every example is counted once for each evaluator: as one that took part, or as left out for a reason. */
  tookPart: (evaluator: Evaluator, example: Example) => void;
  leaveOut: (evaluator: Evaluator, reason: string, example: Example) => void;
  signal: AbortSignal;
}

/** Ranks every picture against every caption: needs them all before it can measure. */
export interface GalleryProbe<R extends Row = Row> extends ProbeBase<R> {
  readonly mode: 'gallery';
  run(context: GalleryContext): Promise<ReadonlyMap<Evaluator, Findings>>;
}

export type Probe = PairProbe | GalleryProbe;
