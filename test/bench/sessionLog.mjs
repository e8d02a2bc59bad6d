/**
 * Loaded into Captious with --import. Writes each ONNX run's input shapes and time, and the start and end of
 * processes, as JSON lines to the file in CAPTIOUS_SESSION_LOG. Each line has the processor time (seconds) that its
 * process had used, or its thread, on Linux.
 */
import childProcess from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import workerThreads, { isMainThread, threadId } from 'node:worker_threads';

const log = process.env.CAPTIOUS_SESSION_LOG;
/** The first number is the nanoseconds on a processor of the thread that reads it. */
const ownTime = '/proc/thread-self/schedstat';

const write = (line) =>
  appendFileSync(log, `${JSON.stringify({ ...line, pid: process.pid, cpu: used() })}\n`);
const now = () => performance.timeOrigin + performance.now();

function used() {
  if (!isMainThread) return Number(readFileSync(ownTime, 'utf8').split(' ')[0]) / 1e9;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

// Threads end without an event, so they write while they work.
if (isMainThread) {
  write({ event: 'start', at: performance.timeOrigin });
  process.on('exit', () => write({ event: 'exit', at: now() }));
} else if (existsSync(ownTime)) setInterval(() => write({ event: 'thread', thread: threadId }), 100).unref();

// Captious starts processes and threads without NODE_OPTIONS, so this passes --import to each as an argument.
const { fork } = childProcess;
childProcess.fork = (script, args, options) =>
  fork(script, args, { ...options, execArgv: [...options.execArgv, '--import', import.meta.url] });
const { Worker } = workerThreads;
workerThreads.Worker = class extends Worker {
  constructor(script, options) {
    const more = options.eval ? [] : ['--import', import.meta.url];
    super(script, { ...options, execArgv: [...options.execArgv, ...more] });
  }
};

const load = Module._load;
const patched = new WeakSet();
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (request === 'onnxruntime-node' && !patched.has(loaded)) {
    patched.add(loaded);
    record(loaded.InferenceSession);
  }
  return loaded;
};

function record(InferenceSession) {
  const create = InferenceSession.create;
  InferenceSession.create = async (path, ...rest) => {
    const session = await create.call(InferenceSession, path, ...rest);
    // Leaves out the ranker, whose graph is in memory. Encoders are loaded from files.
    if (typeof path !== 'string') return session;
    const run = session.run;
    session.run = async (feeds, ...others) => {
      const inputs = Object.entries(feeds).map(([name, { type, dims }]) => ({ name, type, dims }));
      const from = now();
      const outputs = await run.call(session, feeds, ...others);
      write({ event: 'run', path, inputs, from, to: now() });
      return outputs;
    };
    return session;
  };
}
