import { say } from '../base/say';
import { rm } from 'node:fs/promises';
import { temporaryFolder } from '../base/files/temporary';
import type { Outcome } from '../base/outcome';
import type { PartlyFound } from '../dataset/images/partlyFound';
import { answersByName, type Evaluator } from '../evaluator/evaluator';
import { imageItemKey } from '../evaluator/wantKey';
import type { ImageItem } from '../protocol/item';
import type { AuditRequest } from './request';
import { runAudit } from './run';

/** The texts and images whose embeddings the probes request. Missing embeddings are undefined. */
export interface EmbeddingItems {
  texts: Map<string, Float32Array | undefined>;
  images: Map<string, { item: ImageItem; row: Float32Array | undefined }>;
  /** The images that were found by less than the whole path of their names. */
  partly?: PartlyFound;
}

export type ItemsRequest = Pick<
  AuditRequest,
  'dataset' | 'probes' | 'images' | 'options' | 'map' | 'limit' | 'seed' | 'draws' | 'home' | 'signal'
>;

const plainDimension = 8;

/**
 * Runs the probes with an evaluator that records which items they request. Some probes choose texts by their
 * embeddings. These probes need a second call with `known`, an evaluator that has the embeddings so far.
 */
export async function embeddingItems(request: ItemsRequest, known?: Evaluator): Promise<EmbeddingItems> {
  const items: EmbeddingItems = { texts: new Map(), images: new Map() };
  items.partly = await ask(request, recorder(items, known, false));
  // Some probes alter an image only if its captions have embeddings. Placeholder embeddings of all texts reveal
  // these images. No texts are recorded here, because placeholders can lead to wrong texts.
  if (known === undefined) await ask(request, recorder({ ...items, texts: new Map() }, known, true));
  return items;
}

async function ask(request: ItemsRequest, evaluator: Evaluator): Promise<PartlyFound | undefined> {
  const out = await temporaryFolder('items');
  try {
    const written = await runAudit({ ...request, evaluators: [evaluator], out });
    return written.find(({ report }) => report.dataset.partlyFound)?.report.dataset.partlyFound;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/**
 * Makes the evaluator that records items. Unknown images get placeholder embeddings, because no probe chooses
 * items by image embedding. With `pretend`, unknown texts get placeholder embeddings too.
 */
function recorder(items: EmbeddingItems, known: Evaluator | undefined, pretend: boolean): Evaluator {
  const { measureTexts, embedTexts, embedImages } = known ?? {};
  const dimension = known?.info.dimension ?? plainDimension;
  const madeUp = (outcome: Outcome<Float32Array>): Outcome<Float32Array> =>
    outcome.ok ? outcome : { ok: true, value: new Float32Array(dimension).fill(1) };
  const missing: Outcome<Float32Array> = { ok: false, problem: say('embeddings.onlyListed') };
  const seesImages = known === undefined || embedImages !== undefined;
  return {
    info: {
      ...(known?.info ?? { precision: 'none', scale: { name: 'cosine' }, prefix: '' }),
      id: 'items',
      name: 'items',
      kind: seesImages ? 'dual-encoder' : 'text-encoder',
      scores: seesImages ? ['text-text', 'image-text', 'image-image'] : ['text-text'],
      sha256: 'items',
      provider: 'none',
      notes: [],
      textKey: 'items',
      imageKey: 'items',
    },
    kept: false,
    knowsImage: (name) => known === undefined || answersByName(known, name),
    ...(measureTexts === undefined ? {} : { measureTexts: measureTexts.bind(known) }),
    embedTexts: async (texts, signal) => {
      const rows = (await embedTexts?.call(known, texts, signal)) ?? texts.map(() => missing);
      texts.forEach((text, i) => items.texts.set(text, valueOf(rows[i])));
      return pretend ? rows.map(madeUp) : rows;
    },
    ...(seesImages
      ? {
          embedImages: async (images, signal) => {
            const rows = (await embedImages?.call(known, images, signal)) ?? images.map(() => missing);
            images.forEach((item, i) =>
              items.images.set(imageItemKey(item), { item, row: valueOf(rows[i]) }),
            );
            return rows.map(madeUp);
          },
        }
      : {}),
    close: () => Promise.resolve(),
  };
}

function valueOf(outcome: Outcome<Float32Array>): Float32Array | undefined {
  return outcome.ok ? outcome.value : undefined;
}
