import { correctsPlainFiles } from '../../../evaluator/calibration';
import type { Calibration, PlainFigures } from './calibration';

/** Sentences about the changes of metrics on held-out images, including changes for the worse. */
export function calibrationWords({ options, lambda, heldOut }: Calibration, references: number): string[] {
  const { estimator } = options;
  const words: string[] = [];
  if (references === 0)
    words.push(
      'No reference evaluator was given, so λ was not limited by agreement. Agreement may have dropped.',
    );
  if (lambda === 0) {
    words.push(
      `With the estimator "${estimator}", no λ above 0 lowers the sensitivity on the images for fitting${references > 0 ? ' and keeps the required agreement' : ''}. So λ is 0, and all scores stay as they are.`,
    );
    return words;
  }
  words.push(
    `With λ = ${lambda}, the estimator "${estimator}" ${totalWords(heldOut.total, 'total sensitivity on held-out images that Captious changed itself')}`,
  );
  if (!correctsPlainFiles(estimator))
    words.push(
      'This correction acts only on images that Captious changes itself. Image files that were changed before have the same scores as without it, so it is never chosen by default.',
    );
  const worse = heldOut.families
    .filter((one) => one.after > one.before * (1 + 1e-9))
    .map(({ family }) => family);
  if (worse.length > 0) words.push(`On held-out images, the sensitivity rises for: ${worse.join(', ')}.`);
  for (const { axis, before, after } of heldOut.rrf) {
    if (before.value === null || after.value === null || after.value < before.value) continue;
    const how = after.value > before.value ? 'rises' : 'stays the same';
    words.push(
      `The ${axis} flip risk at 0.7 % of the range does NOT fall on held-out images: it ${how} (${before.value.toFixed(4)} before, ${after.value.toFixed(4)} after).`,
    );
  }
  for (const { reference, before, after } of heldOut.agreement)
    if (before !== null && after !== null && after < before - options.epsilon)
      words.push(
        `On held-out images, agreement with ${reference} drops by more than ε: Spearman’s ρ ${before.toFixed(4)} before, ${after.toFixed(4)} after.`,
      );
  if (options.orbits === 'rows')
    words.push(
      'The orbits of words and moved objects come from the rows of the report, so the effect of this correction can be measured, but the correction cannot be saved as an evaluator.',
    );
  else if (estimator !== 'signed')
    words.push(
      'Words and moved objects are not corrected, because their orbits cannot be computed from an image and a caption alone. Audit the saved evaluator to see how the correction of the image affects them.',
    );
  if (estimator === 'shrink' && options.orbits !== 'rows')
    words.push(
      'Every image is scored along its whole orbit, and its score moves towards the median of the orbit’s scores. With λ = 1 a family has no effect by construction. For each corrected score, every member of the orbit must be scored.',
    );
  return words;
}

/** What the correction does to held-out images that were changed and saved as files before they were scored. */
export function plainWords(
  { options, lambda }: Calibration,
  { images, families, total }: PlainFigures,
): string {
  const names = families.map(({ family }) => family).join(', ');
  const what = `the sensitivity to changes of the image (${names}) on ${images} held-out images that were changed and saved as files`;
  return `With λ = ${lambda}, the estimator "${options.estimator}" ${totalWords(total, what)}`;
}

/** "Lowers" if the interval of the difference is below zero. Without an interval, a lower value is enough. */
function totalWords({ before, after, ci }: Calibration['heldOut']['total'], what: string): string {
  const figures = `${before.toFixed(4)} before, ${after.toFixed(4)} after`;
  const span =
    ci === undefined ? '' : `; 95 % interval of the difference: ${signed(ci[0])} to ${signed(ci[1])}`;
  const lowers = ci === undefined ? after < before : ci[1] < 0;
  if (lowers)
    return `lowers ${what} by ${((100 * (before - after)) / before).toFixed(1)} % (${figures}${span}).`;
  const why =
    after < before
      ? 'it is lower, but not significantly'
      : after > before
        ? 'it is higher'
        : 'it is the same';
  return `does NOT lower ${what}: ${why} (${figures}${span}).`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(4)}`;
}
