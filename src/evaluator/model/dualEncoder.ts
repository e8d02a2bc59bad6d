import { append } from '../../base/lists';
import { join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import { say, type Words } from '../../base/say';
import type { Blueprint } from './blueprint';
import type { Scale } from '../evaluator';
import { type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import { anyImage, anyText, patchPorts, pixelInput, pixelPort, refuseForeign } from './dualInputs';
import type { TokenRules } from '../../protocol/native';
import type { GraphHeader, GraphPort } from './onnx/graphPorts';
import { checkLength } from './onnx/graphPorts';
import { trainedScale } from './onnx/trainedScale';
import { readImageSpec } from './images/preprocessing';
import { aloneNote, dynamicWarning, type Numbers, numbersOf } from './runtime';
import { longestText } from './textEncoder';
import { names, textPorts } from './textTower';

/** The names of outputs with embeddings in the space that texts and images share, best first. */
const outputNames = {
  text: ['text_embeds', 'text_embeddings', 'text_features'],
  image: ['image_embeds', 'image_embeddings', 'image_features'],
};

/** Whether the text graph and the image graph each have an output in the space that texts and images share. */
export function sharesSpace(folder: ModelFolder, text: GraphHeader, vision: GraphHeader): boolean {
  const options = folder.json('captious.json') ?? {};
  const siglip = isSiglip(folder.require('config.json'));
  const ends = (graph: GraphHeader, tower: 'text' | 'image'): boolean =>
    candidates(tower, siglip, options).some((name) => graph.outputs.some((port) => port.name === name));
  return ends(text, 'text') && ends(vision, 'image');
}

/**
 * Describes a CLIP-like model, which encodes texts and images into one space with one graph or two. `whole` is the
 * graph of the whole model, which may contain the scale and the bias of the scores.
 */
export function describeDualEncoder(
  folder: ModelFolder,
  text: GraphHeader,
  vision: GraphHeader,
  whole: GraphHeader | undefined,
): Blueprint {
  const options = folder.json('captious.json') ?? {};
  const config = folder.require('config.json');
  folder.expect('tokenizer.json');
  folder.take(text);
  folder.take(vision);
  const siglip = isSiglip(config);
  const ports = textPorts(text);
  const image = pixelPort(vision);
  const textOutput = chooseOutput(text, 'text', siglip, options);
  const imageOutput = chooseOutput(vision, 'image', siglip, options);
  const dimension = commonDimension(text, textOutput, vision, imageOutput, config);
  const { spec: preprocessing, notes } = readImageSpec(folder, vision, pixelInput);
  const patchInputs = preprocessing.patches === undefined ? undefined : patchPorts(vision);
  refuseForeign(text, vision, patchInputs);

  const rules = textRules(folder, options, siglip, ports.fixedLength, notes);
  const textNumbers = numbersOf(text);
  const imageNumbers = numbersOf(vision);
  append(notes, numberNotes(textNumbers, imageNumbers));
  const activation = activationNote(config, text);
  if (activation !== undefined) notes.push(activation);
  const scale = chooseScale(folder, options, siglip ? whole : undefined, notes);
  if (siglip && scale.name === 'cosine') {
    notes.push(say('model.plainCosines'));
  }

  const batch = typeof image.shape[0] === 'number' ? image.shape[0] : undefined;
  const oneGraph = text.path === vision.path;
  return {
    kind: 'dual-encoder',
    scores: ['text-text', 'image-text', 'image-image'],
    scale,
    prefix: stringAt(options, 'prefix') ?? '',
    precision:
      textNumbers.precision === imageNumbers.precision
        ? textNumbers.precision
        : `${textNumbers.precision} (text), ${imageNumbers.precision} (image)`,
    notes,
    dimension,
    text: {
      graph: text.path,
      spec: {
        inputs: ports.inputs,
        constants: oneGraph ? anyImage(image, patchInputs, preprocessing, batch ?? 1) : [],
        output: { name: textOutput, pooling: 'none', normalise: false },
        skipPrompt: false,
        fixedRows: textNumbers.alone ? 1 : ports.fixedRows,
        rules,
      },
    },
    image: {
      graph: vision.path,
      spec: {
        input: pixelInput,
        ...(image.type === 'float16' ? { inputType: image.type } : {}),
        ...(patchInputs === undefined ? {} : { patchInputs }),
        constants: oneGraph ? anyText(text, ports.fixedLength, ports.fixedRows) : [],
        output: { name: imageOutput, pooling: 'none', skip: 0, normalise: false },
        fixedRows: imageNumbers.alone ? 1 : batch,
        preprocessing,
      },
    },
  };
}

function isSiglip(config: Json): boolean {
  return (stringAt(config, 'model_type') ?? '').startsWith('siglip');
}

function candidates(tower: 'text' | 'image', siglip: boolean, options: Json): readonly string[] {
  const wished = stringAt(objectAt(options, tower), 'output');
  if (wished !== undefined) return [wished];
  // SigLIP has no projections, because its encoders' outputs are already in the shared space.
  return siglip ? [...outputNames[tower], 'pooler_output'] : outputNames[tower];
}

function chooseOutput(graph: GraphHeader, tower: 'text' | 'image', siglip: boolean, options: Json): string {
  const found = candidates(tower, siglip, options).find((name) =>
    graph.outputs.some((port) => port.name === name),
  );
  if (found === undefined) {
    throw new CaptiousError('evaluator', say('model.embeddingOutputMissing', tower, names(graph.outputs)), {
      at: graph.path,
      remedy: say('model.exportOrSetEmbedding', outputNames[tower][0], tower),
    });
  }
  const { shape, type } = portOf(graph, found);
  if (shape.length !== 0 && shape.length !== 2) {
    throw new CaptiousError(
      'evaluator',
      say('model.embeddingOutputShape', found, type, shape.map((dim) => dim ?? '?').join(', ')),
      { at: graph.path, remedy: say('model.exportWithProjection') },
    );
  }
  return found;
}

function portOf(graph: GraphHeader, name: string): GraphPort {
  return graph.outputs.find((port) => port.name === name)!;
}

function commonDimension(
  text: GraphHeader,
  textOutput: string,
  vision: GraphHeader,
  imageOutput: string,
  config: Json,
): number | undefined {
  const width = (graph: GraphHeader, name: string): number | undefined => {
    const last = portOf(graph, name).shape.at(-1);
    return typeof last === 'number' ? last : undefined;
  };
  const [a, b] = [width(text, textOutput), width(vision, imageOutput)];
  if (a !== undefined && b !== undefined && a !== b) {
    throw new CaptiousError('evaluator', say('model.towersDifferInLength', a, b), {
      at: text.path,
      remedy: say('model.checkTowersMatch', text.path, vision.path),
    });
  }
  // BLIP models do not use their projection_dim, so image_text_hidden_size comes first.
  return a ?? b ?? numberAt(config, 'image_text_hidden_size') ?? numberAt(config, 'projection_dim');
}

/**
 * Returns a warning if config.json and the graph have different activation functions. The difference between GELU
 * and QuickGELU, x·σ(1.702x), changes every score slightly.
 */
function activationNote(config: Json, graph: GraphHeader): Words | undefined {
  const said = stringAt(objectAt(config, 'text_config') ?? config, 'hidden_act');
  const exact = graph.operators.has('Erf') || graph.operators.has('Gelu');
  const quick = graph.operators.has('QuickGelu') || (graph.operators.has('Sigmoid') && !exact);
  if (said === 'quick_gelu' && exact && !quick) return say('model.graphComputesGelu');
  if (said === 'gelu' && quick) return say('model.graphComputesQuickGelu');
  return undefined;
}

function textRules(
  folder: ModelFolder,
  options: Json,
  siglip: boolean,
  fixedLength: number | undefined,
  notes: Words[],
): TokenRules {
  const padLeft = siglip && stringAt(folder.json('tokenizer_config.json'), 'padding_side') === 'left';
  const wishedMax = numberAt(objectAt(options, 'text'), 'maxLength');
  const max = longestText(folder, undefined, fixedLength, wishedMax);
  if (siglip) checkLength(max.tokens, folder.path);
  if (max.note !== undefined) notes.push(max.note);
  if (siglip) notes.push(padLeft ? say('model.paddedOnLeft', max.tokens) : say('model.padded', max.tokens));
  else if (fixedLength !== undefined) notes.push(say('model.fixedTextLength', fixedLength));
  return {
    max: max.tokens,
    fixed: siglip ? max.tokens : fixedLength,
    attendPadding: siglip,
    ...(padLeft ? { padLeft } : {}),
    prompt: '',
  };
}

function numberNotes(text: Numbers, image: Numbers): Words[] {
  const notes: Words[] = [];
  if (text.note !== undefined) notes.push(say('model.textNote', text.note));
  if (image.note !== undefined) notes.push(say('model.imageNote', image.note));
  if (text.dynamic || image.dynamic) notes.push(say('model.itemsEncodedSingly'), dynamicWarning);
  else if (text.alone || image.alone) notes.push(aloneNote);
  return notes;
}

/** The scale from captious.json, or else from the graph of the whole model. Without either, scores are cosines. */
function chooseScale(
  folder: ModelFolder,
  options: Json,
  whole: GraphHeader | undefined,
  notes: Words[],
): Scale {
  const said = readScale(options, folder);
  const trained = said === undefined && whole !== undefined ? trainedScale(whole) : undefined;
  if (whole === undefined || trained === undefined) return said ?? { name: 'cosine' };
  folder.take(whole);
  notes.push(
    say('model.sigmoidFromGraph', trained.factor, trained.bias < 0 ? '−' : '+', Math.abs(trained.bias)),
  );
  return trained;
}

function readScale(options: Json, folder: ModelFolder): Scale | undefined {
  const scale = objectAt(options, 'scale');
  if (scale === undefined) return undefined;
  const weight = numberAt(scale, 'weight');
  const factor = numberAt(scale, 'factor');
  const bias = numberAt(scale, 'bias');
  if (scale.name === 'cosine') return { name: 'cosine' };
  if (scale.name === 'clipped' && weight !== undefined) return { name: 'clipped', weight };
  if (scale.name === 'sigmoid' && factor !== undefined && bias !== undefined)
    return { name: 'sigmoid', factor, bias };
  throw new CaptiousError('evaluator', say('model.scaleInvalid'), {
    at: join(folder.path, 'captious.json'),
    remedy: say('model.useKnownScale'),
  });
}
