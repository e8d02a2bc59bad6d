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
import { sampled } from './sampled';
import { candidate, item } from './triplets';
import { changes, changeShape } from '../perturb/changeShape';
import { failure } from './failure';

/* What the workshop's view, the extension host and the process that measures say to each other; checked on arrival. */

const texts = { caption: text, second: text, negative: text };
export const threeTexts = object(texts);
export type ThreeTexts = Shaped<typeof threeTexts>;

const readings = object({
  /** Cosines of the captions with each other. */
  t2t: optional(object({ p1p2: number, p1n: number, p2n: number })),
  /** Scores of the captions against the photo. */
  i2t: optional(object({ p1: number, p2: number, n: number })),
  findings: list(
    object({
      guideline: choice('detail', 'gender', 'grammar', 'image'),
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
  /** null where the session is empty. */
  item: nullable(item),
  canUndo: flag,
  canRedo: flag,
  /** Everything that was decided is on disk. */
  saved: flag,
  problem: optional(text),
});
export type WorkshopState = Shaped<typeof state>;

export const toWorkshop = union({
  show: { state },
  /** Nothing that is shown has changed but this. */
  saved: { saved: flag },
  readings: { id: count, readings },
  /** In Base64: not every editor hands bytes through to a view as bytes. */
  photo: { index: count, jpeg: optional(text) },
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
  read: { id: count, index: count, texts: threeTexts },
  photo: { index: count },
  chooseEvaluator: {},
  /** Candidates for the second positive, from a chat model. */
  askChat: { index: count },
  export: {},
  /** A defect inside the view, for the log. */
  defect: { message: text },
});
export type FromWorkshop = Shaped<typeof fromWorkshop>;

const photoPlace = { dataset: text, images: list(text), name: text };

export const toHelper = union({
  mine: { id: count, dataset: text, seed: count, limit: count },
  read: {
    id: count,
    texts: threeTexts,
    evaluator: text,
    home: text,
    photo: optional(object(photoPlace)),
  },
  /** With transforms: as an evaluator sees it. */
  photo: {
    id: count,
    photo: object(photoPlace),
    side: count,
    transforms: optional(list(changeShape(...changes))),
  },
  /** Variants of an audit, drawn for people to judge. */
  sample: { id: count, report: text, perFamily: count, seed: count },
});
export type ToHelper = Shaped<typeof toHelper>;

export const fromHelper = union({
  mined: {
    id: count,
    how: choice('spatial', 'pairs', 'rules'),
    sha256: text,
    halves: list(
      object({
        id: text,
        image: optional(text),
        caption: text,
        positives: list(candidate),
        negatives: list(candidate),
      }),
    ),
  },
  readings: { id: count, readings },
  photo: { id: count, bytes: optional(bytes) },
  sampled: { id: count, items: list(sampled), dataset: text, rowsSha256: text },
  refused: { id: count, failure },
});
export type FromHelper = Shaped<typeof fromHelper>;
