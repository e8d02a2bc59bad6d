import type { Outcome } from '../base/outcome';
import type { ImageItem, Want, WantKind } from '../protocol/item';
import type { References } from './overlap/references';

export type EvaluatorKind = 'text-encoder' | 'dual-encoder' | 'pair-scorer' | 'judge' | 'scores';

/**
 * How a score follows from the cosine of an image and a text. The score of two texts is always their plain
 * cosine.
 */
export type Scale =
  | { name: 'cosine' }
  /** weight · max(cos, 0): the weight is 2.5 for CLIPScore and 2 for PAC-S. */
  | { name: 'clipped'; weight: number }
  /** σ(factor · cos + bias), for models such as SigLIP. */
  | { name: 'sigmoid'; factor: number; bias: number }
  /** A pair scorer's or judge's own score, which is not a cosine, with its bounds if it has any. */
  | { name: 'own'; low?: number; high?: number };

export interface EvaluatorInfo {
  /** What users type: the id of an installed evaluator, or its folder's name. */
  id: string;
  name: string;
  kind: EvaluatorKind;
  /** The folder or file of the evaluator, or the absolute reference of an evaluator in Python. */
  path?: string;
  /** One hash of all files that affect a score: weights, tokenizer, configuration. */
  sha256: string;
  /** The kinds of pairs that the evaluator can score. */
  scores: readonly WantKind[];
  /** The length of an embedding, if the evaluator computes embeddings. */
  dimension?: number;
  /** float32 by default. */
  precision: string;
  /** Where the model runs: an execution provider of ONNX Runtime, a device, or a server. */
  provider: string;
  scale: Scale;
  /** Precedes a text that is scored against an image ("A photo depicts "). */
  prefix: string;
  /** The defaults chosen for the model, in words, with their sources. */
  notes: readonly string[];
  /**
   * A store key that changes with everything that affects an embedding: weights, tokenizer, pooling,
   * preprocessing, precision.
   */
  textKey?: string;
  imageKey?: string;
  /** The store key of pair scores, if they depend on more than hash, precision and provider. */
  pairKey?: string;
}

/** What is known about an evaluator before it is loaded or contacted. */
export interface EvaluatorPreview
  extends
    Partial<Omit<EvaluatorInfo, 'kind' | 'id' | 'name' | 'scores'>>,
    Pick<EvaluatorInfo, 'id' | 'name' | 'scores'> {
  /** An `EvaluatorKind`, or the kind of evaluator file. */
  kind: string;
  /**
   * The total size of the evaluator's files in bytes; absent if it builds on another evaluator or its weights
   * are remote.
   */
  size?: number;
  /** Whether the evaluator embeds images and texts into one space. */
  sharedSpace: boolean;
  /** Whether scores come from an endpoint or a language model of the editor. */
  remote: boolean;
  /** Whether the evaluator runs in the user's Python, or builds on one that does. */
  python?: boolean;
}

export interface TextSize {
  /** Number of tokens. Texts with equal numbers may share a batch. */
  tokens: number;
  /** Whether the text exceeded the model's limit and was truncated. */
  cut: boolean;
}

/** The user's consent to an endpoint, which may cost money and receives images. Consent is stored. */
export interface Consent {
  endpoint: string;
  readonly given: boolean;
  /** The cost of scoring this many pairs, in words. Without `pairs`, their number is unknown. */
  terms(pairs?: number): string;
  /** Whether scoring runs the user's code on this computer instead of sending data. */
  readonly runs?: true;
  give(): Promise<void>;
}

/** Asks for consent and records it. Nothing is sent before that. */
export type Allow = (consent: Consent, scores: readonly WantKind[]) => Promise<void>;

/**
 * Scores texts and images. The result of an item must not depend on the other items of its call. Native
 * sessions start with the first call that needs them.
 */
export interface Evaluator {
  readonly info: EvaluatorInfo;
  /** How many calls may run at the same time; 1 by default. */
  readonly parallel?: number;
  /**
   * Set if the last bits of a row depend on its batch. Batches then have exactly these sizes, and their items
   * come from one request, sorted by length and key.
   */
  readonly fixedBatches?: { texts: number; images: number };
  /**
   * If false, the store keeps no results of this evaluator, because another evaluator may use the same keys.
   */
  readonly kept?: boolean;
  measureTexts?(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]>;
  /** Embeds texts that have the same size according to `measureTexts`. */
  embedTexts?(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  embedImages?(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  scorePairs?(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]>;
  /** `scorePairs` reranks this many of the first results of a search. */
  readonly rerank?: number;
  /** Present if scoring requires consent. */
  readonly consent?: Consent;
  /** Set if the evaluator compares captions with references: the default for pairs without their own. */
  readonly references?: References;
  /** Set for precomputed embeddings, which are found by image name without an image file. */
  knowsImage?(name: string): boolean;
  /** Looks up scores in a table, without queue, batches or store. */
  lookUp?(wants: readonly Want[]): Outcome<number>[];
  /** A score computed from another evaluator's scores, without encoders. */
  derived?: Derived;
  /** Maps another evaluator's embeddings. The store contains the embeddings before mapping. */
  mapped?: Mapped;
  close(): Promise<void>;
}

export interface Derived {
  inner: Evaluator;
  /** Returns why a pair has no score; undefined if it has one. */
  refuse?: (want: Want) => string | undefined;
  expand: (want: Want) => Want[];
  /** `scores[i]` is the score of the i-th pair of `expand`. */
  combine: (want: Want, scores: readonly number[]) => number;
  /** Computes metrics of a run from all the scores that `combine` received. */
  measure?: (scores: readonly (readonly number[])[]) => Measure[];
}

/** A metric of the evaluator itself, in the form of a report's metrics. */
export interface Measure {
  id: string;
  value: number;
  n: number;
  note: string;
  /** What each answered pair contributes to the value, from 0 to 1. If set, the report has an interval. */
  shares?: readonly number[];
}

/** `text` and `image` return a new row and leave their argument unchanged. */
export interface Mapped {
  inner: Evaluator;
  text: (row: Float32Array) => Float32Array;
  image: (row: Float32Array) => Float32Array;
}

/** Whether the evaluator knows an image by name, so that it needs no file. */
export function answersByName({ knowsImage, derived, mapped }: Evaluator, name: string): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? (knowsImage?.(name) ?? false) : answersByName(inner, name);
}
