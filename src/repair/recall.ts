import { largest } from '../base/extent';
import type { TrainingPair } from './fit';
import type { Heads } from './loss';
import { dot, turn } from './lowRank';

/** Mean reciprocal ranks, averaged over both directions of retrieval. */
export interface Found {
  /** The mean reciprocal rank without corruptions among the candidates. */
  clean: number;
  /** The mean reciprocal rank with corruptions among the candidates. */
  stressed: number;
}

/** Computes mean reciprocal ranks. Ties count against the true item, because equal scores do not identify it. */
export function recall(trainingPairs: readonly TrainingPair[], heads: Heads): Found {
  const look = (row: Float64Array): Float64Array => turn(heads.image, row).unit;
  const read = (row: Float64Array): Float64Array => turn(heads.text, row).unit;
  const present = (rows: readonly (Float64Array | undefined)[]): Float64Array[] =>
    rows.filter((row) => row !== undefined);
  const images = trainingPairs.map(({ image }) => look(image));
  const falseImages = trainingPairs.flatMap(({ corruptImages }) => present(corruptImages).map(look));
  const captions = trainingPairs.flatMap(({ captions: own }, of) =>
    own.map(({ row }) => ({ of, row: read(row) })),
  );
  const falseCaptions = trainingPairs.flatMap(({ captions: own }) =>
    own.flatMap(({ corrupt }) => present(corrupt).map(read)),
  );
  const byImage = mean(
    images.map((image, i) => {
      const scores = captions.map(({ row }) => cosine(image, row));
      const best = largest(scores.filter((_, k) => captions[k].of === i));
      const others = scores.filter((score, k) => captions[k].of !== i && score >= best).length;
      return ranks(others, falseCaptions.filter((row) => cosine(image, row) >= best).length);
    }),
  );
  const byCaption = mean(
    captions.map(({ of, row }) => {
      const own = cosine(images[of], row);
      const others = images.filter((image, k) => k !== of && cosine(image, row) >= own).length;
      return ranks(others, falseImages.filter((image) => cosine(image, row) >= own).length);
    }),
  );
  return {
    clean: (byImage.clean + byCaption.clean) / 2,
    stressed: (byImage.stressed + byCaption.stressed) / 2,
  };
}

function ranks(others: number, altered: number): Found {
  return { clean: 1 / (1 + others), stressed: 1 / (1 + others + altered) };
}

function mean(found: readonly Found[]): Found {
  const sum = { clean: 0, stressed: 0 };
  for (const { clean, stressed } of found) {
    sum.clean += clean / found.length;
    sum.stressed += stressed / found.length;
  }
  return sum;
}

function cosine(a: Float64Array, b: Float64Array): number {
  return dot(a, 0, b, 0, a.length);
}
