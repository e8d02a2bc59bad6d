import { append } from '../../base/lists';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { CaptiousError, wordsOf, evaluatorError } from '../../base/errors';
import type { Fingerprints } from '../../base/files/fingerprints';
import { say, type Words } from '../../base/say';
import type { Blueprint } from './blueprint';
import type { PairSpec } from './itmScorer';
import { type Json, numberAt, objectAt, stringAt } from './json';
import type { ModelFolder } from './modelFolder';
import type { Port } from '../../protocol/native';
import { pixelInput } from './dualInputs';
import { readOutput, scoreOutputs } from './itmOutput';
import type { GraphHeader, GraphPort } from './onnx/graphPorts';
import { readImageSpec } from './images/preprocessing';
import { aloneNote, dynamicWarning, numbersOf } from './runtime';
import { longestText } from './textEncoder';
import { isTextInput, names, textPorts } from './textTower';

const pixelMask = 'pixel_mask';
/** The names of graph inputs for region features, which an object detector computes. */
const regionInputs = {
  features: ['img_feat', 'visual_feats', 'visual_embeds', 'region_features'],
  boxes: ['img_pos_feat', 'visual_pos', 'region_boxes'],
  mask: ['visual_attention_mask', 'img_mask', 'region_mask'],
};
const spaceOutputs = /^(text|image)_(embeds|embeddings|features)$/;
const takes = (graph: GraphHeader, known: readonly string[]): GraphPort | undefined =>
  graph.inputs.find(({ name }) => known.includes(name));

/** Whether the graph scores an image and a text together. */
export function scoresPairs(folder: ModelFolder, graph: GraphHeader): boolean {
  const sees = takes(graph, [pixelInput, ...regionInputs.features]) !== undefined;
  if (!sees || takes(graph, ['input_ids']) === undefined) return false;
  if (objectAt(folder.json('captious.json'), 'itm') !== undefined) return true;
  if (graph.outputs.some(({ name }) => spaceOutputs.test(name))) return false;
  return graph.outputs.some(({ name }) => scoreOutputs.includes(name));
}

/** Describes a model whose graph maps an image and a text to a score, such as BLIP-ITM, ViLT or UMIC. */
export async function describeItm(
  folder: ModelFolder,
  graph: GraphHeader,
  regionFolder: string | undefined,
  fingerprints: Fingerprints,
): Promise<Blueprint> {
  const options = objectAt(folder.json('captious.json'), 'itm') ?? {};
  const config = folder.require('config.json');
  folder.expect('tokenizer.json');
  folder.take(graph);
  const ports = textPorts(graph);
  const features = takes(graph, regionInputs.features);
  const boxes = takes(graph, regionInputs.boxes);
  const known = [pixelInput, pixelMask, features?.name, boxes?.name, takes(graph, regionInputs.mask)?.name];
  const foreign = graph.inputs.filter(({ name }) => !isTextInput(name) && !known.includes(name));
  if (foreign.length > 0) {
    throw evaluatorError(
      say('model.foreignInputs', names(foreign)),
      say(
        'model.exportJointInputs',
        pixelInput,
        pixelMask,
        [...regionInputs.features, ...regionInputs.boxes].join(', '),
      ),
      graph.path,
    );
  }
  const { output, note } = readOutput(folder, graph, config, options);
  const { precision, dynamic, alone, note: numbersNote } = numbersOf(graph);
  const max = longestText(folder, undefined, ports.fixedLength, numberAt(options, 'maxLength'));
  const notes = [note];
  if (max.note !== undefined) notes.push(max.note);
  if (numbersNote !== undefined) notes.push(numbersNote);
  if (dynamic) notes.push(say('model.pairsScoredSingly'), dynamicWarning);
  else if (alone) notes.push(aloneNote);
  const sight = readSight(folder, graph, regionFolder);
  append(notes, sight.notes);
  const regions =
    regionFolder === undefined || sight.regions === undefined
      ? undefined
      : await readRegionFolder(folder, regionFolder, fingerprints);
  const rows = (features ?? takes(graph, [pixelInput]))!.shape[0];
  return {
    kind: 'pair-scorer',
    scores: ['image-text'],
    scale: output.read === 'logit' ? { name: 'own' } : { name: 'own', low: 0, high: 1 },
    prefix: stringAt(options, 'prefix') ?? '',
    precision,
    notes,
    pair: {
      graph: graph.path,
      ...(regions === undefined ? {} : { regionFiles: regions.paths }),
      spec: {
        inputs: ports.inputs,
        maskCovers: features === undefined ? 'text' : maskCovers(folder, graph, config, options),
        pixels: sight.pixels,
        regions: sight.regions,
        ...(regions === undefined ? {} : { regionsSha256: regions.sha256 }),
        output,
        fixedRows: alone ? 1 : typeof rows === 'number' ? rows : ports.fixedRows,
        rules: { max: max.tokens, fixed: ports.fixedLength, attendPadding: false, prompt: '' },
      },
    },
  };
}

