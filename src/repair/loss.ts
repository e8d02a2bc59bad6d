import { addScaled, dot, type LowRank, turn, turnBack, type Turned, zerosLike } from './lowRank';

/** The embeddings of an image, one of its captions and their corruptions, scaled to length 1. */
export interface Quartet {
  image: Float64Array;
  caption: Float64Array;
  corruptImage?: Float64Array;
  corruptCaption?: Float64Array;
}

export interface Heads {
  text: LowRank;
  image: LowRank;
}

export interface LossOptions {
  temperature: number;
  /** The weights of the semantic and the visual contrastive loss. */
  semantic: number;
  visual: number;
  /** The weight decay of the factors, which pulls a map towards the identity. */
  decay: number;
}

export interface Loss {
  total: number;
  contrastive: number;
  semantic: number;
  visual: number;
  gradient: Heads;
}

interface Side {
  turned: Turned;
  by: Float64Array;
}

/** The losses of a batch with their gradient. The images of a batch must be distinct. */
export function lossOf(heads: Heads, batch: readonly Quartet[], options: LossOptions): Loss {
  const gradient: Heads = { text: zerosLike(heads.text), image: zerosLike(heads.image) };
  const side = (head: LowRank, row: Float64Array): Side => ({
    turned: turn(head, row),
    by: new Float64Array(head.dimension),
  });
  const images = batch.map(({ image }) => side(heads.image, image));
  const captions = batch.map(({ caption }) => side(heads.text, caption));
  const contrastive = symmetric(images, captions, options.temperature);
  // Equations 2 and 3 of RoCOCO's paper: the mean cosine of corrupted items with the original image and caption.
  const repel = (corrupt: readonly (Side | undefined)[], weight: number): number => {
    const drawn = corrupt.filter((one) => one !== undefined).length;
    let sum = 0;
    corrupt.forEach((one, i) => {
      if (one === undefined) return;
      const share = 1 / (2 * drawn);
      sum += share * (attract(one, images[i], weight * share) + attract(one, captions[i], weight * share));
    });
    return sum;
  };
  const falseCaptions = batch.map(({ corruptCaption: row }) => row && side(heads.text, row));
  const falseImages = batch.map(({ corruptImage: row }) => row && side(heads.image, row));
  const semantic = repel(falseCaptions, options.semantic);
  const visual = repel(falseImages, options.visual);
  for (const one of [...images, ...falseImages])
    if (one !== undefined) turnBack(heads.image, one.turned, one.by, gradient.image);
  for (const one of [...captions, ...falseCaptions])
    if (one !== undefined) turnBack(heads.text, one.turned, one.by, gradient.text);
  let held = 0;
  for (const tower of ['text', 'image'] as const) {
    for (const factor of ['up', 'down'] as const) {
      const weights = heads[tower][factor];
      held += dot(weights, 0, weights, 0, weights.length);
      addScaled(gradient[tower][factor], 0, weights, options.decay);
    }
  }
  const total =
    contrastive + options.semantic * semantic + options.visual * visual + (options.decay / 2) * held;
  return { total, contrastive, semantic, visual, gradient };
}

/** Returns the cosine, and adds the weighted gradient to both sides. */
function attract(a: Side, b: Side, weight: number): number {
  addScaled(a.by, 0, b.turned.unit, weight);
  addScaled(b.by, 0, a.turned.unit, weight);
  return dot(a.turned.unit, 0, b.turned.unit, 0, a.by.length);
}

/** The mean cross entropy over both directions, images to captions and captions to images. */
function symmetric(images: readonly Side[], captions: readonly Side[], temperature: number): number {
  const n = images.length;
  const size = images[0].by.length;
  const logits = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      logits[i * n + j] = dot(images[i].turned.unit, 0, captions[j].turned.unit, 0, size) / temperature;
  const byLogit = new Float64Array(n * n);
  let loss = 0;
  const among = (q: number, from: number, step: number): void => {
    let most = -Infinity;
    for (let k = 0; k < n; k++) most = Math.max(most, logits[from + k * step]);
    let sum = 0;
    for (let k = 0; k < n; k++) sum += Math.exp(logits[from + k * step] - most);
    loss += (most + Math.log(sum) - logits[from + q * step]) / (2 * n);
    for (let k = 0; k < n; k++) {
      const share = Math.exp(logits[from + k * step] - most) / sum;
      byLogit[from + k * step] += (share - (k === q ? 1 : 0)) / (2 * n);
    }
  };
  for (let q = 0; q < n; q++) {
    among(q, q * n, 1);
    among(q, q, n);
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const weight = byLogit[i * n + j] / temperature;
      addScaled(images[i].by, 0, captions[j].turned.unit, weight);
      addScaled(captions[j].by, 0, images[i].turned.unit, weight);
    }
  return loss;
}
