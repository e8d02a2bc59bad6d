import type { EvaluatorInfo, Scale } from '../evaluator/evaluator';
import { activationOf, activations } from '../evaluator/model/onnx/activation';
import { poolingOf } from '../evaluator/model/onnx/tokenPooling';
import { imageChanges } from './imageChanges';
import { type ReferenceRule, referenceRules } from './references';
import { textChanges } from './textChanges';
import type { Change, Setting, Described, ScoreChange } from './change';

export interface Sampled {
  /** The number of tokens of the longest caption, and whether A truncates a caption. */
  longest: number;
  scores: readonly number[];
}

/** All changes to try: common other values of each setting, and the values of B if they are known. */
export function changesFor(
  a: Described,
  b: { info: Pick<EvaluatorInfo, 'prefix'>; described?: Described },
  sampled: Sampled,
): Change[] {
  const all = [
    ...imageChanges(a.image.spec.preprocessing, b.described?.image.spec.preprocessing),
    ...textChanges(a, b.info.prefix, b.described?.text.spec.rules, sampled.longest),
    ...activationChanges(a),
    ...poolingChanges(a),
    ...referenceChanges(a),
    ...scoreChanges(a.scale, sampled.scores),
  ];
  const seen = new Set<string>();
  return all.filter(({ setting, from, to }) => {
    const key = `${setting}\n${to}`;
    if (from === to || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function activationChanges(a: Described): Change[] {
  return (['image', 'text'] as const).flatMap((tower): Change[] => {
    const from = activationOf(a[tower].graph);
    if (from === undefined) return [];
    const setting = `${tower}Activation` as const;
    return activations.map((to) => ({ setting, tower, from, to, activation: to }));
  });
}

function poolingChanges(a: Described): Change[] {
  return (['image', 'text'] as const).flatMap((tower): Change[] => {
    const { graph, spec } = a[tower];
    const known = poolingOf(graph, spec.output.name, tower);
    if (known === undefined) return [];
    const setting = `${tower}Pooling` as const;
    return known.to.map((to) => ({ setting, tower, from: known.from, to, pooling: to }));
  });
}

function referenceChanges({ isReferenced }: Described): Change[] {
  const from = referenceRules[isReferenced ? 'others' : 'none'];
  return (Object.keys(referenceRules) as ReferenceRule[]).map((rule) => ({
    ...{ setting: 'references', tower: 'text', from },
    ...{ to: referenceRules[rule], references: rule },
  }));
}

/** The scores are multiples of a power of ten if a program rounded them. */
const mostDigits = 5;

function scoreChanges(scale: Scale, scores: readonly number[]): Change[] {
  const from = scaleName(scale);
  const change = (setting: Setting, was: string, to: string, score: ScoreChange): Change => ({
    setting,
    tower: 'score',
    from: was,
    to,
    score,
  });
  const changes = [
    change('scale', from, 'w · cos', { kind: 'factor' }),
    change('scale', from, 'w · max(cos, 0)', { kind: 'clipped' }),
    change('scale', from, 'w · cos + b', { kind: 'affine' }),
    ...(scores.every((score) => score > 0 && score < 1)
      ? [change('scale', from, 'σ(w · cos + b)', { kind: 'sigmoid' })]
      : []),
    change('scale', from, 'a monotone function of cos', { kind: 'monotone' }),
    change('normalisation', 'cosine', 'dot product', { kind: 'dot' }),
    change('precision', 'float32', 'float16', { kind: 'half' }),
  ];
  const digits = [...Array(mostDigits + 1).keys()].find((count) =>
    scores.every((score) => Math.abs(score * 10 ** count - Math.round(score * 10 ** count)) < 1e-7),
  );
  if (digits !== undefined) changes.push(change('rounding', '–', `10^-${digits}`, { kind: 'round', digits }));
  return changes;
}

export function scaleName(scale: Scale): string {
  switch (scale.name) {
    case 'cosine':
      return 'cos';
    case 'clipped':
      return `${scale.weight} · max(cos, 0)`;
    case 'sigmoid':
      return `σ(${scale.factor} · cos + ${scale.bias})`;
    case 'own':
      return '–';
  }
}
