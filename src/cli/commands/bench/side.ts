import { chooseFrom } from '../../../base/text/nearest';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../../../base/outcome';
import {
  CaptiousError,
  evaluatorError,
  inputError,
  throwIfCancelled,
  usageError,
} from '../../../base/errors';
import { english } from '../../../base/english';
import { temporaryFolder } from '../../../base/files/temporary';
import type { Evaluator } from '../../../evaluator/evaluator';
import { offeredProviders, providers, runtimePackage, useCpu } from '../../../evaluator/model/runtime';
import { parseReference, type Reference } from '../../../evaluator/reference';
import type { OpenOptions } from '../../../evaluator/open';
import { decisionsOf, type Items } from './items';
import { scoresOf, type Speeds, speedsOf, type Wish } from './measure';
import { readJson } from '../../../base/files/readJson';
import { anything, holding, list, number, optional, text } from '../../../base/shape';

/** The nodes that one execution provider ran, and their share of the time. */
interface Placement {
  /** ONNX Runtime's name, such as CUDAExecutionProvider. */
  provider: string;
  nodes: number;
  /** The provider's share of the time of all nodes, from 0 to 1. */
  share: number;
}

const events = list(
  holding({
    cat: optional(anything()),
    dur: optional(number),
    args: optional(holding({ provider: optional(text) })),
  }),
);
const limits = { bytes: 256 << 20, parts: 1 << 24 };

/** Reads ONNX Runtime's profiles in a folder. Only they show which nodes it silently moved to the CPU. */
async function readPlacement(folder: string): Promise<Placement[]> {
  const found = new Map<string, { nodes: number; time: number }>();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json'))) {
    for (const { cat, dur = 0, args } of events(await readJson(join(folder, name), limits), name)) {
      if (cat !== 'Node' || args?.provider === undefined) continue;
      const sum = found.get(args.provider) ?? { nodes: 0, time: 0 };
      found.set(args.provider, { nodes: sum.nodes + 1, time: sum.time + dur });
    }
  }
  const whole = [...found.values()].reduce((sum, { time }) => sum + time, 0);
  return [...found]
    .map(([provider, { nodes, time }]) => ({ provider, nodes, share: whole === 0 ? 0 : time / whole }))
    .sort((a, b) => b.share - a.share);
}

/** Whether the provider ran any node. `provider` is a value of the option --provider. */
function ranOn(placements: readonly Placement[], provider: string): boolean {
  return placements.some((one) => one.provider.toLowerCase().startsWith(provider) && one.nodes > 0);
}

function placementWords(placements: readonly Placement[]): string {
  return placements
    .map(
      ({ provider, nodes, share }) =>
        `${provider.replace('ExecutionProvider', '')}: ${nodes} nodes, ${(100 * share).toFixed(0)} % of the time`,
    )
    .join('; ');
}

export interface Side {
  provider: string;
  /** The device or providers that actually ran. */
  ran: string;
  speeds: Speeds;
  scores: Outcome<number>[];
}

export interface Subject {
  ref: string;
  home: string;
  items: Items;
  wish: Wish;
  open: (ref: string, more: Pick<OpenOptions, 'provider' | 'profile'>) => Promise<Evaluator>;
}

