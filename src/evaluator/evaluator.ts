import type { Outcome } from '../base/outcome';
import type { ImageItem, Want, WantKind } from '../protocol/item';

export type EvaluatorKind = 'text-encoder' | 'dual-encoder' | 'pair-scorer' | 'judge' | 'scores';

/** How a cosine between a picture and a text becomes the score. Text against text is always the plain cosine. */
export type Scale =
  | { name: 'cosine' }
  /** weight · max(cos, 0): CLIPScore (2.5), PAC-S (2). */
  | { name: 'clipped'; weight: number }
  /** σ(factor · cos + bias): SigLIP. */
  | { name: 'sigmoid'; factor: number; bias: number }
  /** No cosine is behind the score: a pair scorer's or a judge's own, with its bounds where it has some. */
  | { name: 'own'; low?: number; high?: number };

export interface EvaluatorInfo {
  /** What a person types: an installed id, or the folder's name. */
  id: string;
  /** What a person reads. */
  name: string;
  kind: EvaluatorKind;
  /** The folder or file it was loaded from, where there is one. */
  path?: string;
  /** Over every file that takes part in a score: weights, tokenizer, configs. */
  sha256: string;
  /** The kinds of pair it can score. */
  scores: readonly WantKind[];
  /** Length of an embedding; absent where there are none. */
  dimension?: number;
  /** float32 unless the person asked for less. */
  precision: string;
  /** The execution provider that was taken. */
  provider: string;
  scale: Scale;
  /** Put before a text that is scored against a picture ("A photo depicts "). */
  prefix: string;
  /** Choices that were made on the model's behalf, in words, each with where it came from. */
  notes: readonly string[];
  /** Keys of the store: whatever changes an embedding changes them (weights, tokenizer, pooling, preprocessing, precision). */
  textKey?: string;
  imageKey?: string;
  /** Of the scores of pairs, where there is more to them than the hash, the precision and the provider. */
  pairKey?: string;
}

/** What is known of an evaluator before it is opened: nothing is loaded, asked or sent for it. */
export interface EvaluatorPreview
  extends
    Partial<Omit<EvaluatorInfo, 'kind' | 'id' | 'name' | 'scores'>>,
    Pick<EvaluatorInfo, 'id' | 'name' | 'scores'> {
  /** An `EvaluatorKind`, or the kind of evaluator file. */
  kind: string;
  /** Bytes of its own files; absent where it is made of another, or its weights are elsewhere. */
  size?: number;
  /** It embeds images and texts into one space. */
  sharedSpace: boolean;
  /** Its scores come from an endpoint or from a language model of the editor. */
  remote: boolean;
}

export interface TextSize {
  /** Tokens the model is given; texts of equal size may share a batch. */
  tokens: number;
  /** The text was longer than the model takes and was cut. */
  cut: boolean;
}

/** Leave to ask an endpoint: it may cost money, and the pictures leave the house. Given once, it is remembered. */
export interface Consent {
  endpoint: string;
  readonly given: boolean;
  /** What so many pairs would cost, in words; without a number, of how many nobody knows yet. */
  terms(pairs?: number): string;
  /** It lets code of the user's run on this computer; nothing is sent by it. */
  readonly runs?: true;
  give(): Promise<void>;
}

/** Asks whether an endpoint may be used, and gives consent if so; before that not a byte is sent. */
export type Allow = (consent: Consent, scores: readonly WantKind[]) => Promise<void>;

/**
 * What scores. Each has what it can: embed texts, embed images, score pairs.
 * What comes back for an item must not depend on what shares its call.
 * Native sessions start on the first call that needs one.
 */
export interface Evaluator {
  readonly info: EvaluatorInfo;
  /** How many calls it works on at the same time; 1 where it does not say. */
  readonly parallel?: number;
  /**
   * Its rows depend in their last bits on what shares their batch: batches are so large, formed of one request, sorted
   * by length and key, and sent whole.
   */
  readonly fixedBatches?: { texts: number; images: number };
  /** False: nothing of it goes into the store, because another evaluator may have the same keys. */
  readonly kept?: boolean;
  measureTexts?(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]>;
  /** All of one size, as `measureTexts` said. */
  embedTexts?(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  embedImages?(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]>;
  scorePairs?(
    pairs: readonly { image: ImageItem; text: string }[],
    signal?: AbortSignal,
  ): Promise<Outcome<number>[]>;
  /** Present where nothing is scored without leave. */
  readonly consent?: Consent;
  /** Of embeddings made elsewhere: it answers by the names of images, whose files need not be here. */
  knowsImage?(name: string): boolean;
  /** Answers from a table: nothing is queued, batched or kept. */
  lookUp?(wants: readonly Want[]): Outcome<number>[];
  /** A score made of another evaluator's scores: of which pairs, and how. It then has no towers of its own. */
  derived?: Derived;
  /** Another evaluator's embeddings, each mapped: those that are kept are the other one's. */
  mapped?: Mapped;
  close(): Promise<void>;
}

export interface Derived {
  inner: Evaluator;
  expand: (want: Want) => Want[];
  /** `scores[i]` answers the i-th pair that `expand` named. */
  combine: (want: Want, scores: readonly number[]) => number;
}

/** `text` and `image` answer a new row and leave the given one as it is. */
export interface Mapped {
  inner: Evaluator;
  text: (row: Float32Array) => Float32Array;
  image: (row: Float32Array) => Float32Array;
}

/** Whether it answers for an image of that name although no file is here. */
export function answersByName({ knowsImage, derived, mapped }: Evaluator, name: string): boolean {
  const inner = derived?.inner ?? mapped?.inner;
  return inner === undefined ? (knowsImage?.(name) ?? false) : answersByName(inner, name);
}
