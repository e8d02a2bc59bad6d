import type { Bench } from '../bench/bench';
import type { Caption, Example } from '../dataset/example';
import type { Outcome } from '../base/outcome';
import type { Steps } from '../base/turns/steps';
import type { Words } from '../base/say';
import type { Evaluator, Scale } from '../evaluator/evaluator';
import type { Seams } from '../perturb/image/seams';
import type { ImageItem, Want, WantKind } from '../protocol/item';
import type { Chart } from '../chart/chart';
import type { Card } from '../protocol/panel';
import type { Charted } from './charted';
import type { Metric, Row, Claim } from './metric';
import type { Lost, LostPart, LostParts } from './refused/lost';
import type { ProbeView } from './view';

/** A kind of pair that an evaluator scores, embeddings of captions, or a ranking of images and captions. */
export type Ability = WantKind | 'texts' | 'ranking';

export type OptionValue = string | number | boolean;

export interface OptionSpec {
  key: string;
  /** The option's name in the editor, such as "Maximum flips per caption". */
  title: Words;
  describe: string;
  default: OptionValue;
  /** The allowed values of a text option; any text if absent. */
  choices?: readonly string[];
}

export interface PlanContext {
  /** The dataset file's name without folder and extension. */
  dataset: string;
  seed: number;
  options: Readonly<Record<string, OptionValue>>;
  /** The kinds of pairs that the evaluator can score. Plans may contain only these kinds. */
  scores: readonly WantKind[];
  /** The example's image at this index; undefined if missing or not needed. */
  image: (index: number) => ImageItem | undefined;
  /** The English name of the captions' language, such as "German". Absent if it could not be detected. */
  language?: string;
  /** The result of `prepare`; undefined if the probe does not have this method. */
  beside?: unknown;
  /** The kind of the evaluator's score, for metrics that need its range. */
  scale?: Scale;
  /** Whether the evaluator truncates a text of `textsToMeasure`, if it knows. Only `measure` has it. */
  truncates?: (text: string) => boolean | undefined;
  /** What the evaluator sends for a pair with an instruction. Only `measure` has it, if the evaluator sends requests. */
  request?: (want: Want) => string | undefined;
}

/** The input of `prepare`, which runs before the first example. */
export interface PrepareRequest {
  datasetPath: string;
  options: Readonly<Record<string, OptionValue>>;
  /** Reads the whole dataset, also in the run of a shard. Absent if a caller has only this file's path. */
  examples?: () => AsyncIterable<Example>;
}

/** The pairs of an example to score. Probes may add their own fields to the plan. */
export interface Plan {
  wants: Want[];
  /** Images in which the last transform moved an object. Captious measures how visible its seams are. */
  moved?: ImageItem[];
}

/** An evaluator's failure on an example. A larger size is worse; in a comparison, zero is a tie. */
export interface Fault {
  message: Words;
  size: number;
}

export interface Share {
  metric: string;
  /** Tells apart several shares of a metric in one row, each of which is compared with its own. */
  variant?: string;
  value: number;
  /** Undefined if it is not known. Then no verdict rests on it. */
  better: 'higher' | 'lower' | undefined;
  /** How often the value counts; 1 by default. */
  weight?: number;
  /** For a changed word: the caption without it (see `inference/units.ts`). */
  text?: string;
}

/** Compares two evaluators on the same items. `difference` is the second's metric minus the first's. */
export interface PairedTest {
  metric: string;
  better: 'higher' | 'lower';
  n: number;
  /** The number of images behind the rows. */
  images: number;
  difference: number;
  ci: [number, number];
  /** The two-sided p value of `difference`. */
  pValue: number;
  /** The p value of each test, by the name of the test. */
  tests: Record<string, number>;
  /** Why `tests` does not have a test that the metric usually has. */
  note?: Words;
}

/** An evaluator's name and the rows of its report, which can be read repeatedly. */
export interface RowsOf<R extends Row> {
  name: string;
  rows: () => AsyncIterable<R>;
}

