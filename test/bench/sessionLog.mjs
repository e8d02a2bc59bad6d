/**
 * Loaded into Captious with --import. Writes each ONNX run's input shapes and time, and the start and end of
 * processes, as JSON lines to the file in CAPTIOUS_SESSION_LOG.
 */
import childProcess from 'node:child_process';
import { appendFileSync } from 'node:fs';
import Module from 'node:module';
import { isMainThread } from 'node:worker_threads';

const log = process.env.CAPTIOUS_SESSION_LOG;

const write = (line) => appendFileSync(log, `${JSON.stringify({ ...line, pid: process.pid })}\n`);
const now = () => performance.timeOrigin + performance.now();
// Threads load this file, too.
if (isMainThread) {
  write({ event: 'start', at: performance.timeOrigin });
  process.on('exit', () => write({ event: 'exit', at: now() }));
}

// Captious starts processes without NODE_OPTIONS, so this passes --import to each fork as an argument.
const { fork } = childProcess;
childProcess.fork = (script, args, options) =>
  fork(script, args, { ...options, execArgv: [...options.execArgv, '--import', import.meta.url] });

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
