import type { ImageTrait } from './imageTraits';

/** What an image or a caption has that some settings act on, and most images or captions do not have. */
export type CaptionTrait = 'long' | 'whitespace';
export type Trait = ImageTrait | CaptionTrait;

export const traits: readonly Trait[] = ['alpha', 'turned', 'halves', 'long', 'whitespace'];

export function captionTraits(text: string, isCut: boolean): CaptionTrait[] {
  const isOdd = /^\s|\s$|\s\s|[^\S ]/.test(text);
  return [...(isCut ? (['long'] as const) : []), ...(isOdd ? (['whitespace'] as const) : [])];
}
