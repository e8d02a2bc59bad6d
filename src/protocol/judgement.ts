import { choice, nullable, object, optional, type Shaped } from '../base/shape';

/** How well a caption describes an image. The last two grades are acceptable. */
export const grades = ['incorrect', 'partly', 'fully'] as const;
export type Grade = (typeof grades)[number];
export const sides = ['left', 'right'] as const;
export type Side = (typeof sides)[number];

/** Whether two captions of one image have the same meaning. */
export const meanings = ['same', 'unsure', 'different'] as const;
export type Meaning = (typeof meanings)[number];

/** The last question about an item, after the grades of both versions. */
export const lastQuestions = ['better', 'meaning'] as const;
export type LastQuestion = (typeof lastQuestions)[number];

/** The answers about an item; null if unanswered. LGIP's items use `meaning`. All other items use `better`. */
export const judgement = object({
  left: nullable(choice(...grades)),
  right: nullable(choice(...grades)),
  better: nullable(choice(...sides, 'equal')),
  meaning: optional(nullable(choice(...meanings))),
});
export type Judgement = Shaped<typeof judgement>;

export function isJudged({ left, right, better, meaning }: Judgement): boolean {
  return left !== null && right !== null && (better !== null || (meaning ?? null) !== null);
}

/** What a reader of a report says of a variant. `rejected`: the variant is not what it should be, so it is no error. */
export const picks = ['rejected', 'valid'] as const;
export type Picked = (typeof picks)[number];
