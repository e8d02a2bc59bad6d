/** The fewest images for verdicts and for intervals on boards and in papers. Error rates need as many. */
export const leastImages = 20;

/** From this number on, simulated 95 % BCa intervals cover 92 to 96 %. With 20 images, they cover 90 to 95 %. */
export const nominalImages = 50;

/** A verdict on two evaluators' right and wrong answers needs this many rows that only one of them gets right. */
export const leastDiscordant = 10;

/**
 * A verdict on two evaluators' drop rates needs this many expected images with a drop, and without one, for each evaluator
 * (Cochran's rule). Below, the rows of one evaluator may all be equal, which hides their variance.
 */
export const leastExpected = 5;

/** With fewer images, there is no interval and no test. */
export const leastClusters = 5;
