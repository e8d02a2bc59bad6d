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
import { grades, judgement, lastQuestions, meanings, sides } from './judgement';
import { sampled } from './sampled';
import { halfFields, item, statuses } from './triplets';
import { changes, changeShape } from '../perturb/changeShape';
import type { AnswerOf, AskOf } from '../base/calls';

/* Messages between the page of a session, the extension host and the reading process. */

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
  problem: optional(words),
});
export type Readings = Shaped<typeof readings>;

const side = choice(...sides);
const { caption, second, negative } = texts;

const state = object({
  title: text,
  annotator: text,
  /** The evaluator of the scores, for triplets. */
  evaluator: optional(text),
  /** The status of each item. A judged item of a check counts as accepted. */
  statuses: list(choice(...statuses)),
  index: count,
  /** The current item, or null for a session without items. */
  item: nullable(
    union({
      triplet: { item },
      /** An item of a check. It does not reveal the side of the changed version. */
      check: {
        image: text,
        captions: object({ left: text, right: text }),
        /** Whether both versions show the same unchanged image. */
        sameImage: flag,
        lastQuestion: choice(...lastQuestions),
        judgement,
      },
    }),
  ),
  canUndo: flag,
  canRedo: flag,
  /** Whether every decision is on disk. */
  saved: flag,
  problem: optional(words),
  /** The result of a check whose items are all judged. */
  result: optional(words),
});
export type SessionState = Shaped<typeof state>;
type ItemShown = NonNullable<SessionState['item']>;
export type CheckShown = Extract<ItemShown, { type: 'check' }>;

export const toSession = union({
  show: { state },
  /** Sent if only `saved` changed. */
  saved: { saved: flag },
});
export type ToSession = Shaped<typeof toSession>;

export const fromSession = union({
  ready: {},
  go: { index: count },
  /** Changes a triplet. */
  change: {
    index: count,
    change: object({
      ...{ caption: optional(caption), second: optional(second), negative: optional(negative) },
      status: optional(choice(...statuses)),
    }),
  },
  /** Answers a question of a check. */
  judge: {
    index: count,
    change: object({
      left: optional(choice(...grades)),
      right: optional(choice(...grades)),
      better: optional(choice(...sides, 'equal')),
      meaning: optional(choice(...meanings)),
    }),
  },
  undo: {},
  redo: {},
  chooseEvaluator: {},
  askChat: { index: count },
  export: {},
  /** A defect in the page, for the log. */
  defect: { message: text },
});
export type FromSession = Shaped<typeof fromSession>;

/** Requests of the page. An image is in Base64, because some editors cannot send binary data to a page. */
export const pageRequests = {
  read: { ask: object({ index: count, texts: threeTexts }), answer: readings },
  image: { ask: object({ index: count, side: optional(side) }), answer: object({ jpeg: optional(text) }) },
};

/** The page's state that a reload keeps: the session file and the position in this file. */
export const sessionMemory = object({ session: text, index: optional(count) });
export type SessionMemory = Shaped<typeof sessionMemory>;

const imagePlace = object({ dataset: text, images: list(text), name: text });
export type ImagePlace = Shaped<typeof imagePlace>;

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
      image: optional(imagePlace),
    }),
    answer: readings,
    stallMs: 150_000,
  },
  /** If `transforms` is set, the image is decoded and transformed as for an evaluator. */
  sessionImage: {
    ask: object({
      image: imagePlace,
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
