import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { sha256Of } from '../../base/files/sha256';
import type { CaptiousError } from '../../base/errors';
import { evaluatorError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { english } from '../../base/english';
import { say } from '../../base/say';
import type { Described, OpenAsk } from '../../protocol/python';
import type { Allow, Evaluator, EvaluatorInfo } from '../evaluator';
import type { EngineOptions } from '../native/engine';
import { mayRun, mayStart } from './consent';
import { identityOf } from './identity';
import { Inputs } from './inputs';
import { type PythonInfo, readInfo } from './info';
import { findInterpreter, type Interpreter, type InterpreterChoice } from './interpreter';
import { type PythonSaid, portable } from './reference';
import type { NameFolders } from '../../dataset/images/nameFolders';
import { readReferences, type References } from '../overlap/references';
import { withScripts } from './scripts';
import { bridgeTo } from './link';
import { guarantees, ranBy } from './notes';
import { PythonTowers } from './towers';
import { Watch } from './watch';
import { PythonWorker } from './worker';

/** How to find Python, and which code needs consent. */
export interface PythonOptions extends Omit<InterpreterChoice, 'file'> {
  /** Whether even code that the user named needs consent. Code that an evaluator file names always does. */
  confirm?: boolean;
  /** The dataset's folder. An interpreter inside it needs consent. */
  folders?: readonly string[];
}

export interface OpenPythonOptions {
  id: string;
  name?: string;
  path?: string;
  /** The reference that opens the evaluator from any folder. Absent for evaluator files. */
  absolute?: string;
  home?: string;
  signal?: AbortSignal;
  python?: PythonOptions;
  /** Whether a file, and not the user, named the evaluator. */
  named: boolean;
  allow?: Allow;
  threads?: number;
  /** The largest batch of texts, images or pairs. It replaces the `batch` that info() returns. */
  batch?: number;
  /** Reads the run's reference captions. Used if the evaluator needs references and has no file of its own. */
  references?: () => Promise<References>;
  /** The folders in the image names of the dataset, for the evaluator's own references. */
  imageFolders?: () => Promise<NameFolders | undefined>;
  engine?: EngineOptions;
  onNotice?: (message: string) => void;
}

const usualTimeout = 600;
const usualTexts = 128;
const usualImages = 32;

/** Opens an evaluator whose code and model run in a process of the user's Python. */
export async function openPython(said: PythonSaid, options: OpenPythonOptions): Promise<Evaluator> {
  const { home = homeFolder(), python = {}, allow, onNotice = () => undefined } = options;
  const interpreter = findInterpreter({ ...python, file: said.python });
  const fingerprints = new Fingerprints(storeFolder(home));
  const sha256 = said.file === undefined ? undefined : await fingerprints.sha256(said.file);
  const asking = { home, fingerprints, allow };
  // A live object is code that the user runs already. Only the bridge to it starts, which is Captious's own.
  if (said.live === undefined && (options.named || python.confirm === true))
    await mayRun(said, sha256, interpreter, asking);
  else await mayStart(interpreter, python.folders ?? [], asking);
  onNotice(`${options.id}: Python is ${interpreter.argv.join(' ')}, ${english(interpreter.how)}.`);
  return withScripts(home, allow, (scripts) =>
    openWith(said, options, { interpreter, fingerprints, sha256, scripts }),
  );
}

interface Start {
  interpreter: Interpreter;
  fingerprints: Fingerprints;
  sha256: string | undefined;
  scripts: readonly string[];
}

async function openWith(
  said: PythonSaid,
  options: OpenPythonOptions,
  { interpreter, fingerprints, sha256, scripts }: Start,
): Promise<Evaluator> {
  const { onNotice = () => undefined } = options;
  const folder = said.file === undefined ? process.cwd() : dirname(said.file);
  const inputs = await Inputs.of(inputsOf(said), folder, fingerprints);
  const worker = (): PythonWorker =>
    new PythonWorker({
      interpreter,
      said: { folder, ...codeOf(said, sha256), args: said.args, scripts: [...scripts] },
      ...(said.live === undefined ? {} : { script: bridgeTo(said.live) }),
      stallMs: 1000 * (said.timeout ?? usualTimeout),
      threads: options.threads,
      killAfterMs: options.engine?.killAfterMs,
      tell: (words) => onNotice(`${options.id}: ${words}`),
    });
  const workers = [worker()];
  try {
    const described = await workers[0].open(options.signal);
    while (workers.length < (said.workers ?? 1)) workers.push(worker());
    const at = said.file ?? options.path ?? options.id;
    const info = readInfo(described, at);
    const references = described.references ? await referencesFor(said, options, at) : undefined;
    if (said.references !== undefined && references === undefined) throw takesNone(at);
    const { object = said.live, adapter, args } = said;
    const identity = await identityOf(
      { object, adapter, args: portable(args, folder), inputs: inputs.contents },
      described,
      folder,
      info.weights ?? [],
      fingerprints,
    );
    await fingerprints.flush();
    return build(
      workers,
      info,
      described,
      { identity, interpreter, references, inputs },
      options,
      at,
      said.live !== undefined,
    );
  } catch (error) {
    await Promise.all(workers.map((one) => one.close()));
    throw error;
  }
}

function codeOf(
  { live, file, object, adapter }: PythonSaid,
  sha256: string | undefined,
): Pick<OpenAsk, 'file' | 'object' | 'adapter' | 'sha256'> {
  if (live !== undefined) return { object: live };
  return file === undefined ? { adapter } : { file, object, sha256 };
}

/** The arguments that name the weights of adapters. info() lists the files that the adapter reads there. */
const listed = ['model', 'pretrained', 'model_name_or_path'];

function inputsOf({ adapter, args }: PythonSaid): Record<string, unknown> {
  if (adapter === undefined) return args;
  return Object.fromEntries(Object.entries(args).filter(([key]) => !listed.includes(key)));
}

/** The references of the evaluator's own file, or else those of the run. */
async function referencesFor(
  { references }: PythonSaid,
  { signal, references: ofRun, imageFolders }: OpenPythonOptions,
  at: string,
): Promise<References> {
  if (references !== undefined) return readReferences(references, signal, await imageFolders?.());
  if (ofRun !== undefined) return ofRun();
  throw evaluatorError(say('python.referencesMissing'), say('python.nameReferencesFile'), at);
}

function takesNone(at: string): CaptiousError {
  return evaluatorError(say('python.referencesParameterMissing'), say('python.addReferencesParameter'), at);
}

interface Facts {
  identity: string;
  interpreter: Interpreter;
  references: References | undefined;
  inputs: Inputs;
}

function build(
  workers: readonly PythonWorker[],
  info: PythonInfo,
  described: Described,
  { identity, interpreter, references, inputs }: Facts,
  { id, name, path, absolute, engine, batch }: OpenPythonOptions,
  at: string,
  isLive: boolean,
): Evaluator {
  const isKept = info.weights !== undefined && inputs.unknown === undefined;
  const rerank = info.rerank === undefined ? [] : [info.rerank];
  const sha256 = sha256Of([identity, references?.sha256 ?? null, ...rerank]);
  // If not all files are known, they may change before the next run, so runs do not share results.
  const run = isKept ? '' : randomBytes(16).toString('hex');
  const { can } = described;
  const texts = batch ?? info.batch ?? usualTexts;
  const images = batch ?? info.batch ?? usualImages;
  const notes = [
    ...info.notes,
    ...ranBy(described, interpreter),
    ...guarantees(info, inputs, texts, images, isLive),
  ];
  const key = (tower: string): string => sha256Of([sha256, tower, texts, images, run]);
  const evaluatorInfo: EvaluatorInfo = {
    id,
    name: name ?? info.name ?? id,
    kind: info.kind,
    path: path ?? absolute ?? at,
    sha256,
    scores: info.scores,
    precision: described.dtype ?? 'computed by the evaluator',
    provider: providerOf(described),
    scale: info.scale,
    prefix: info.prefix,
    notes,
    ...(can.embed_texts ? { textKey: key('text') } : {}),
    ...(can.embed_images ? { imageKey: key('image') } : {}),
    ...(can.score ? { pairKey: key('pair') } : {}),
  };
  const watch = new Watch(described, inputs);
  const towers = new PythonTowers(workers, described, watch, notes, engine);
  return {
    info: evaluatorInfo,
    parallel: workers.length,
    ...(references === undefined ? {} : { references }),
    fixedBatches: { texts, images },
    ...(isKept ? {} : { kept: false }),
    uncovered: () => ({ ...(isKept ? {} : { [at]: '' }), ...watch.late }),
    ...(info.rerank === undefined ? {} : { rerank: info.rerank }),
    ...(can.truncated ? { measureTexts: (list, signal) => towers.measure(list, signal) } : {}),
    ...(can.embed_texts ? { embedTexts: (list, signal) => towers.texts(list, signal) } : {}),
    ...(can.embed_images ? { embedImages: (list, signal) => towers.images(list, signal) } : {}),
    ...(can.score ? { scorePairs: (pairs, signal) => towers.pairs(pairs, signal) } : {}),
    close: () => towers.close(),
  };
}

function providerOf({ python, versions, device, gpu }: Described): string {
  const torch = versions.torch === undefined ? '' : `, torch ${versions.torch}`;
  return `Python ${python}${torch}, ${device}${gpu === undefined ? '' : ` (${gpu})`}`;
}
