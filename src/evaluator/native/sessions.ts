import { InferenceSession, Tensor } from 'onnxruntime-node';
import { CaptiousError, wordsOf, evaluatorError } from '../../base/errors';
import { say } from '../../base/say';
import { useCpu } from '../model/runtime';
import { floatsOf, halvesOf } from '../half';
import type { ConstantFeed, GraphRef, OutputSpec, Port } from '../../protocol/native';

/** A process runs few graphs, except when a comparison changes something in a graph and tries one copy after the other. */
const mostSessions = 4;
/** In the order of their last use. */
const sessions = new Map<string, Promise<InferenceSession>>();
/** Sessions that profile their first run, until this run ends. */
const recorded = new WeakSet<InferenceSession>();

/**
 * Opens a session for the graph, or returns the session that is already open. The session that was not used for the
 * longest time is closed. None is in use, because a process runs one job after the other.
 */
export async function openSession(graph: GraphRef): Promise<InferenceSession> {
  const key = JSON.stringify(graph);
  const known = sessions.get(key);
  sessions.delete(key);
  if (known === undefined && sessions.size >= mostSessions) {
    const [oldest, session] = [...sessions][0];
    sessions.delete(oldest);
    await (await session).release();
  }
  const session = known ?? load(graph);
  sessions.set(key, session);
  session.catch(() => sessions.delete(key));
  return session;
}

async function load({ path, threads, provider, profile }: GraphRef): Promise<InferenceSession> {
  try {
    const session = await InferenceSession.create(path, {
      executionProviders: [provider],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // ONNX Runtime would store a memory pattern per text length, because each length is a different input
      // shape.
      enableMemPattern: false,
      logSeverityLevel: 3,
      // Threads that wait actively for each other double the processor time of a small batch, and slow down every other
      // thread that needs the processor.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      ...(profile === undefined
        ? {}
        : { enableProfiling: true, profileFilePrefix: `${profile}-${process.pid}-${sessions.size}` }),
    });
    if (profile !== undefined) recorded.add(session);
    return session;
  } catch (error) {
    const elsewhere = provider === 'cpu' ? '' : say('native.providerSuffix', provider);
    throw new CaptiousError('evaluator', say('native.modelNotLoaded', elsewhere, wordsOf(error)), {
      at: path,
      remedy: provider === 'cpu' ? say('native.checkModelSupported') : useCpu,
    });
  }
}

export type Feeds = Record<string, Tensor>;

export async function runGraph(
  graph: GraphRef,
  session: InferenceSession,
  feeds: Feeds,
  output: OutputSpec,
  rows: number,
): Promise<{ data: Float32Array; dims: readonly number[] }> {
  let tensor: Tensor;
  try {
    tensor = (await session.run(feeds, [output.name]))[output.name] as Tensor;
    if (recorded.delete(session)) session.endProfiling();
  } catch (error) {
    throw evaluatorError(
      say('native.modelFailed', wordsOf(error)),
      say(
        'native.checkInputsOfModel',
        Object.entries(feeds)
          .map(([name, { type, dims }]) => `${name} ${type}[${dims.join(', ')}]`)
          .join(', '),
      ),
      graph.path,
    );
  }
  const rank = output.pooling === 'none' ? 2 : 3;
  const half = tensor.type === 'float16';
  if ((tensor.type !== 'float32' && !half) || tensor.dims.length !== rank || tensor.dims[0] !== rows) {
    throw new CaptiousError(
      'evaluator',
      say('native.outputShapeWrong', output.name, tensor.type, tensor.dims.join(', '), rank, rows),
      { at: graph.path, remedy: say('native.setOutputOrExport') },
    );
  }
  if (!half) return { data: tensor.data as Float32Array, dims: tensor.dims };
  // Newer runtimes return a Float16Array, and older runtimes return raw bits.
  const data =
    tensor.data instanceof Uint16Array
      ? floatsOf(tensor.data)
      : Float32Array.from(tensor.data as Float32Array);
  return { data, dims: tensor.dims };
}

export function integers(port: Port, values: ArrayLike<number>, dims: readonly number[]): Tensor {
  switch (port.type) {
    case 'int64': {
      const wide = new BigInt64Array(values.length);
      for (let i = 0; i < values.length; i++) wide[i] = BigInt(values[i]);
      return new Tensor('int64', wide, dims);
    }
    case 'int32':
      return new Tensor('int32', Int32Array.from(values), dims);
    case 'float32':
      return new Tensor('float32', Float32Array.from(values), dims);
    case 'bool':
      return new Tensor('bool', Uint8Array.from(values), dims);
  }
}

export function floatTensor(
  values: Float32Array,
  dims: readonly number[],
  type: 'float32' | 'float16' = 'float32',
): Tensor {
  return type === 'float32' ? new Tensor(type, values, dims) : new Tensor(type, halvesOf(values), dims);
}

export function constantFeeds(constants: readonly ConstantFeed[]): Feeds {
  const feeds: Feeds = {};
  for (const { name, type, dims, fill } of constants) {
    const values = new Float64Array(dims.reduce((product, dim) => product * dim, 1)).fill(fill);
    feeds[name] =
      type === 'float16'
        ? floatTensor(Float32Array.from(values), dims, type)
        : integers({ name, type }, values, dims);
  }
  return feeds;
}
