import type { Outcome } from '../base/outcome';
import type { ImageItem, Want, WantKind } from '../protocol/item';
import type { References } from './overlap/references';

export type EvaluatorKind = 'text-encoder' | 'dual-encoder' | 'pair-scorer' | 'judge' | 'scores';

/** How the cosine of an image and a text becomes a score. The score of two texts is always the plain cosine. */
export type Scale =
  | { name: 'cosine' }
  /** weight · max(cos, 0), with the weight 2.5 for CLIPScore and 2 for PAC-S. */
  | { name: 'clipped'; weight: number }
  /** σ(factor · cos + bias), for models such as SigLIP. */
  | { name: 'sigmoid'; factor: number; bias: number }
  /** The score of a pair scorer or a judge, which is no cosine, with its bounds if any. */
  | { name: 'own'; low?: number; high?: number };

export interface EvaluatorInfo {
  /** The text that users type: an installed evaluator's id, or its folder's name. */
  id: string;
  name: string;
  kind: EvaluatorKind;
  /** The folder or file of the evaluator, or the absolute reference of an evaluator in Python. */
  path?: string;
  /** One hash of all files that affect scores: weights, tokenizer, configuration. */
  sha256: string;
  /** The kinds of pairs that the evaluator scores. */
  scores: readonly WantKind[];
  /** The length of an embedding; absent without embeddings. */
  dimension?: number;
  /** float32 by default. */
  precision: string;
  /** Where the model runs: an execution provider of ONNX Runtime, a device, or a server. */
  provider: string;
  scale: Scale;
  /** The text in front of captions scored against an image ("A photo depicts "). */
  prefix: string;
  /** The defaults chosen for the model and their sources, in words. */
  notes: readonly string[];
  /**
   * A store key that depends on everything that affects an embedding: weights, tokenizer, pooling,
   * preprocessing, precision.
   */
  textKey?: string;
  imageKey?: string;
  /** The store key of pair scores that depend on more than hash, precision and provider. */
  pairKey?: string;
}

/** The facts about an evaluator before it is loaded or contacted. */
export interface EvaluatorPreview
  extends
    Partial<Omit<EvaluatorInfo, 'kind' | 'id' | 'name' | 'scores'>>,
    Pick<EvaluatorInfo, 'id' | 'name' | 'scores'> {
  /** An `EvaluatorKind` or a kind of evaluator file. */
  kind: string;
  /** The bytes of the evaluator's files; absent for remote weights and evaluators that use another evaluator. */
  size?: number;
  /** Whether the evaluator embeds images and texts into one space. */
  sharedSpace: boolean;
  /** Whether scores come from an endpoint or an editor's language model. */
  remote: boolean;
  /** Whether the evaluator, or its inner evaluator, runs in the user's Python. */
  python?: boolean;
}

export interface TextSize {
  /** The number of tokens. Texts with equal numbers may share a batch. */
  tokens: number;
  /** Whether the model's limit truncates the text. */
  cut: boolean;
}

/** The user's stored consent to an endpoint, which may cost money and receives images. */
export interface Consent {
  endpoint: string;
  readonly given: boolean;
  /** The cost of this many pairs in words. The number is unknown without `pairs`. */
  terms(pairs?: number): string;
  /** Whether scoring runs the user's code on this computer and sends no data. */
  readonly runs?: true;
  give(): Promise<void>;
}

/** Asks for consent and records it, before anything is sent. */
export type Allow = (consent: Consent, scores: readonly WantKind[]) => Promise<void>;

/**
 * Scores texts and images. An item's result must not depend on the other items of a call, and native sessions
 * start on first use.
 */
export interface Evaluator {
  readonly info: EvaluatorInfo;
  /** The number of concurrent calls; 1 by default. */
  readonly parallel?: number;
  /**
   * Set if the last bits of a row depend on its batch. Batches then have exactly these sizes, and one request
   * provides all their items, sorted by length and key.
   */
  readonly fixedBatches?: { texts: number; images: number };
  /** If false, the store keeps no results, because another evaluator may use the same keys. */
  readonly kept?: boolean;
  /** Starts to load the text model, because about this many texts will be embedded soon. */
  expectTexts?(count: number): void;
  measureTexts?(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]>;
  /** Embeds texts of one size, as measured by `measureTexts`. */
  embedTexts?(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  embedImages?(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  scorePairs?(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]>;
  /** `scorePairs` reranks this many first results of a search. */
  readonly rerank?: number;
  /** Present if scoring requires consent. */
  readonly consent?: Consent;
  /** Set if the evaluator compares captions with references. Pairs without references use these. */
  readonly references?: References;
  /**
   * Whether the precomputed embeddings include the image of this name, which needs no file. Absent without
   * such embeddings.
   */
  knowsImage?(name: string): boolean;
  /** Looks up scores in a table, without queue, batches and store. */
  lookUp?(wants: readonly Want[]): Outcome<number>[];
  /** A score that is computed from another evaluator's scores. */
  derived?: Derived;
  /** A map of another evaluator's embeddings. The store keeps the embeddings before mapping. */
  mapped?: Mapped;
  close(): Promise<void>;
}

export interface Derived {
  inner: Evaluator;
  /** Why a pair has no score; undefined if it has one. */
  refuse?: (want: Want) => string | undefined;
  expand: (want: Want) => Want[];
  /** `scores[i]` is the score of the i-th pair that `expand` returned. */
  combine: (want: Want, scores: readonly number[]) => number;
  /** Metrics of a run from all scores that `combine` received. */
  measure?: (scores: readonly (readonly number[])[]) => Measure[];
}

/** A metric of the evaluator itself, in a report's form. */
export interface Measure {
  id: string;
  value: number;
  n: number;
  note: string;
  /** Each answered pair's share of the value, from 0 to 1. With shares, the report has an interval. */
  shares?: readonly number[];
}

/** `text` and `image` return a new row and do not change their argument. */
export interface Mapped {
  inner: Evaluator;
  text: (row: Float32Array) => Float32Array;
  image: (row: Float32Array) => Float32Array;
}

/** Whether the evaluator knows an image by name and needs no file. */
export function answersByName({ knowsImage, derived, mapped }: Evaluator, name: string): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? (knowsImage?.(name) ?? false) : answersByName(inner, name);
}
