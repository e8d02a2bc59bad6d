import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import { type DenseLayer, readDense } from './dense';
import { booleanAt, type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import type { PoolingMode } from '../../protocol/native';

/** The settings of a sentence-transformers folder. */
export interface SentenceRules {
  pooling: PoolingMode | undefined;
  /** Whether pooling excludes the prompt's tokens. */
  skipPrompt: boolean;
  /** The Dense modules between pooling and normalisation. */
  dense: DenseLayer[];
  normalise: boolean;
  prompt: string;
  maxLength: number | undefined;
  notes: Words[];
}

const poolingFlags: Record<string, PoolingMode> = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_max_tokens: 'max',
  pooling_mode_mean_sqrt_len_tokens: 'mean-sqrt-length',
  pooling_mode_weightedmean_tokens: 'weighted-mean',
  pooling_mode_lasttoken: 'last',
};

/** The values of the field `pooling_mode`, which some folders have instead of the fields in `poolingFlags`. */
const poolingNames: Record<string, PoolingMode> = {
  cls: 'cls',
  mean: 'mean',
  max: 'max',
  mean_sqrt_len_tokens: 'mean-sqrt-length',
  weightedmean: 'weighted-mean',
  lasttoken: 'last',
};

/** Reads the settings. `pooled` means that the graph itself contains the pooling and the later modules. */
export function readSentenceRules(folder: ModelFolder, pooled: boolean): SentenceRules {
  const rules: SentenceRules = {
    pooling: undefined,
    skipPrompt: false,
    dense: [],
    normalise: false,
    prompt: '',
    maxLength: numberAt(folder.json('sentence_bert_config.json'), 'max_seq_length'),
    notes: [],
  };
  if (!pooled) readModules(folder, rules);
  readPrompt(folder, rules);
  return rules;
}

function readModules(folder: ModelFolder, rules: SentenceRules): void {
  for (const entry of folder.list('modules.json') ?? []) {
    const type = stringAt(entry as Json, 'type') ?? '';
    const path = stringAt(entry as Json, 'path') ?? '';
    switch (type.split('.').pop()) {
      case 'Transformer':
        break;
      case 'Pooling':
        readPooling(folder, `${path}/config.json`, rules);
        break;
      case 'Dense': {
        if (rules.normalise) throw unknownOrder(folder);
        const layer = readDense(folder, path);
        rules.dense.push(layer);
        rules.notes.push(
          say('model.denseAfterPooling', layer.inputs, layer.outputs, layer.activation, layer.weights),
        );
        break;
      }
      case 'Normalize':
        rules.normalise = true;
        rules.notes.push(say('model.embeddingsNormalised'));
        break;
      default:
        throw new CaptiousError('evaluator', say('model.moduleUnknown', type), {
          at: join(folder.path, 'modules.json'),
          remedy: say('model.exportWithAllModules'),
        });
    }
  }
}

function unknownOrder(folder: ModelFolder): CaptiousError {
  return new CaptiousError('evaluator', say('model.denseAfterNormalize'), {
    at: join(folder.path, 'modules.json'),
    remedy: say('model.useSupportedModuleOrder'),
  });
}

function readPooling(folder: ModelFolder, name: string, rules: SentenceRules): void {
  const config = folder.require(name);
  const flags = Object.entries(poolingFlags).filter(([flag]) => config[flag] === true);
  const named = stringAt(config, 'pooling_mode');
  const modes =
    flags.length > 0 ? flags.map(([, mode]) => mode) : named === undefined ? [] : [poolingNames[named]];
  if (modes.length !== 1 || modes[0] === undefined) {
    throw new CaptiousError('evaluator', say('model.poolingModesNotOne'), {
      at: join(folder.path, name),
      remedy: say('model.setOnePoolingMode', Object.keys(poolingFlags).join(', ')),
    });
  }
  rules.pooling = modes[0];
  rules.skipPrompt = booleanAt(config, 'include_prompt') === false;
  rules.notes.push(say('model.poolingFromFile', modes[0], name));
}

function readPrompt(folder: ModelFolder, rules: SentenceRules): void {
  const config = folder.json('config_sentence_transformers.json');
  const prompts = objectAt(config, 'prompts') ?? {};
  const chosen = stringAt(config, 'default_prompt_name');
  if (chosen !== undefined) {
    rules.prompt = stringAt(prompts, chosen) ?? '';
    rules.notes.push(say('model.defaultPromptPrefix', rules.prompt));
  } else if (Object.values(prompts).some((prompt) => prompt !== '')) {
    rules.notes.push(say('model.promptsWithoutDefault', Object.keys(prompts).join(', ')));
  }
}
