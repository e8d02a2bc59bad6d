/* Baselines that need more than the benchmark: a text file, or a text encoder. */

/** Scores a caption by a model that has not seen the captions of a fold. NaN if it cannot score the caption. */
export type ScoreOfText = (text: string, fold: number) => number;
