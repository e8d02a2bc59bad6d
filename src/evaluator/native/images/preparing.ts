/** Worker threads that prepare images while the main thread runs graphs. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
// This import sets the allowed image formats before the first thread starts.
import './decode';
import { type PoolThread, type Prepared, ThreadPool } from './threadPool';

export const preparing = new ThreadPool(availableParallelism(), startThread);

function startThread(answer: (prepared: Prepared) => void): PoolThread {
  const { path, execArgv } = script();
  const worker = new Worker(path, { execArgv });
  worker.on('message', answer);
  // The error ends this process. The parent process starts a new process at its next call.
  worker.on('error', (error) => {
    throw error;
  });
  return {
    send: (order) => worker.postMessage(order),
    hold: (change) => worker[change](),
  };
}

function script(): { path: string; execArgv: string[] } {
  if (!__filename.endsWith('.ts')) return { path: join(__dirname, 'prepare.js'), execArgv: [] };
  const loader = createRequire(__filename).resolve('tsx/cjs');
  return { path: join(__dirname, 'preparingThread.ts'), execArgv: ['--require', loader] };
}
