import { jpeg } from './sitting';
import { grades, judgement, lastQuestions, meanings, sides } from './judgement';
import {
  choice,
  count,
  flag,
  list,
  nullable,
  object,
  optional,
  type Shaped,
  text,
  union,
} from '../base/shape';

/* Messages between the human check view and the extension host. Both sides check what they receive. */

const side = choice(...sides);

const state = object({
  title: text,
  annotator: text,
  /** Whether each item has all three answers. */
  judged: list(flag),
  index: count,
  /** The current item, or null for an empty sample. The item does not reveal the side of the changed version. */
  item: nullable(
    object({
      image: text,
      captions: object({ left: text, right: text }),
      /** Whether both versions show the same unchanged image. */
      samePhoto: flag,
      lastQuestion: choice(...lastQuestions),
      judgement,
    }),
  ),
  canUndo: flag,
  canRedo: flag,
  /** Whether every judgment is on disk. */
  saved: flag,
  problem: optional(text),
});
export type HumanCheckState = Shaped<typeof state>;

export const toHumanCheck = union({
  show: { state },
  saved: { saved: flag },
});
export type ToHumanCheck = Shaped<typeof toHumanCheck>;

export const fromHumanCheck = union({
  ready: {},
  go: { index: count },
  judge: {
    index: count,
    left: optional(choice(...grades)),
    right: optional(choice(...grades)),
    better: optional(choice(...sides, 'equal')),
    meaning: optional(choice(...meanings)),
  },
  undo: {},
  redo: {},
  /** A defect in the view, for the log. */
  defect: { message: text },
});
export type FromHumanCheck = Shaped<typeof fromHumanCheck>;

export const humanCheckRequests = {
  photo: { ask: object({ index: count, side }), answer: jpeg },
};
