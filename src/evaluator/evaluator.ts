import type { Outcome } from '../base/outcome';
import type { ImageItem, Want, WantKind } from '../protocol/item';

export type EvaluatorKind = 'text-encoder' | 'dual-encoder' | 'pair-scorer' | 'judge' | 'scores';

/** How the cosine of an image and a text becomes the score. Two texts always get the plain cosine. */
export type Scale =
  | { name: 'cosine' }
  /** weight · max(cos, 0): CLIPScore (2.5), PAC-S (2). */
  | { name: 'clipped'; weight: number }
  /** σ(factor · cos + bias): SigLIP. */
  | { name: 'sigmoid'; factor: number; bias: number }
  /** Not based on a cosine: a pair scorer's or judge's own score, with bounds if it has any. */
  | { name: 'own'; low?: number; high?: number };

export interface EvaluatorInfo {
  /** What users type: the id of an installed evaluator, or the folder's name. */
  id: string;
  /** The name shown to users. */
  name: string;
  kind: EvaluatorKind;
  /** The folder or file it was loaded from, or the absolute reference of an evaluator in Python. */
  path?: string;
  /** Hash of every file that affects a score: weights, tokenizer, configs. */
  sha256: string;
  /** The kinds of pair it can score. */
  scores: readonly WantKind[];
  /** Length of an embedding, if the evaluator computes embeddings. */
  dimension?: number;
  /** Default float32. */
  precision: string;
  /** The execution provider in use. */
  provider: string;
  scale: Scale;
  /** Prefix of a text that is scored against an image ("A photo depicts "). */
  prefix: string;
  /** Defaults chosen for the model, in words, each with its source. */
  notes: readonly string[];
  /**
   * Store keys, which change with everything that affects an embedding (weights, tokenizer, pooling,
   * preprocessing, precision).
   */
  textKey?: string;
  imageKey?: string;
  /** Store key of pair scores, if they depend on more than hash, precision and provider. */
  pairKey?: string;
}

/** What is known about an evaluator without loading or contacting anything. */
export interface EvaluatorPreview
  extends
    Partial<Omit<EvaluatorInfo, 'kind' | 'id' | 'name' | 'scores'>>,
    Pick<EvaluatorInfo, 'id' | 'name' | 'scores'> {
  /** An `EvaluatorKind`, or the kind of evaluator file. */
  kind: string;
  /** Total size of its files in bytes; absent if it builds on another evaluator or its weights are remote. */
  size?: number;
  /** Embeds images and texts into one space. */
  sharedSpace: boolean;
  /** Scores come from an endpoint or a language model of the editor. */
  remote: boolean;
  /** It runs in the user's Python, or builds on an evaluator that does. */
  python?: boolean;
}

export interface TextSize {
  /** Token count; texts of equal size may share a batch. */
  tokens: number;
  /** The text exceeded the model's limit and was truncated. */
  cut: boolean;
}

/** Consent to use an endpoint, which may cost money and receives images. Stored once given. */
export interface Consent {
  endpoint: string;
  readonly given: boolean;
  /** The cost of scoring this many pairs, in words; without a number, for an unknown number of pairs. */
  terms(pairs?: number): string;
  /** Scoring runs the user's code on this computer and sends nothing. */
  readonly runs?: true;
  give(): Promise<void>;
}

/** Asks for consent and records it; nothing is sent earlier. */
export type Allow = (consent: Consent, scores: readonly WantKind[]) => Promise<void>;

/**
 * A scorer of texts and images. An item's result must not depend on the other items of its call. Native sessions
 * start with the first call that needs one.
 */
export interface Evaluator {
  readonly info: EvaluatorInfo;
  /** Concurrent calls; default 1. */
  readonly parallel?: number;
  /**
   * Set if the last bits of a row depend on its batch: batches have this size, are
   * formed within one request, sorted by length and key, and sent whole.
   */
  readonly fixedBatches?: { texts: number; images: number };
  /** False: the store keeps none of its results, because another evaluator may have the same keys. */
  readonly kept?: boolean;
  measureTexts?(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]>;
  /** All texts have the same size according to `measureTexts`. */
  embedTexts?(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  embedImages?(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  scorePairs?(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]>;
  /** A search orders this many first results of the towers by `scorePairs`. */
  readonly rerank?: number;
  /** Present if scoring requires consent. */
  readonly consent?: Consent;
  /** It compares a caption with reference captions: those of the pair, or else those it has of the image. */
  readonly comparesReferences?: true;
  /** Present for precomputed embeddings, which are found by image name and need no image files. */
  knowsImage?(name: string): boolean;
  /** Answers from a table, without queue, batches or store. */
  lookUp?(wants: readonly Want[]): Outcome<number>[];
  /** A score computed from another evaluator's scores, without encoders. */
  derived?: Derived;
  /** Maps another evaluator's embeddings; the store holds the unmapped ones. */
  mapped?: Mapped;
  close(): Promise<void>;
}

export interface Derived {
  inner: Evaluator;
  expand: (want: Want) => Want[];
  /** `scores[i]` belongs to the i-th pair of `expand`. */
  combine: (want: Want, scores: readonly number[]) => number;
}

/** `text` and `image` return a new row and do not modify their argument. */
export interface Mapped {
  inner: Evaluator;
  text: (row: Float32Array) => Float32Array;
  image: (row: Float32Array) => Float32Array;
}

/** Whether the evaluator knows an image by name, without its file. */
export function answersByName({ knowsImage, derived, mapped }: Evaluator, name: string): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? (knowsImage?.(name) ?? false) : answersByName(inner, name);
}
