import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { CaptiousError } from '../../base/errors';
import type { Resampler } from '../../protocol/imageSpec';
import { precisions } from './modelFolder';
import type { GraphHeader } from './onnx/graphPorts';
import { readJsonSync } from '../../base/files/readJson';
import { versions } from '../../base/files/versions';
import { say, type Words } from '../../base/say';
import { readGraphNodes } from './onnx/onnxHeader';

/** The supported execution providers, by their names in ONNX Runtime. */
export const providers: readonly string[] = ['cpu', 'cuda', 'coreml', 'dml', 'webgpu'];

/** The remedy if a model cannot be loaded with a provider other than the CPU. */
export const useCpu = say('model.useCpuProvider');

/** The providers besides the CPU on each platform, in the order in which `auto` tries them. */
const offered: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['coreml', 'webgpu'],
  linux: ['cuda', 'webgpu'],
  win32: ['dml', 'webgpu'],
};

export function offeredProviders(platform: NodeJS.Platform = process.platform): readonly string[] {
  return offered[platform] ?? [];
}

export interface Runtime {
  threads: number;
  provider: string;
  precision: string;
  profile?: string;
}

export interface RuntimeOptions {
  /** The default is one thread per core. */
  threads?: number;
  /** The default is `cpu`. With `auto`, Captious selects a provider when it opens an evaluator. */
  provider?: string;
  /** The default is `float32`. */
  precision?: string;
  /** The resizing library. The default is `image.resize` in the folder's captious.json, or else Pillow. */
  resize?: Resampler;
  /** The path prefix of profiles. The first run of each graph is profiled. */
  profile?: string;
}

/** Short names of precisions that options accept. */
const shortPrecisions: Record<string, string> = { fp32: 'float32', fp16: 'float16' };

export function precisionNamed(name: string): string {
  const precision = shortPrecisions[name] ?? name;
  check('precision', precision, precisions);
  return precision;
}

export function runtimeOf(options: RuntimeOptions): Runtime {
  const provider = options.provider ?? 'cpu';
  const precision = precisionNamed(options.precision ?? 'float32');
  const threads = options.threads ?? availableParallelism();
  check('provider', provider, providers, ['auto', ...providers]);
  if (!Number.isInteger(threads) || threads < 1) {
    throw new CaptiousError('usage', say('model.threadsInvalid', threads));
  }
  return {
    provider,
    precision,
    threads,
    ...(options.profile === undefined ? {} : { profile: options.profile }),
  };
}

function check(what: string, value: string, known: readonly string[], shown = known): void {
  if (known.includes(value)) return;
  throw new CaptiousError('usage', say('model.runtimeSettingUnknown', value, what), {
    remedy: say('fetch.chooseFrom', shown.join(', ')),
  });
}

let installed: string | undefined;

/** The version of ONNX Runtime. Store keys include it, because versions may round differently. */
export function runtimeVersion(): string {
  installed ??= runtimePackage().version;
  return versions()['onnxruntime-node'] ?? installed;
}

export function runtimePackage(): { folder: string; version: string } {
  let folder: string;
  try {
    folder = dirname(createRequire(__filename).resolve('onnxruntime-node'));
  } catch (error) {
    throw new CaptiousError('evaluator', say('model.runtimeNotInstalled'), {
      remedy: say('model.reinstallCaptious'),
      cause: error,
    });
  }
  for (;;) {
    const json = manifest(join(folder, 'package.json'));
    if (json?.name === 'onnxruntime-node' && json.version !== undefined)
      return { folder, version: json.version };
    if (dirname(folder) === folder) throw new Error('onnxruntime-node has no package.json.');
    folder = dirname(folder);
  }
}

function manifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return readJsonSync(path) as { name?: string; version?: string };
  } catch {
    return undefined;
  }
}

export interface Numbers {
  /** The graph's actual precision, even if the name of its file states another one. */
  precision: string;
  /** Whether the graph quantises activations by batch, so that the values of a row depend on the other rows. */
  dynamic: boolean;
  /** Whether items are encoded one at a time. Rows are known to be independent of their batch only in float32. */
  alone: boolean;
  note?: Words;
}

export const aloneNote = say('model.lowPrecisionItemsSingly');

export const dynamicWarning = say('model.quantisedAtRunTime');

export function numbersOf(graph: GraphHeader): Numbers {
  const { operators, weights } = graph;
  const dynamic = ['DynamicQuantizeLinear', 'MatMulInteger', 'ConvInteger'].some((name) =>
    operators.has(name),
  );
  if (dynamic) return { precision: 'int8', dynamic, alone: true };
  if (operators.has('MatMulNBits')) return { precision: 'q4', dynamic, alone: true };
  const stored = mainType(weights);
  if (stored === 'float32' || !widens(graph, stored))
    return { precision: stored, dynamic, alone: stored !== 'float32' };
  return { precision: 'float32', dynamic, alone: false, note: say('model.storedPrecision', stored) };
}

/** The element type with the most bytes of weights. */
function mainType(weights: GraphHeader['weights']): string {
  const bytes = new Map<string, number>();
  for (const weight of weights.values()) bytes.set(weight.type, (bytes.get(weight.type) ?? 0) + weight.bytes);
  const [largest] = [...bytes].sort((a, b) => b[1] - a[1]);
  return largest?.[0] ?? 'float32';
}

/** Whether the graph converts every weight of this type before use. If so, it computes in another type. */
function widens({ path, weights }: GraphHeader, type: string): boolean {
  const narrow = (name: string): boolean => weights.get(name)?.type === type;
  return readGraphNodes(path).every(
    ({ operator, inputs }) => operator === 'Cast' || operator === 'DequantizeLinear' || !inputs.some(narrow),
  );
}