/** How the model receives images: as pixels or as a detector's region features. */
function readSight(
  folder: ModelFolder,
  graph: GraphHeader,
  regionFolder: string | undefined,
): Pick<PairSpec, 'pixels' | 'regions'> & { notes: Words[] } {
  const features = takes(graph, regionInputs.features);
  const boxes = takes(graph, regionInputs.boxes);
  if (features === undefined) {
    const image = readImageSpec(folder, graph, pixelInput);
    const pixels: PairSpec['pixels'] = {
      input: pixelInput,
      inputType: takes(graph, [pixelInput])!.type === 'float16' ? 'float16' : undefined,
      spec: image.spec,
      mask: integerPort(graph, [pixelMask]),
    };
    return { pixels, regions: undefined, notes: image.notes };
  }
  if (regionFolder === undefined) {
    throw new CaptiousError('evaluator', say('model.needsRegionFeatures', features.name), {
      at: graph.path,
      remedy: say('model.provideRegionFeatures'),
    });
  }
  const regions = {
    features: { input: features.name, columns: columnsOf(graph, features) },
    ...(boxes === undefined ? {} : { boxes: { input: boxes.name, columns: columnsOf(graph, boxes) } }),
    mask: integerPort(graph, regionInputs.mask),
  };
  const notes = [say('model.alteredImagesUnseen')];
  return { pixels: undefined, regions, notes };
}

/** Lists and hashes all features, because any of them may change a score. */
async function readRegionFolder(
  model: ModelFolder,
  folder: string,
  fingerprints: Fingerprints,
): Promise<{ paths: [name: string, path: string][]; sha256: string }> {
  let files: string[];
  try {
    files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.split(sep).join('/'))
      .filter((name) => name.endsWith('.npy'));
  } catch (error) {
    throw new CaptiousError('evaluator', say('model.regionFeaturesUnreadable', wordsOf(error)), {
      at: folder,
    });
  }
  if (files.length === 0)
    throw new CaptiousError('evaluator', say('model.regionFeaturesEmpty'), { at: folder });
  const hash = createHash('sha256');
  const paths = files.sort().map((name): [string, string] => [name, join(folder, name)]);
  for (const [name, path] of paths) {
    model.watch(path);
    hash.update(`${name}\n${await fingerprints.sha256(path)}\n`);
  }
  return { paths, sha256: hash.digest('hex') };
}

function integerPort(graph: GraphHeader, known: readonly string[]): Port | undefined {
  const port = takes(graph, known);
  if (port === undefined) return undefined;
  const { name, type } = port;
  if (type === 'int64' || type === 'int32' || type === 'float32' || type === 'bool') return { name, type };
  throw new CaptiousError('evaluator', say('model.maskTypeWrong', name, type), { at: graph.path });
}

function columnsOf(graph: GraphHeader, { name, type, shape }: GraphPort): number {
  const columns = shape.at(-1);
  if (type === 'float32' && shape.length === 3 && typeof columns === 'number') return columns;
  throw new CaptiousError(
    'evaluator',
    say('model.regionInputShape', name, type, shape.map((dim) => dim ?? '?').join(', ')),
    { at: graph.path, remedy: say('model.exportWithDynamicAxes') },
  );
}

/** Whether the attention mask covers only tokens (`text`) or, as in models like UNITER, also regions (`all`). */
function maskCovers(folder: ModelFolder, graph: GraphHeader, config: Json, options: Json): 'text' | 'all' {
  const said = stringAt(options, 'attention');
  if (said === 'text' || said === 'all') return said;
  const length = (name: string): number | string | undefined => takes(graph, [name])?.shape[1];
  const mask = length('attention_mask');
  if (takes(graph, ['attention_mask']) === undefined || takes(graph, regionInputs.mask) !== undefined)
    return 'text';
  if (/^(uniter|umic|villa|oscar|vinvl)/.test(stringAt(config, 'model_type') ?? '')) return 'all';
  if (mask !== undefined && mask === length('input_ids')) return 'text';
  throw new CaptiousError('evaluator', say('model.attentionScopeUnclear'), {
    at: join(folder.path, 'captious.json'),
    remedy: say('model.setAttentionScope'),
  });
}
