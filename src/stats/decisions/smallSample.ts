/**
 * With fewer images, there is no verdict and no claim about an interval, because below this number the
 * methods miss their nominal error rates.
 */
export const leastImages = 20;

/** With fewer images than this, simulated BCa intervals of means cover 90 to 97 % instead of 95 %. */
export const nominalImages = 50;

/** A verdict on right and wrong answers needs this many rows that only one side gets right. */
export const leastDiscordant = 10;
