import { jpeg } from './sitting';
import { grades, judgement, sides } from './judgement';
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

/* What the view of a human check and the extension host say to each other; checked on arrival. */

const side = choice(...sides);

const state = object({
  title: text,
  annotator: text,
  /** Which items have all three answers. */
  judged: list(flag),
  index: count,
  /** null where the sample is empty. Which version is the changed one is not told. */
  item: nullable(
    object({
      image: text,
      captions: object({ left: text, right: text }),
      /** Both versions are of the same picture, unchanged. */
      samePhoto: flag,
      judgement,
    }),
  ),
  canUndo: flag,
  canRedo: flag,
  /** Everything that was judged is on disk. */
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
  },
  undo: {},
  redo: {},
  /** A defect inside the view, for the log. */
  defect: { message: text },
});
export type FromHumanCheck = Shaped<typeof fromHumanCheck>;

/** What the view asks of the extension host. */
export const humanCheckRequests = {
  photo: { ask: object({ index: count, side }), answer: jpeg },
};
