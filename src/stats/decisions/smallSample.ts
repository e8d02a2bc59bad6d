/**
 * The smallest number of images for verdicts and claims. With fewer images, the methods miss their nominal error
 * rates.
 */
export const leastImages = 20;

/** Below this number of images, simulated BCa intervals of means cover 90 to 97 % instead of 95 %. */
export const nominalImages = 50;

/** For a verdict on right and wrong answers, at least this many rows must be right for only one evaluator. */
export const leastDiscordant = 10;
