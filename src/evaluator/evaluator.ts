import type { Words } from '../base/say';
import type { Outcome } from '../base/outcome';
import type { ImageItem, Want, WantKind } from '../protocol/item';
import { joinPartly, type PartlyFound } from '../dataset/images/partlyFound';
import type { References } from './overlap/references';

export type EvaluatorKind = 'text-encoder' | 'dual-encoder' | 'pair-scorer' | 'judge' | 'scores';

/** How the cosine of an image and a text becomes a score. Cosines of two texts or two images are not changed. */
export type Scale =
  | { name: 'cosine' }
  /** weight · max(cos, 0). By default, the weight is 2.5 for CLIPScore and 2 for PAC-S. */
  | { name: 'clipped'; weight: number }
  /** σ(factor · cos + bias), for models such as SigLIP. */
  | { name: 'sigmoid'; factor: number; bias: number }
  /** Any other score, for example a judge's. `low` and `high` are its bounds, if known. */
  | { name: 'own'; low?: number; high?: number };

export interface EvaluatorInfo {
  /** The evaluator's short id, such as `starter`, `clipscore:starter`, or the name of its folder or file. */
  id: string;
  name: string;
  kind: EvaluatorKind;
  /** The folder or file of the evaluator, or the absolute reference of an evaluator in Python. */
  path?: string;
  /** One hash of everything known to affect scores, such as weights, tokenizer, configuration and prompts. */
  sha256: string;
  /** The kinds of pairs that the evaluator can score. */
  scores: readonly WantKind[];
  /** The length of each embedding. Absent if it is unknown or the evaluator has no embeddings. */
  dimension?: number;
  /** The number type of the model, such as float32, or a phrase such as "as served". */
  precision: string;
  /** Whether the folder also has the graphs in float32, so that metrics in lower precision are a draft. */
  draft?: boolean;
  /** Where the model runs, such as a device or a server, or "made elsewhere" for precomputed results. */
  provider: string;
  scale: Scale;
  /** The prefix of captions that are scored against an image. For example, "A photo depicts " for CLIPScore. */
  prefix: string;
  /** Sentences for reports, for example about default settings of the model and where they come from. */
  notes: readonly Words[];
  /** Identifies text embeddings in the store. Covers what affects one: weights, tokenizer, pooling, …. */
  textKey?: string;
  imageKey?: string;
  /** Identifies pair scores in the store. Absent if `sha256`, `precision` and `provider` identify them. */
  pairKey?: string;
}

/** What is known about an evaluator before its model is loaded or its server is contacted. */
export interface EvaluatorPreview
  extends
    Partial<Omit<EvaluatorInfo, 'kind' | 'id' | 'name' | 'scores'>>,
    Pick<EvaluatorInfo, 'id' | 'name' | 'scores'> {
  /** An `EvaluatorKind`, a kind of evaluator file, `references`, `refclipscore` or `refpac-s`. */
  kind: string;
  /** The size of the model's files in bytes. Absent for evaluators without a model folder. */
  size?: number;
  /** Whether the evaluator embeds images and texts into one space. */
  sharedSpace: boolean;
  /** Whether scores come from a server or from an editor's language model. */
  remote: boolean;
  /** Whether the evaluator, or its inner evaluator, runs in the user's Python. */
  python?: boolean;
}

export interface TextSize {
  /** The length of the text, usually in tokens. Texts of equal length may be embedded in one batch. */
  tokens: number;
  /** Whether the text exceeds the model's limit and is truncated. */
  cut: boolean;
}

/** Whether the user agreed to send data to an endpoint or to run Python code. Endpoints may cost money. */
export interface Consent {
  endpoint: string;
  readonly given: boolean;
  /** Says what will be sent or run, and what it may cost. Without `pairs`, their number is unknown. */
  terms(pairs?: number): Words;
  /** Whether scoring runs the user's code on this computer and sends no data. */
  readonly runs?: true;
  give(): Promise<void>;
}

/** Asks the user for consent and records it. If the user refuses, it throws or leaves `given` false. */
export type Allow = (consent: Consent, scores: readonly WantKind[]) => Promise<void>;

/** `references` is present if and only if the evaluator has `references`. */
export interface ScoredPair {
  image: ImageItem;
  text: string;
  references?: readonly string[];
}

/**
 * Scores texts and images. The result for an item must not depend on the other items of a call, except for
 * the last bits (see `fixedBatches`).
 */
