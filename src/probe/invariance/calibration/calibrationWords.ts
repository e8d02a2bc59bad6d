import type { Calibration } from './calibration';

/** States what a calibration achieved on held-out images, including what became worse. */
export function calibrationWords(
  { options, lambda, heldOut, dev }: Calibration,
  references: number,
): string[] {
  const { estimator } = options;
  const words: string[] = [];
  if (references === 0)
    words.push(
      'No reference evaluator was given, so nothing held λ back: agreement may have been lost unseen.',
    );
  if (lambda === 0) {
    words.push(
      `No strength of "${estimator}" lowers the sensitivity on the photos it was fitted on${references > 0 ? ' within the agreement that must be kept' : ''}: it changes nothing.`,
    );
    return words;
  }
  words.push(`With λ = ${lambda}, "${estimator}" ${totalWords(heldOut.total, dev.total)}`);
  const worse = heldOut.families
    .filter((one) => one.after > one.before * (1 + 1e-9))
    .map(({ family }) => family);
  if (worse.length > 0) words.push(`On held-out photos it makes these worse: ${worse.join(', ')}.`);
  for (const { axis, before, after } of heldOut.rrf) {
    if (before.value === null || after.value === null || after.value < before.value) continue;
    const how = after.value > before.value ? 'rises' : 'stays where it is';
    words.push(
      `The ${axis} risk of a flip at 0.7 % of the range does NOT fall on held-out photos: it ${how} (${before.value.toFixed(4)} before, ${after.value.toFixed(4)} after).`,
    );
  }
  for (const { reference, before, after } of heldOut.agreement)
    if (before !== null && after !== null && after < before - options.epsilon)
      words.push(
        `On held-out photos agreement with ${reference} drops by more than ε: Spearman’s ρ ${before.toFixed(4)} before, ${after.toFixed(4)} after.`,
      );
  if (estimator !== 'signed')
    words.push(
      'Words and moved objects are left as they are: what their orbits are, a photo and a caption alone do not tell. Audit the saved evaluator for what the correction of the photo does to them.',
    );
  if (estimator === 'shrink')
    words.push(
      'Every photo is scored along its whole orbit and drawn to the middle of it: with λ = 1 that a family moves nothing is so by construction, and each score costs as many as the orbit is long.',
    );
  return words;
}

/** Says "lowers" if the interval of the difference lies below zero; without an interval, if the value is lower. */
function totalWords(
  { before, after, ci }: Calibration['heldOut']['total'],
  fitted: Calibration['dev']['total'],
): string {
  const figures = `${before.toFixed(4)} before, ${after.toFixed(4)} after`;
  const span =
    ci === undefined ? '' : `; the difference lies between ${signed(ci[0])} and ${signed(ci[1])} (95 %)`;
  const lowers = ci === undefined ? after < before : ci[1] < 0;
  if (lowers)
    return `lowers total sensitivity on held-out photos by ${((100 * (before - after)) / before).toFixed(1)} % (${figures}${span}).`;
  const why =
    after < before
      ? 'it comes out lower, but no more than chance would have it'
      : after > before
        ? 'it is higher'
        : 'it is the same';
  return `does NOT lower total sensitivity on held-out photos: ${why} (${figures}${span}), though on the photos it was fitted on it fell from ${fitted.before.toFixed(4)} to ${fitted.after.toFixed(4)}.`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(4)}`;
}
