import { evaluatorError } from '../../base/errors';
import { type Shape, list, number, object, optional, pair, ShapeError, text } from '../../base/shape';
import { say, type Words } from '../../base/say';
import type { Described } from '../../protocol/python';
import type { EvaluatorInfo, EvaluatorKind, Scale } from '../evaluator';
import { fewestReranked } from '../ranking/rerank';

/** A scale in Python's form: "cosine", { "clipped": 2.5 } or { "sigmoid": [factor, bias] }. */
const scaleShape: Shape<Scale> = (value, at) => {
  if (value === 'cosine') return { name: 'cosine' };
  if (typeof value === 'object' && value !== null) {
    if ('clipped' in value) return { name: 'clipped', weight: number(value.clipped, `${at}.clipped`) };
    if ('sigmoid' in value) {
      const [factor, bias] = pair(number, number)(value.sigmoid, `${at}.sigmoid`);
      return { name: 'sigmoid', factor, bias };
    }
  }
  throw new ShapeError(at, '"cosine", {"clipped": weight} or {"sigmoid": [factor, bias]}');
};

const size: Shape<number> = (value, at) => {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 4096)
    throw new ShapeError(at, 'an integer from 1 to 4096');
  return value as number;
};

const first: Shape<number> = (value, at) => {
  if (!Number.isInteger(value) || (value as number) < fewestReranked)
    throw new ShapeError(at, say('base.shapeIntegerFrom', fewestReranked));
  return value as number;
};

const infoShape = object({
  name: optional(text),
  scale: optional(scaleShape),
  range: optional(pair(number, number)),
  prefix: optional(text),
  weights: optional(list(text)),
  /** Identifies weights that are not in files. */
  fingerprint: optional(text),
  batch: optional(size),
  rerank: optional(first),
  notes: optional(list(text)),
});

export interface PythonInfo {
  kind: EvaluatorKind;
  scores: EvaluatorInfo['scores'];
  scale: Scale;
  prefix: string;
  name?: string;
  /** Files and folders of weights. Empty if info() returns only "fingerprint"; absent without either. */
  weights?: string[];
  batch?: number;
  /** How many of a search's first results are reranked with `score`. Absent if no results are reranked. */
  rerank?: number;
  notes: Words[];
}

/** Checks the result of info() against the evaluator's methods. */
export function readInfo({ can, info, notes, references }: Described, at: string): PythonInfo {
  let said: ReturnType<typeof infoShape>;
  try {
    // In Python, a key with the value None counts as absent.
    said = infoShape(
      Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null)),
      'info()',
    );
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw evaluatorError(error.what, say('python.readEvaluatorGuide'), at);
  }
  const { embed_images: images, embed_texts: texts, score } = can;
  if (!score && !texts) throw evaluatorError(say('python.embedsOnlyImages'), say('python.addTextMethod'), at);
  if (said.rerank !== undefined && references)
    throw evaluatorError(say('python.rerankWithReferences'), say('python.removeRerank'), at);
  if (said.rerank !== undefined && !(images && texts && score))
    throw evaluatorError(say('python.rerankMethodsMissing'), say('python.addRerankMethods'), at);
  const [low, high] = said.range ?? [];
  return {
    kind: score ? 'pair-scorer' : images ? 'dual-encoder' : 'text-encoder',
    scores: [
      ...(texts ? (['text-text'] as const) : []),
      ...(score || (images && texts) ? (['image-text'] as const) : []),
      ...(images ? (['image-image'] as const) : []),
    ],
    scale: score
      ? { name: 'own', ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) }
      : (said.scale ?? { name: 'cosine' }),
    prefix: said.prefix ?? '',
    ...(said.name === undefined ? {} : { name: said.name }),
    ...(said.weights === undefined && said.fingerprint === undefined ? {} : { weights: said.weights ?? [] }),
    ...(said.batch === undefined ? {} : { batch: said.batch }),
    ...(said.rerank === undefined ? {} : { rerank: said.rerank }),
    notes: [...(said.notes ?? []), ...notes],
  };
}
