import { choice, nullable, object, type Shaped } from '../base/shape';

/** How well a caption describes an image. The last two grades are acceptable. */
export const grades = ['incorrect', 'partly', 'fully'] as const;
export type Grade = (typeof grades)[number];
export const sides = ['left', 'right'] as const;
export type Side = (typeof sides)[number];

/** null if the item has not been judged. */
export const judgement = object({
  left: nullable(choice(...grades)),
  right: nullable(choice(...grades)),
  better: nullable(choice(...sides, 'equal')),
});
export type Judgement = Shaped<typeof judgement>;

export function isJudged({ left, right, better }: Judgement): boolean {
  return left !== null && right !== null && better !== null;
}