export interface Evaluator {
  readonly info: EvaluatorInfo;
  /** How many calls the evaluator can work on at the same time; 1 by default. Further calls may wait. */
  readonly parallel?: number;
  /** How many batches wait for each parallel call, so that the evaluator can prepare them; 1 by default. */
  readonly ahead?: number;
  /**
   * Set if the last bits of an embedding depend on its batch. Each request is then split into batches of at
   * most these sizes, and other requests are never added to a batch.
   */
  readonly fixedBatches?: { texts: number; images: number };
  /** The largest batch that its file asks for. A batch size of the run overrides it. */
  readonly batchSize?: number;
  /** Whether the store keeps results (default). False if they are quick, or may no longer apply later. */
  readonly kept?: boolean;
  /** Starts to load the text model, because about this many texts will be embedded soon. */
  expectTexts?(count: number): void;
  measureTexts?(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]>;
  /** Embeds texts. If `measureTexts` exists and batches are not fixed, all texts of a call have equal `tokens`. */
  embedTexts?(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  embedImages?(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  scorePairs?(pairs: readonly ScoredPair[], signal?: AbortSignal): Promise<Outcome<number>[]>;
  /** What the evaluator sends for a text and an image, as text, with a mark in place of the image. */
  requestFor?(text: string): Promise<string>;
  /** How many of a search's first results are reranked with `scorePairs`. Absent if no results are reranked. */
  readonly rerank?: number;
  /** Present if scoring requires consent. */
  readonly consent?: Consent;
  /** Provides references for pairs without their own. Absent if the evaluator needs none. */
  readonly references?: References;
  /**
   * Whether the evaluator can score the image of this name without its file, for example from precomputed
   * embeddings. The function is absent if the evaluator always needs the file.
   */
  knowsImage?(name: string): boolean;
  /** Which results depend on the image's name, not its bytes: by default, all if `knowsImage` is present. */
  readonly byName?: Readonly<Record<'image' | 'pair', boolean>>;
  /** Set if images are known by name: the names so far of which less than the whole path matched. */
  readonly partlyKnown?: PartlyFound;
  /**
   * What results depend on although `info` does not cover it, such as a file that was imported late, each with its hash
   * or an empty text. Absent if `info` covers everything.
   */
  uncovered?(): Readonly<Record<string, string>>;
  /** Returns scores directly, for example from a table. The queue, batches and the store are not used. */
  lookUp?(wants: readonly Want[]): Outcome<number>[];
  /** Set if the scores are computed from the scores of another evaluator. */
  derived?: Derived;
  /** Set if this evaluator maps the embeddings of another evaluator. The store keeps the unmapped embeddings. */
  mapped?: Mapped;
  close(): Promise<void>;
}

export interface Derived {
  inner: Evaluator;
  /** Returns why a pair cannot be scored, or undefined if it can be scored. */
  refuse?: (want: Want) => Words | undefined;
  expand: (want: Want) => Want[];
  /** `scores[i]` is the score of the i-th pair that `expand` returned for `want`. */
  combine: (want: Want, scores: readonly number[]) => number;
  /** Metrics of a run, from what `combine` received for each pair. Pairs that expand alike count once. */
  measure?: (scores: readonly (readonly number[])[]) => Measure[];
}

/** A metric that the evaluator adds to a report. */
export interface Measure {
  id: string;
  value: number;
  n: number;
  note: Words;
  /** A number from 0 to 1 for each of the lists. `value` is their mean; the report adds its interval. */
  shares?: readonly number[];
}

/** Maps the embeddings of `inner`. `text` and `image` return a new row and do not change their argument. */
export interface Mapped {
  inner: Evaluator;
  text: (row: Float32Array) => Float32Array;
  image: (row: Float32Array) => Float32Array;
}

/** Whether the evaluator can score the image of this name without its file. */
export function answersByName({ knowsImage, derived, mapped }: Evaluator, name: string): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? (knowsImage?.(name) ?? false) : answersByName(inner, name);
}

/** The first request that is sent for a pair. Undefined if its score needs none. */
export async function requestOf(evaluator: Evaluator, want: Want): Promise<string | undefined> {
  const { derived } = evaluator;
  if (derived === undefined)
    return want.right.kind === 'text' ? evaluator.requestFor?.(want.right.text) : undefined;
  const first = derived.expand(want).at(0);
  return first && requestOf(derived.inner, first);
}

/** Whether the embedding of an image, or the score of a pair, depends on the image's name instead of its bytes. */
export function isByName(
  { info, knowsImage, byName }: Pick<Evaluator, 'info' | 'knowsImage' | 'byName'>,
  what: 'image' | 'pair',
): boolean {
  return byName?.[what] ?? (info.kind === 'scores' || knowsImage !== undefined);
}

/**
 * The names of which less than the whole path matched, among those that the evaluator knows and, if it reads image files,
 * those that were found as files (`files`).
 */
export function partlyFoundBy(
  { partlyKnown: own, knowsImage, derived, mapped }: Evaluator,
  files: PartlyFound,
): PartlyFound {
  const inner = derived?.inner ?? mapped?.inner;
  if (inner !== undefined) return partlyFoundBy(inner, files);
  if (own === undefined) return files;
  return knowsImage === undefined ? joinPartly([own, files]) : own;
}

/** What results depend on although `info` does not cover it. Results of another run may then differ. */
export function uncoveredBy({ uncovered, derived, mapped }: Evaluator): Readonly<Record<string, string>> {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? (uncovered?.() ?? {}) : uncoveredBy(inner);
}