/** Collects rows, keeping only what metrics need. */
export interface Summary<R extends Row> {
  add(row: R): void;
  /** The main metrics so far, without intervals. This call must be fast and change nothing. */
  soFar(): Metric[];
  /** In steps, because intervals of large datasets take long. */
  finish(): Steps<Findings>;
}

export interface Findings {
  metrics: Metric[];
  warnings: Words[];
  /** What could not be measured because the evaluator gave no score. Absent if everything was. */
  lost?: Lost;
  /** The number of examples behind the metrics, if a metric's n counts something else, such as changes. */
  measured?: number;
  /** Identifies the altered captions. Reports with other ones cannot be compared. */
  altered?: { sha256: string; voters: { id: string; sha256: string }[] };
}

export interface DemoLine {
  metric: string;
  words: string;
  style: Card['style'];
}

/** A probe: its view and its computation. */
export interface ProbeBase<R extends Row = Row> extends ProbeView<R> {
  readonly options: readonly OptionSpec[];
  /** The demo's metrics on a sample file, in simple words. */
  readonly demo?: { file: string; lines: readonly DemoLine[] };
  /** Reads other files, such as outlines or synonyms, or other examples. Contexts have it as `beside`. */
  prepare?(request: PrepareRequest): unknown;
  /** What an evaluator must be able to do: one of these. `refuse` may still leave out some examples. */
  needs(options: Readonly<Record<string, OptionValue>>): readonly Ability[];
  /** Why an example is left out, such as "its image was not found"; undefined for a usable example. */
  refuse(example: Example, context: PlanContext): Words | undefined;
  /** The verdicts that intervals support, most important first. */
  claims(metrics: readonly Metric[]): Claim[];
  /** A row's failures, worst first. */
  faults(row: R): Fault[];
  /** A row's contributions to metrics that are means over rows. Row-by-row comparisons of reports use them. */
  shares(row: R): Share[];
  /**
   * Compares two evaluators on the same rows, for metrics that are not means over rows. `first[i]` and
   * `second[i]` belong to the same item.
   */
  pairedTests?(first: readonly R[], second: readonly R[]): Steps<PairedTest[]>;
  /**
   * Metrics of the form 1 − (mean of the share `to` / mean of the share `from`), such as a drop rate. `from` is 0 or 1,
   * and `to` is 0 if `from` is.
   */
  readonly drops?: readonly { metric: string; from: string; to: string }[];
  /** Charts of one exported report. */
  charts?(report: Charted, rows: AsyncIterable<R>): Promise<Chart<Words>[]>;
  /** Charts of several reports side by side. */
  comparisonCharts?(reports: readonly Charted[]): Chart<Words>[];
  /** Charts with examples of several evaluators side by side. */
  sideBySide?(reports: readonly RowsOf<R>[]): Promise<Chart<Words>[]>;
  /** Whether the probe measures truncation itself. Then truncated texts do not withhold its verdicts. */
  readonly measuresTruncation?: true;
  /** Whether it scores many texts for each caption, so that the command line says how many before it starts. */
  isCostly?(options: Readonly<Record<string, OptionValue>>): boolean;
  /** Whether only the table shows sliced metrics, because they are too many for charts. */
  readonly slicesInTableOnly?: boolean;
  /** Converts rows to the entries of the probe's export format. */
  entries?(rows: AsyncIterable<R>): AsyncIterable<object>;
}