/** Measures an evaluator, and checks that the provider ran. Default: CPU, or a Python evaluator's choice. */
export async function measureSide(subject: Subject, asked?: string): Promise<Side> {
  const { ref, items, wish } = subject;
  const inPython = checkLocal(innermost(parseReference(ref, { home: subject.home })), ref);
  const provider = asked ?? (inPython ? 'own device' : 'cpu');
  if (!inPython) checkOffered(provider);
  const folder = await temporaryFolder('bench');
  const attempt = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throwIfCancelled(wish.signal);
      throw asked === undefined || asked === 'cpu' ? error : withRemedy(error, asked, inPython);
    }
  };
  let evaluator: Evaluator | undefined;
  try {
    const opening = inPython
      ? subject.open(asked === undefined ? ref : onDevice(ref, asked), {})
      : subject.open(ref, { provider, profile: join(folder, 'graph') });
    evaluator = await attempt(opening);
    const { info } = evaluator;
    const decisions = decisionsOf(items, info.scores);
    if (decisions.length === 0)
      throw inputError(
        `${info.name} has nothing to score in this dataset.`,
        'Use a dataset with at least three different captions, or at least two images with different captions if the evaluator needs images. If the images were not found, add --images DIR.',
      );
    const scores = await attempt(scoresOf(evaluator, decisions, wish));
    const [first] = scores;
    if (!first.ok && scores.every(({ ok }) => !ok))
      throw evaluatorError(
        `No pair has a score: ${english(first.problem)}.`,
        'Check the images and captions with "captious inspect".',
      );
    const ran = inPython ? deviceOf(evaluator, asked) : await placementOf(folder, provider, ref);
    return { provider, ran, speeds: await speedsOf(evaluator, items, decisions, wish), scores };
  } finally {
    await evaluator?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function innermost(reference: Reference): Reference {
  return reference.type === 'metric' || reference.type === 'referenced' ? innermost(reference.of) : reference;
}

function checkLocal({ type }: Reference, ref: string): boolean {
  if (type === 'python') return true;
  if (type === 'remote' || type === 'editor' || type === 'overlap')
    throw usageError(
      `${ref} does not run a model on this computer.`,
      'Choose a model folder, an installed encoder, or an evaluator in Python.',
    );
  return false;
}

function checkOffered(provider: string): void {
  const offered = ['cpu', ...offeredProviders()];
  if (offered.includes(provider)) return;
  throw usageError(
    providers.includes(provider)
      ? `ONNX Runtime for ${process.platform} does not include the provider ${provider}.`
      : `"${provider}" is not a known provider.`,
    chooseFrom(provider, offered),
  );
}

/** Sets the `device` argument of a Python evaluator. */
export function onDevice(ref: string, device: string): string {
  const [whole, query = ''] = ref.split(/\?(.*)/s);
  const rest = query.split('&').filter((one) => one !== '' && !one.startsWith('device='));
  return `${whole}?${[...rest, `device=${encodeURIComponent(device)}`].join('&')}`;
}

function deviceOf({ info }: Evaluator, device: string | undefined): string {
  if (device === undefined) return info.provider;
  if (info.provider.split(', ').some((part) => part.startsWith(device))) return info.provider;
  throw evaluatorError(
    `${info.name} did not run on ${device}. It ran with ${info.provider}.`,
    'The class must use its argument "device", and info() must not name another device.',
  );
}

async function placementOf(folder: string, provider: string, ref: string): Promise<string> {
  const placement = await readPlacement(folder);
  if (placement.length === 0)
    throw usageError(
      `${ref} runs no ONNX graph on this computer.`,
      'Choose a model folder, an installed encoder, or an evaluator in Python.',
    );
  if (ranOn(placement, provider)) return placementWords(placement);
  throw evaluatorError(
    `ONNX Runtime loaded the model with the provider ${provider}, but ran no node on it (${placementWords(placement)}).`,
    `The provider supports no operator of this model. Use another provider, or --provider cpu in audits.`,
  );
}

/** If an evaluator's error has no remedy or only suggests the CPU, sets a remedy about the provider. */
function withRemedy(error: unknown, provider: string, inPython: boolean): unknown {
  if (!(error instanceof CaptiousError) || error.kind !== 'evaluator') return error;
  const { at, cause } = error.details;
  if (error.remedy !== undefined && error.remedy !== english(useCpu)) return error;
  const remedy = inPython
    ? 'Run "captious python" to list the devices that torch can use. A GPU needs its driver and a build of torch for it.'
    : needsOf(provider);
  return new CaptiousError('evaluator', error.message.trim(), {
    ...(at === undefined ? {} : { at }),
    remedy,
    cause: cause ?? error,
  });
}

/** Tells what a provider needs on this machine. */
function needsOf(provider: string): string {
  const { folder } = runtimePackage();
  const script = join(folder, 'script', 'install.js');
  switch (provider) {
    case 'cuda': {
      const library = join(
        folder,
        'bin/napi-v6',
        process.platform,
        process.arch,
        'libonnxruntime_providers_cuda.so',
      );
      if (!existsSync(library) && existsSync(script))
        return `ONNX Runtime's CUDA libraries are not installed. To download them from nuget.org, run: node ${script} --onnxruntime-node-install=cuda12. They need an NVIDIA GPU with its driver, CUDA 12 and cuDNN 9.`;
      return 'Check that "nvidia-smi" lists a GPU, and that the libraries of CUDA 12 and cuDNN 9 are on LD_LIBRARY_PATH.';
    }
    case 'webgpu':
      return 'WebGPU needs a GPU and its driver: Vulkan on Linux, Direct3D 12 on Windows, Metal on macOS.';
    case 'dml':
      return 'DirectML needs a GPU with a driver for Direct3D 12.';
    default:
      return `Check that this computer has a GPU that ${provider} supports.`;
  }
}
