import {
  bytes,
  choice,
  count,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  type Shaped,
  text,
  union,
  words,
} from '../base/shape';
import { jpeg } from './sitting';
import { sampled } from './sampled';
import { halfFields, item } from './triplets';
import { changes, changeShape } from '../perturb/changeShape';
import type { AnswerOf, AskOf } from '../base/calls';

/*
 * Messages between the workshop's view, the extension host and the scoring process. Each side checks what it
 * receives.
 */

const texts = { caption: text, second: text, negative: text };
export const threeTexts = object(texts);
export type ThreeTexts = Shaped<typeof threeTexts>;

const readings = object({
  /** Cosines of the pairs of captions. */
  t2t: optional(object({ p1p2: number, p1n: number, p2n: number })),
  /** Scores of the captions with the image. */
  i2t: optional(object({ p1: number, p2: number, n: number })),
  findings: list(
    object({
      guideline: choice('detail', 'gender', 'grammar', 'image', 'distance'),
      in: choice('caption', 'second', 'negative'),
      message: words,
    }),
  ),
  /** Why there is no score. */
  problem: optional(text),
});
export type Readings = Shaped<typeof readings>;

const status = choice('open', 'accepted', 'rejected');

const state = object({
  title: text,
  annotator: text,
  evaluator: text,
  statuses: list(status),
  index: count,
  /** null for a session without items. */
  item: nullable(item),
  canUndo: flag,
  canRedo: flag,
  /** Whether every decision is on disk. */
  saved: flag,
  problem: optional(text),
});
export type WorkshopState = Shaped<typeof state>;

export const toWorkshop = union({
  show: { state },
  /** Sent if only `saved` changed. */
  saved: { saved: flag },
});
export type ToWorkshop = Shaped<typeof toWorkshop>;

export const fromWorkshop = union({
  ready: {},
  go: { index: count },
  change: {
    index: count,
    caption: optional(text),
    second: optional(text),
    negative: optional(text),
    status: optional(status),
  },
  undo: {},
  redo: {},
  chooseEvaluator: {},
  askChat: { index: count },
  export: {},
  /** A defect in the view, for the log. */
  defect: { message: text },
});
export type FromWorkshop = Shaped<typeof fromWorkshop>;

export const workshopRequests = {
  read: { ask: object({ index: count, texts: threeTexts }), answer: readings },
  photo: { ask: object({ index: count }), answer: jpeg },
};

const photoPlace = object({ dataset: text, images: list(text), name: text });
export type PhotoPlace = Shaped<typeof photoPlace>;

/** Requests of a session to the reading process. */
export const sessionRequests = {
  mine: {
    ask: object({ dataset: text, seed: count, limit: count }),
    answer: object({
      how: choice('spatial', 'pairs', 'rules'),
      sha256: text,
      halves: list(object(halfFields)),
    }),
    stallMs: 60_000,
  },
  /** The time limit is long, because an evaluator may have to be opened first. */
  read: {
    ask: object({
      texts: threeTexts,
      evaluator: text,
      /** The interpreter for evaluators in Python. */
      python: optional(list(text)),
      home: text,
      photo: optional(photoPlace),
    }),
    answer: readings,
    stallMs: 150_000,
  },
  /** If `transforms` is set, the image is decoded and transformed as for an evaluator. */
  sessionPhoto: {
    ask: object({
      photo: photoPlace,
      side: count,
      transforms: optional(list(changeShape(...changes))),
    }),
    answer: object({ bytes: optional(bytes) }),
    stallMs: 30_000,
  },
  /** Draws variants of a report for people to judge. */
  sample: {
    ask: object({ report: text, perFamily: count, seed: count }),
    answer: object({
      items: list(sampled),
      /** Families with too few variants. */
      short: list(object({ family: text, items: count, wanted: count })),
      probe: choice('invariance', 'lgip', 'prsm'),
      dataset: text,
      rowsSha256: text,
    }),
    stallMs: 60_000,
  },
};
export type SessionAsk<N extends keyof typeof sessionRequests> = AskOf<typeof sessionRequests, N>;
export type Mined = AnswerOf<typeof sessionRequests, 'mine'>;
