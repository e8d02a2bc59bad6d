import type { Example } from '../../dataset/example';
import type { ImageItem, TextItem, Want } from '../../protocol/item';

/** For each caption, the index of its image; -1 for a wrong caption. */
export function rightOf({ captions }: Pick<Example, 'captions'>): number[] {
  return captions.map(({ role, image }) => (role === 'caption' ? image : -1));
}

/** The wants for every image with every caption, ordered by image. Returns undefined if an image is missing. */
export function everyPair(
  { images, captions }: Pick<Example, 'images' | 'captions'>,
  image: (index: number) => ImageItem | undefined,
): Want[] | undefined {
  const wants: Want[] = [];
  const right = rightOf({ captions });
  for (const i of images.keys()) {
    const left = image(i);
    if (left === undefined) return undefined;
    const against = opponents(
      captions.map(({ text }) => text),
      right.map((own) => own === i),
    );
    for (const [c, { text }] of captions.entries())
      wants.push({
        left,
        right: { kind: 'text', text },
        ...(against === undefined ? {} : { against: against[c] }),
      });
  }
  return wants;
}

/**
 * The caption with which a pairwise judge compares each caption. With two captions, it is the other one. With more,
 * it is the only right caption, otherwise the only wrong caption, otherwise undefined.
 */
function opponents(texts: readonly string[], isRight: readonly boolean[]): string[] | undefined {
  if (texts.length === 2) return [texts[1], texts[0]];
  for (const side of [true, false])
    if (isRight.filter((one) => one === side).length === 1)
      return new Array<string>(texts.length).fill(texts[isRight.indexOf(side)]);
  return undefined;
}

/** The scores of the wants of `everyPair`: one list per image, with one score per caption. */
export function byImage(scores: Float64Array, images: number, captions: number): number[][] {
  return Array.from({ length: images }, (_, i) => [...scores.subarray(i * captions, (i + 1) * captions)]);
}

/** Wants for the two right captions with each other, and for each right caption with the wrong caption. */
export function textPairs(texts: readonly [string, string, string]): Want[] {
  const [first, second, wrong] = texts.map((text): TextItem => ({ kind: 'text', text }));
  return [
    { left: first, right: second },
    { left: first, right: wrong },
    { left: second, right: wrong },
  ];
}
