import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { PairJob } from '../../protocol/native';
import { type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import type { GraphHeader } from './onnx/graphPorts';
import { names } from './textTower';

/** Names of the outputs with a pair's score. */
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

/** Determines which of a graph's outputs is the score, and how to read it. */
export function readOutput(
  folder: ModelFolder,
  graph: GraphHeader,
  config: Json,
  options: Json,
): { output: PairJob['output']; note: string } {
  const at = join(folder.path, 'captious.json');
  const wished = stringAt(options, 'output');
  const name = (wished === undefined ? scoreOutputs : [wished]).find((one) =>
    graph.outputs.some((port) => port.name === one),
  );
  if (name === undefined) {
    throw new CaptiousError(
      'evaluator',
      say`Which output is the score? The graph has ${names(graph.outputs)}.`,
      {
        at: graph.path,
        remedy: say`Name it in captious.json: { "itm": { "output": "…" } }.`,
      },
    );
  }
  const { shape, type } = graph.outputs.find((port) => port.name === name)!;
  const columns =
    shape.length === 2 && typeof shape[1] === 'number' ? shape[1] : numberAt(options, 'columns');
  if ((shape.length !== 0 && shape.length !== 2) || columns === undefined || columns < 1) {
    throw new CaptiousError(
      'evaluator',
      say`Output ${name} is ${type}[${shape.map((dim) => dim ?? '?').join(', ')}] where one row a pair, of a fixed count of numbers, was expected.`,
      {
        at: graph.path,
        remedy: say`Export the model so that it is, or name another output in captious.json: { "itm": { "output": "…" } }.`,
      },
    );
  }
  const family = stringAt(config, 'model_type') ?? '';
  const read = stringAt(options, 'score');
  if (read !== undefined && read !== 'softmax' && read !== 'sigmoid' && read !== 'logit') {
    throw new CaptiousError('evaluator', say`How is a score read "${read}"?`, {
      at,
      remedy: say`Captious knows "softmax", "sigmoid" and "logit".`,
    });
  }
  if (columns === 1) {
    const own =
      read ?? { vilt: 'logit' as const, uniter: 'sigmoid' as const, umic: 'sigmoid' as const }[family];
    if (own === undefined || own === 'softmax') {
      throw new CaptiousError(
        'evaluator',
        say`Is the one number of ${name} the score as it is, or does a sigmoid belong around it?`,
        {
          at,
          remedy: say`Say so: { "itm": { "score": "logit" } } or "sigmoid".`,
        },
      );
    }
    const from = read === undefined ? `as ${family} models are read` : 'as captious.json says';
    const shown = own === 'logit' ? `Scores are ${name} as it is` : `Scores are σ(${name})`;
    return { output: { name, columns, column: 0, read: own }, note: `${shown}, ${from}.` };
  }
  const column =
    numberAt(options, 'column') ??
    (/^(blip|lxmert)/.test(family) && columns === 2 ? 1 : matchingLabel(config));
  if (column === undefined || !Number.isInteger(column) || column < 0 || column >= columns) {
    throw new CaptiousError(
      'evaluator',
      say`Which of the ${columns} numbers of ${name} says that picture and caption match?`,
      {
        at,
        remedy: say`Say so, counted from 0: { "itm": { "column": 1 } }.`,
      },
    );
  }
  const own = read ?? 'softmax';
  return {
    output: { name, columns, column, read: own },
    note: `Scores are ${own === 'logit' ? 'number' : own === 'softmax' ? 'the share (softmax) of number' : 'σ of number'} ${column} of ${name}'s ${columns}.`,
  };
}

/** The output that the model's own labels call a match, if they do. */
function matchingLabel(config: Json): number | undefined {
  const labels = Object.entries(objectAt(config, 'id2label') ?? {});
  const found = labels.filter(([, label]) => /^(match(ed|es)?|true|yes|entailment)$/i.test(String(label)));
  return found.length === 1 ? Number(found[0][0]) : undefined;
}
