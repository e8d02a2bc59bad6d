import { sha256Of } from '../../base/files/sha256';
import { CaptiousError, throwIfCancelled } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say, type Words } from '../../base/say';
import type { Blueprint } from '../model/blueprint';
import { describeDualEncoder } from '../model/dualEncoder';
import { Engine } from '../native/engine';
import { Engines, type EnginesOptions } from '../native/engines';
import type { Allow, Evaluator, EvaluatorInfo } from '../evaluator';
import { ImageTower } from '../model/imageTower';
import { ModelFolder } from '../model/modelFolder';
import { OipClient, type ModelMetadata, type ModelRef, type OipOptions } from './oip';
import type { GraphHeader } from '../model/onnx/graphPorts';
import { checkPorts } from '../model/onnx/graphPorts';
import { consentTo, needsConsent } from './consent';
import { checkedRemote, isLoopback, placeOf, previewRemote, type RemoteFile } from './remoteFile';
import { RemoteImages, RemoteTexts } from './remoteTower';
import { describeTextEncoder } from '../model/textEncoder';
import { TokenSource } from '../model/tokenSource';
import { TextTower } from '../model/textTower';

/** Increase this number when the code computes different embeddings from the same responses. */
const remoteVersion = 1;
const types: Record<string, string> = {
  INT64: 'int64',
  INT32: 'int32',
  FP32: 'float32',
  FP16: 'float16',
  BOOL: 'bool',
};

export interface RemoteOptions extends OipOptions {
  id: string;
  name: string;
  home?: string;
  signal?: AbortSignal;
  engine?: EnginesOptions;
  allow?: Allow;
}

/** A model folder whose weights are on a server. */
class RemoteFolder extends ModelFolder {
  override take(): void {
    // Nothing to add to the hash, because the graph is not a file of this folder.
  }
}

/** Opens an encoder whose models run on an inference server. Tokenizer and preprocessing run locally. */
export async function openRemote(said: RemoteFile, options: RemoteOptions): Promise<Evaluator> {
  const { signal, home = homeFolder() } = options;
  const { endpoint, batch } = checkedRemote(said);
  // Without the user's consent, Captious sends no request at all, except to a server on this machine.
  const consent = isLoopback(endpoint) ? undefined : await consentTo(placeOf(endpoint), home);
  if (consent?.given === false) {
    await options.allow?.(consent, previewRemote(said, options.name).scores);
    if (!consent.given) throw needsConsent(consent);
  }
  const client = new OipClient(endpoint, {
    ...options,
    ...(said.timeout === undefined ? {} : { deadlineMs: said.timeout * 1000 }),
    ...(said.binary === undefined ? {} : { binary: said.binary }),
  });
  const folder = new RemoteFolder(said.folder);
  const textModel: ModelRef = { name: said.text, version: said.textVersion };
  const imageModel: ModelRef | undefined =
    said.image === undefined ? undefined : { name: said.image, version: said.imageVersion };
  const textSaid = await client.metadata(textModel, signal);
  const same = imageModel !== undefined && client.address(imageModel) === client.address(textModel);
  const imageSaid =
    imageModel === undefined ? undefined : same ? textSaid : await client.metadata(imageModel, signal);
  throwIfCancelled(signal);

  const textGraph = headerOf(textSaid, client.address(textModel));
  const blueprint =
    imageModel === undefined || imageSaid === undefined
      ? describeTextEncoder(folder, textGraph)
      : describeDualEncoder(
          folder,
          textGraph,
          same ? textGraph : headerOf(imageSaid, client.address(imageModel)),
          undefined,
        );
  if (blueprint.image?.spec.preprocessing.patches !== undefined) {
    throw new CaptiousError('evaluator', say('remote.patchesUnsupported'), {
      at: client.address(imageModel ?? textModel),
      remedy: say('remote.useLocalFolder'),
    });
  }
  const info = await describe(
    folder,
    blueprint,
    { endpoint, textModel, imageModel, textSaid, imageSaid, batch, binary: said.binary },
    options,
  );
  const evaluator = build(client, folder, blueprint, info, { textModel, imageModel, batch }, options.engine);
  return consent === undefined ? evaluator : Object.assign(evaluator, { consent });
}

