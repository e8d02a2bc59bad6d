import { say, type Words } from '../../base/say';

/** What could not be measured of one example because scores are missing. */
export interface LostParts {
  variants: number;
  captions: number;
}

/** The image of an example with all its captions, or one text or changed image. */
export type LostPart = 'image' | { caption: string } | { variant: string };

/** What could not be measured in a run. */
export interface Lost extends LostParts {
  images: number;
  /** Examples of which only a part was measured. */
  partly: number;
}

/** A sentence for what a report leaves out, apart from the examples that it counts as left out. */
export function lostWords({ variants, captions, images }: Lost): Words {
  return say('refused.unscoredItems', variants, captions, images);
}
