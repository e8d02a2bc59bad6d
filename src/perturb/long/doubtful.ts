/* Planted errors that may be none: what the new words say may be true of the image, too. */
import type { TextVariant } from '../text/variant';
import { conceptOf, isListed } from '../words/concepts';
import { singular } from '../words/number';

/** Scenes in which further vehicles are likely, although no caption names them. */
const traffic =
  /\b(?:traffic|streets?|roads?|highways?|intersections?|cit(?:y|ies)|parking|station|vehicles?|cars?|vans?)\b/;

/** Sentences of this kind say nothing of the image. */
const general = /\b(?:you|your|one should|it pays)\b/i;

/** Colors that people name alike, depending on the light. */
const alike = [
  /^(?:black|brown|gr[ae]y|dark)$/,
  /^(?:green|yellow)$/,
  /^(?:red|orange|pink)$/,
  /^(?:white|gr[ae]y|silver)$/,
];

const numbers = 'one two three four five six seven eight nine ten'.split(' ');

/** What is in the distance is both near and far. */
const scenery =
  /^(?:mountain|hill|hillside|ocean|sea|water|beach|shore|sky|forest|lake|river|city|cliff|horizon)s?$/;
const severalImages = /\b(?:collage|photos|pictures|images|views|panels)\b/;
/** Places that are both inside and outside a building. */
const halfOpen = /^(?:station|airport|stadium|zoo|market|mall|terminal|arena|restaurant|cafe)s?$/;
const seated = /\b(?:sit|sits|sitting|seated|sat)\b/i;

/** Whether this error of a sentence may be true of an image with these captions, in lower case. */
export function mayBeTrue(
  { kind, text, span, was }: TextVariant,
  sentence: string,
  captions: string,
): boolean {
  const before = sentence.slice(...was).toLowerCase();
  const after = text.slice(...span).toLowerCase();
  if (general.test(sentence)) return true;
  if (kind === 'relation') return mayRelate(after, text.slice(span[1]).toLowerCase(), sentence, captions);
  const [old, made] = [lastWord(before), lastWord(after)];
  switch (kind) {
    case 'object':
      return (
        isVehicle(old) && isVehicle(made) && (traffic.test(captions) || /\b(?:train|subway)\b/.test(old))
      );
    case 'color':
      return (
        alike.some((group) => group.test(old) && group.test(made)) ||
        (/\bdark\b/.test(captions) && /^(?:black|brown|gr[ae]y|blue)$/.test(made)) ||
        (/\b(?:pale|light)\b/.test(captions) && made === 'white')
      );
    default:
      // "Five cows" entails "three cows", unless the number is stated twice.
      return numbers.indexOf(made) < numbers.indexOf(old) && countOf(captions, old) < 2;
  }
}

function mayRelate(made: string, after: string, sentence: string, captions: string): boolean {
  const words = after.match(/\p{L}+/gu)?.slice(0, 4) ?? [];
  const place = words.find((word) => !/^(?:a|an|the|of|some|two)$/.test(word));
  // The swap of a side is checked where it is made.
  if (place === undefined || /left|right/.test(made)) return false;
  const said = new RegExp(
    `\\b${made} (?:\\p{L}+ ){0,3}(?:${words.filter((word) => word.length > 3).join('|') || place})\\b`,
    'u',
  );
  if (said.test(captions)) return true;
  if (made === 'far from') return severalImages.test(captions) || words.some((word) => scenery.test(word));
  if (/side$/.test(made)) return words.some((word) => halfOpen.test(word));
  return /behind|front/.test(made) && seated.test(sentence);
}

function isVehicle(noun: string): boolean {
  return conceptOf(singular(noun, isListed)) === 'vehicle';
}

/** Without the article, which may change with the word. */
function lastWord(text: string): string {
  return text.match(/\p{L}+/gu)?.at(-1) ?? text;
}

function countOf(text: string, word: string): number {
  return text.split(new RegExp(`\\b${word}\\b`)).length - 1;
}
