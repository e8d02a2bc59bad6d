import { say, type Said } from '../../base/say';
import { Random } from '../../base/random';
import type { Attribute, Example } from '../../dataset/example';
import type { HumanOptions } from './options';
import type { HumanRow } from './row';

/** People's judgment of one or two captions, before scoring. */
export interface Judged extends Pick<
  HumanRow,
  'kind' | 'captions' | 'ratings' | 'preferred' | 'votes' | 'systems' | 'tags'
> {
  /** The example's reference captions, or an empty list. */
  references: readonly string[];
}

export const notJudged = say('human.nothingToJudge');
export const ownCaption = say('human.captionOfImageItself');

/** The judgments of an example, or the reason why it has none. */
export function judgedIn(example: Example, options: HumanOptions): readonly Judged[] | Said {
  const { form, captions, images, preferred, attributes, references = [] } = example;
  if (images.length !== 1) return notJudged;
  const tags = Object.keys(attributes).length === 0 ? {} : { tags: attributes };
  const shared = { references, ...tags };
  if (form === 'rating' || (form === 'preference' && example.rated === true)) {
    if (attributes['own caption'] === true && !options.ownCaptions) return ownCaption;
    const system = options.system.find((name) => typeof attributes[name] === 'string');
    const rated = captions.filter(({ ratings = [] }) => ratings.length > 0);
    if (rated.length === 0) return notJudged;
    return rated.map(({ text, ratings }): Judged => ({
      ...(example.rated === true ? { references } : shared),
      kind: 'rating',
      captions: [text],
      ratings: [...ratings!],
      ...(system === undefined ? {} : { systems: [String(attributes[system])] }),
    }));
  }
  if (form === 'preference' && preferred !== undefined && captions.length === 2)
    return [
      {
        ...shared,
        kind: 'preference',
        captions: captions.map(({ text }) => text),
        preferred,
        ...(example.votesFor === undefined ? {} : { votes: example.votesFor }),
        ...systemsOf(attributes, options.system),
      },
    ];
  if (isFoil(example))
    return [{ ...shared, kind: 'foil', captions: captions.map(({ text }) => text), preferred: 0 }];
  return notJudged;
}

/** Whether the example has a right caption followed by a wrong caption, as in FOIL. */
function isFoil({ form, captions }: Example): boolean {
  return (
    form === 'choice' &&
    captions.length === 2 &&
    captions.map(({ role }) => role).join() === 'caption,negative'
  );
}

function systemsOf(
  attributes: Readonly<Record<string, Attribute>>,
  names: readonly string[],
): Pick<Judged, 'systems'> {
  for (const name of names)
    for (const [one, other] of [
      ['1', '2'],
      ['_a', '_b'],
    ]) {
      const systems = [attributes[name + one], attributes[name + other]];
      if (systems.every((system) => typeof system === 'string')) return { systems };
    }
  return {};
}

/**
 * The references of each draw. Random draws depend on the seed, the image and the captions, not on the order of the
 * references. Without references, there is one draw, which is undefined.
 */
export function drawsOf(
  { kind, references }: Judged,
  { drawn, draws, foil }: HumanOptions,
  seed: number,
  key: readonly string[],
): readonly (readonly string[] | undefined)[] {
  if (references.length === 0) return [undefined];
  const draw = (count: number, purpose: string): readonly string[] =>
    new Random(seed, ...key, purpose).shuffle([...references].sort()).slice(0, count);
  if (kind === 'foil') return foil.map((count) => draw(count, 'foil'));
  if (kind === 'rating' || drawn === 0 || references.length <= drawn) return [references];
  return Array.from({ length: draws }, (_, i) => draw(drawn, `references ${i}`));
}
