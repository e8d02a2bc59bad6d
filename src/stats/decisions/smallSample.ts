/** The least number of images for verdicts and claims. Below it, the methods miss their nominal error rates. */
export const leastImages = 20;

/** Below this number of images, simulated BCa intervals of means cover 90 to 97 % instead of 95 %. */
export const nominalImages = 50;

/** The least number of rows that only one side gets right, for a verdict on right and wrong answers. */
export const leastDiscordant = 10;
