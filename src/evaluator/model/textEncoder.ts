import { CaptiousError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Blueprint } from './blueprint';
import { numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import type { PoolingMode } from '../../protocol/native';
import type { GraphHeader } from './onnx/graphPorts';
import { aloneNote, dynamicWarning, numbersOf } from './runtime';
import { readSentenceRules } from './sentenceTransformer';
import { isTextInput, names, textPorts } from './textTower';

const pooledOutputs = ['sentence_embedding', 'text_embeds', 'sentence_embeds'];
const tokenOutputs = ['last_hidden_state', 'token_embeddings'];
const poolings: readonly string[] = [
  'mean',
  'cls',
  'last',
  'max',
  'mean-sqrt-length',
  'weighted-mean',
  'none',
];

/** Describes a model such as BERT, whose graph maps tokens to one row per token or per text. */
export function describeTextEncoder(folder: ModelFolder, graph: GraphHeader): Blueprint {
  const options = objectAt(folder.json('captious.json'), 'text');
  const config = folder.require('config.json');
  folder.expect('tokenizer.json');
  folder.take(graph);
  const ports = textPorts(graph);
  const foreign = graph.inputs.filter((input) => !isTextInput(input.name));
  if (foreign.length > 0) {
    throw new CaptiousError('evaluator', say('model.foreignInputs', names(foreign)), {
      at: graph.path,
      remedy: say('model.exportAsTextEncoder'),
    });
  }
  const output = chooseOutput(graph, stringAt(options, 'output'));
  const rank = graph.outputs.find((port) => port.name === output)!.shape.length;
  const pooled = rank === 2 || (rank !== 3 && pooledOutputs.includes(output));
  const rules = readSentenceRules(folder, pooled);
  const notes = [...rules.notes];

  let pooling: PoolingMode = 'none';
  if (pooled) notes.push(say('model.poolingInGraph', output));
  else {
    const wished = stringAt(options, 'pooling');
    if (wished !== undefined && (!poolings.includes(wished) || wished === 'none')) {
      throw new CaptiousError('evaluator', say('model.poolingUnknown', wished), {
        at: `${folder.path}/captious.json`,
        remedy: say('fetch.chooseFrom', poolings.filter((name) => name !== 'none').join(', ')),
      });
    }
    pooling = (wished as PoolingMode | undefined) ?? rules.pooling ?? 'mean';
    if (wished !== undefined) notes.push(say('model.poolingOverridden', pooling));
    else if (rules.pooling === undefined) notes.push(say('model.poolingDefaultMean'));
  }

  const { precision, dynamic, alone, note } = numbersOf(graph);
  if (note !== undefined) notes.push(note);
  const max = longestText(folder, rules.maxLength, ports.fixedLength, numberAt(options, 'maxLength'));
  if (max.note !== undefined) notes.push(max.note);
  if (dynamic) notes.push(say('model.textsEncodedSingly'), dynamicWarning);
  else if (alone) notes.push(aloneNote);
  const last = graph.outputs.find((port) => port.name === output)!.shape.at(-1);
  return {
    kind: 'text-encoder',
    scores: ['text-text'],
    scale: { name: 'cosine' },
    prefix: '',
    precision,
    notes,
    dimension:
      rules.dense.at(-1)?.outputs ?? (typeof last === 'number' ? last : numberAt(config, 'hidden_size')),
    text: {
      graph: graph.path,
      spec: {
        inputs: ports.inputs,
        constants: [],
        output: { name: output, pooling, normalise: rules.normalise && rules.dense.length === 0 },
        ...(rules.dense.length === 0 ? {} : { dense: { layers: rules.dense, normalise: rules.normalise } }),
        skipPrompt: rules.skipPrompt,
        fixedRows: alone ? 1 : ports.fixedRows,
        rules: { max: max.tokens, fixed: ports.fixedLength, attendPadding: false, prompt: rules.prompt },
      },
    },
  };
}

function chooseOutput(graph: GraphHeader, wished: string | undefined): string {
  const known = wished === undefined ? [...pooledOutputs, ...tokenOutputs] : [wished];
  const found = known.find((name) => graph.outputs.some((port) => port.name === name));
  if (found !== undefined) return found;
  throw new CaptiousError('evaluator', say('model.textOutputMissing', names(graph.outputs)), {
    at: graph.path,
    remedy: say('model.setTextOutput'),
  });
}

/** Model types whose positions start after the id of the padding token. */
const offsetPositions = [
  'roberta',
  'xlm-roberta',
  'camembert',
  'mpnet',
  'xlm-roberta-xl',
  'longformer',
  'altclip_text_model',
];

/** The most tokens in a text: the smallest limit of the graph and of the folder's files. */
export function longestText(
  folder: ModelFolder,
  sentence: number | undefined,
  fixed: number | undefined,
  wished: number | undefined,
): { tokens: number; note?: Words } {
  const config = folder.require('config.json');
  const inner = objectAt(config, 'text_config') ?? config;
  const type = stringAt(inner, 'model_type') ?? '';
  const positions = numberAt(inner, 'max_position_embeddings') ?? numberAt(inner, 'n_positions');
  const offset = offsetPositions.includes(type) ? 2 : 0;
  // In tokenizer_config.json, 1e30 means no limit.
  const tokenizer = numberAt(folder.json('tokenizer_config.json'), 'model_max_length');
  const limits: [string, number | undefined][] = [
    ['captious.json', wished],
    ['the graph', fixed],
    ['sentence_bert_config.json', sentence],
    ['tokenizer_config.json', tokenizer !== undefined && tokenizer < 1e9 ? tokenizer : undefined],
    ['config.json', positions === undefined ? undefined : positions - offset],
  ];
  const known = limits.filter((limit): limit is [string, number] => limit[1] !== undefined);
  if (known.length === 0) return { tokens: 512, note: say('model.truncationDefault') };
  const [from, tokens] = known.reduce((least, limit) => (limit[1] < least[1] ? limit : least));
  return { tokens, note: say('model.truncationLimit', tokens, from) };
}