/** Converts the server's metadata of a model to a graph header. */
function headerOf(said: ModelMetadata, path: string): GraphHeader {
  const ports = (list: ModelMetadata['inputs']): GraphHeader['inputs'] =>
    list.map(({ name, datatype, shape }) => ({
      name,
      type: types[datatype] ?? datatype,
      shape: shape.map((dim) => (dim < 0 ? undefined : dim)),
    }));
  return checkPorts({
    path,
    inputs: ports(said.inputs),
    outputs: ports(said.outputs),
    operators: new Set(),
    weights: new Map(),
    scalars: new Map(),
    external: [],
  });
}

interface Facts {
  endpoint: URL;
  textModel: ModelRef;
  imageModel: ModelRef | undefined;
  textSaid: ModelMetadata;
  imageSaid: ModelMetadata | undefined;
  batch: number;
  binary: boolean | undefined;
}

async function describe(
  folder: ModelFolder,
  blueprint: Blueprint,
  facts: Facts,
  { id, name, home = homeFolder() }: RemoteOptions,
): Promise<EvaluatorInfo> {
  const fingerprints = new Fingerprints(storeFolder(home));
  const local = await folder.sha256(fingerprints);
  await fingerprints.flush();
  const { endpoint, textModel, imageModel, textSaid, imageSaid, batch, binary } = facts;
  const place = placeOf(endpoint);
  // Numbers as decimal text may differ in their last bits from binary numbers.
  const form = binary === undefined ? [] : [{ binary }];
  const remote = [place, textModel, textSaid, imageModel, imageSaid, ...form];
  const key = (tower: string, spec: unknown): string =>
    sha256Of(['remote', remoteVersion, tower, local, remote, batch, spec]);
  const { text, image, dimension, scale, prefix, kind, scores } = blueprint;
  const modelWords = ({ version }: ModelRef, { name, versions, platform }: ModelMetadata): Words =>
    say(
      'remote.modelVersion',
      ...[
        name,
        version ?? versions?.join(', ') ?? say('human.systemUnknown'),
        platform === undefined ? '' : `, ${platform}`,
      ],
    );
  return {
    id,
    name,
    kind,
    scores,
    scale,
    prefix,
    ...(dimension === undefined ? {} : { dimension }),
    path: folder.path,
    sha256: sha256Of([local, remote]),
    precision: "the server's own",
    provider: `Open Inference Protocol, ${place}`,
    notes: [
      ...blueprint.notes,
      imageModel === undefined || imageSaid === undefined
        ? say('remote.textsEncodedBy', place, modelWords(textModel, textSaid), batch)
        : say(
            'remote.encodedBy',
            ...[place, modelWords(textModel, textSaid), modelWords(imageModel, imageSaid), batch],
          ),
      say('remote.weightsNotHashed'),
      ...(endpoint.protocol === 'http:' && !isLoopback(endpoint) ? [say('remote.requestsUnencrypted')] : []),
    ],
    ...(text === undefined ? {} : { textKey: key('text', text.spec) }),
    ...(image === undefined ? {} : { imageKey: key('image', image.spec) }),
  };
}

function build(
  client: OipClient,
  folder: ModelFolder,
  { text, image }: Blueprint,
  info: EvaluatorInfo,
  { textModel, imageModel, batch }: Pick<Facts, 'textModel' | 'imageModel' | 'batch'>,
  options?: EnginesOptions,
): Evaluator & { engines: Engines } {
  // A separate process decodes the images.
  const engines = new Engines(1, options);
  const tokenizer = new Engine(options);
  const evaluator: Evaluator & { engines: Engines } = {
    info,
    // Accepts two calls at a time, so that the next batch is sent while the server works.
    parallel: 2,
    engines,
    close: async () => {
      await Promise.all([engines.close(), tokenizer.close()]);
    },
  };
  const ref = (path: string): { path: string; threads: number; provider: string } => ({
    path,
    threads: 1,
    provider: 'oip',
  });
  if (text !== undefined) {
    const tokens = new TokenSource(tokenizer, folder.path, text.spec.rules);
    const tower = new TextTower(
      new RemoteTexts(client, textModel, batch),
      tokens,
      folder,
      ref(text.graph),
      text.spec,
    );
    evaluator.measureTexts = (texts, signal) => tokens.measure(texts, signal);
    evaluator.embedTexts = (texts, signal) => tower.embed(texts, signal);
  }
  if (image !== undefined && imageModel !== undefined) {
    const tower = new ImageTower(
      new RemoteImages(client, imageModel, batch, engines),
      folder,
      ref(image.graph),
      image.spec,
    );
    evaluator.embedImages = (images, signal) => tower.embed(images, signal);
  }
  return evaluator;
}
