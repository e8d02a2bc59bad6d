/**
 * The least number of images for verdicts and claims. With fewer images, methods miss their nominal error rates.
 */
export const leastImages = 20;

/** Below this number of images, simulated BCa intervals of means cover 90 to 97 % instead of 95 %. */
export const nominalImages = 50;

/**
 * The least number of rows that only one of two evaluators gets right. Verdicts on right and wrong answers need
 * it.
 */
export const leastDiscordant = 10;