/** A probe that processes one example at a time, so that a run never holds the whole dataset in memory. */
export interface PairProbe<P extends Plan = Plan, R extends Row = Row> extends ProbeBase<R> {
  readonly mode: 'pairs';
  /**
   * Whether the seed decides which variants a caption has, so that rows of several seeds are several draws. Absent if it
   * decides no variants.
   */
  isDrawn?(caption: Caption, options: Readonly<Record<string, OptionValue>>): boolean;
  /** In steps if it takes long for an example with many captions. */
  plan(example: Example, context: PlanContext): P | Steps<P>;
  /**
   * Which of `plan.wants` need no score, because the seams show that their images are left out. `seams[i]` belongs to
   * `plan.moved[i]`.
   */
  unneeded?(plan: P, seams: readonly Outcome<Seams>[]): ReadonlySet<number>;
  /** Texts of which `measure` must know whether the evaluator truncates them. */
  textsToMeasure?(plan: P): readonly string[];
  /** What each of `plan.wants` scores, such as a kind of variant. If absent, all are captions. */
  kinds?(plan: P): readonly string[];
  /**
   * Asks for scores that depend on those of `plan.wants`, before `measure`, and keeps them in the plan. Examples do so side
   * by side, so that batches are full.
   */
  follow?(
    example: Example,
    plan: P,
    scores: Float64Array,
    context: PlanContext,
    ask: (wants: readonly Want[]) => Promise<Float64Array>,
  ): Promise<void>;
  /** The most scores for which `follow` asks. */
  mostFollowing?(plan: P): number;
  /**
   * `scores[i]` is the score of `plan.wants[i]`, and `seams[i]` belongs to `plan.moved[i]`. A score is NaN if the
   * evaluator gave none: rows then lack what depends on it, and `onLost` counts that. Without any row, the example is
   * left out.
   */
  measure(
    example: Example,
    plan: P,
    scores: Float64Array,
    context: PlanContext,
    seams?: readonly Outcome<Seams>[],
    onLost?: (lost: Partial<LostParts>) => void,
  ): R[];
  summary(context: Omit<PlanContext, 'image'>): Summary<R>;
}

/** A pair of an image and a text of a gallery. */
export interface AskedPair {
  image: ImageItem;
  text: string;
  /** What the text or the image is; a caption if absent. */
  kind?: 'altered' | 'paraphrase';
}

export interface GalleryContext extends Omit<PlanContext, 'scores' | 'image'> {
  evaluators: readonly Evaluator[];
  /** Opens the evaluators that choose the words to replace. They need not be among `evaluators`. */
  voters: () => Promise<readonly Evaluator[]>;
  bench: Bench;
  examples: () => AsyncIterable<Example>;
  image: (example: Example, index: number) => ImageItem | undefined;
  writeRow: (evaluator: Evaluator, row: Row) => Promise<void>;
  /** Counts the example as used. Probes call this or `leaveOut` once per example and evaluator. */
  markUsed: (evaluator: Evaluator, example: Example) => void;
  /** `unscored` is set if the evaluator gave no score or an image was not found. */
  leaveOut: (evaluator: Evaluator, reason: Words, example: Example, unscored?: true) => void;
  /** Hears what has no score of an example, as often as it is found. */
  lost?: (evaluator: Evaluator, example: Example, part: LostPart) => void;
  /** Hears the answer to each pair. `kind` says what the text is, such as a caption or a paraphrase. */
  answered?: (evaluator: Evaluator, pair: AskedPair, outcome: Outcome<number>) => void;
  signal: AbortSignal;
  watch?: GalleryWatch;
}

/** Receives the progress and partial metrics of a gallery probe, whose rows come too late to show progress. */
export interface GalleryWatch {
  /** Announces about how many captions, images and pairs the probe will request from the bench. */
  expect(items: number): void;
  /** Whether the probe should compute partial metrics now. */
  wantsMetrics(): boolean;
  /** Receives the metrics so far, over this number of examples or queries. */
  tell(evaluator: Evaluator, examples: number, metrics: readonly Metric[]): void;
}

/** A probe that needs all scores first, for example to rank every image against every caption. */
export interface GalleryProbe<R extends Row = Row> extends ProbeBase<R> {
  readonly mode: 'gallery';
  /** The pairs of an example, for other programs to score. Absent if the pairs depend on other examples. */
  plan?(example: Example, context: PlanContext): Plan | Steps<Plan>;
  run(context: GalleryContext): Promise<ReadonlyMap<Evaluator, Findings>>;
  /** Requests every embedding that `run` needs for the context's examples, one shard of the `whole`. */
  encode(context: GalleryContext, whole: () => AsyncIterable<Example>): Promise<void>;
}

export type Probe = PairProbe | GalleryProbe;
