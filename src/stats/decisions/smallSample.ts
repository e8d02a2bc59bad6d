/**
 * With fewer images, there is no verdict and no claim about an interval, because the methods reach their
 * stated error rates only from this number on.
 */
export const leastImages = 20;

/** With fewer rows that only one side gets right, there is no verdict on right and wrong answers. */
export const leastDiscordant = 10;
