/** With fewer images, no verdict and no claim about an interval: the methods' error rates hold from here on. */
export const leastImages = 20;

/** With fewer rows that only one side gets right, a comparison of right and wrong answers gives no verdict. */
export const leastDiscordant = 10;
