import { join } from 'node:path';
import { CaptiousError, evaluatorError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { PairJob } from '../../protocol/native';
import { type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import type { GraphHeader } from './onnx/graphPorts';
import { names } from './textTower';

/** The names of outputs that may contain the score of a pair, most likely first. */
export const scoreOutputs = [
  'itm_score',
  'itm_scores',
  'itm_logits',
  'logits',
  'match_logits',
  'cross_relationship_score',
  'score',
  'scores',
];

/** Finds the graph's output with the scores, and how to read a score from it. */
export function readOutput(
  folder: ModelFolder,
  graph: GraphHeader,
  config: Json,
  options: Json,
): { output: PairJob['output']; note: Words } {
  const at = join(folder.path, 'captious.json');
  const wished = stringAt(options, 'output');
  const name = (wished === undefined ? scoreOutputs : [wished]).find((one) =>
    graph.outputs.some((port) => port.name === one),
  );
  if (name === undefined) {
    throw new CaptiousError('evaluator', say('model.scoreOutputMissing', names(graph.outputs)), {
      at: graph.path,
      remedy: say('model.setScoreOutput'),
    });
  }
  const { shape, type } = graph.outputs.find((port) => port.name === name)!;
  const columns =
    shape.length === 2 && typeof shape[1] === 'number' ? shape[1] : numberAt(options, 'columns');
  if ((shape.length !== 0 && shape.length !== 2) || columns === undefined || columns < 1) {
    throw evaluatorError(
      say('model.scoreOutputShape', name, type, shape.map((dim) => dim ?? '?').join(', ')),
      say('model.exportOrSetScore'),
      graph.path,
    );
  }
  const family = stringAt(config, 'model_type') ?? '';
  const read = stringAt(options, 'score');
  if (read !== undefined && read !== 'softmax' && read !== 'sigmoid' && read !== 'logit') {
    throw evaluatorError(say('model.scoreTypeUnknown', read), say('model.useKnownScoreType'), at);
  }
  if (columns === 1) {
    const own =
      read ?? { vilt: 'logit' as const, uniter: 'sigmoid' as const, umic: 'sigmoid' as const }[family];
    if (own === undefined || own === 'softmax') {
      throw evaluatorError(say('model.sigmoidUnclear', name), say('model.setScoreType'), at);
    }
    const from = read === undefined ? say('model.asForFamily', family) : say('model.fromSettings');
    const note =
      own === 'logit' ? say('model.scoresAreOutput', name, from) : say('model.scoresAreSigmoid', name, from);
    return { output: { name, columns, column: 0, read: own }, note };
  }
  const column =
    numberAt(options, 'column') ??
    (/^(blip|lxmert)/.test(family) && columns === 2 ? 1 : matchingLabel(config));
  if (column === undefined || !Number.isInteger(column) || column < 0 || column >= columns) {
    throw evaluatorError(say('model.matchColumnUnclear', columns, name), say('model.setMatchColumn'), at);
  }
  const own = read ?? 'softmax';
  return {
    output: { name, columns, column, read: own },
    note: columnNote(own, column, columns, name),
  };
}

function columnNote(read: PairJob['output']['read'], column: number, columns: number, name: string): Words {
  if (read === 'logit') return say('model.scoresAreColumn', column, columns, name);
  if (read === 'softmax') return say('model.scoresAreSoftmaxColumn', column, columns, name);
  return say('model.scoresAreSigmoidColumn', column, columns, name);
}

/** The number of the column whose label in config.json means a match. Undefined unless exactly one label does. */
function matchingLabel(config: Json): number | undefined {
  const labels = Object.entries(objectAt(config, 'id2label') ?? {});
  const found = labels.filter(([, label]) => /^(match(ed|es)?|true|yes|entailment)$/i.test(String(label)));
  return found.length === 1 ? Number(found[0][0]) : undefined;
}
