import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, root, run, type Running, start } from './support';

export const fixtures = join(root, 'test', 'fixtures', 'models');

export interface Server {
  /** The name of the server's environment in requirements.json. */
  name: string;
  packages: string[];
  /** Starts the server. Returns it with the contents of its evaluator files, by name. */
  begin(python: string, folder: string): Promise<{ server: Running; evaluators: Record<string, object> }>;
  evaluators: readonly string[];
}

const graphs = { clip_text: 'text_model.onnx', clip_vision: 'vision_model.onnx' };
const graphOf = (name: keyof typeof graphs): string => join(fixtures, 'clip-two-graphs/onnx', graphs[name]);

function encoderAt(port: number): { encoder: object } {
  const endpoint = `http://127.0.0.1:${port}`;
  const encoder = { kind: 'remote', endpoint, folder: './clip', text: 'clip_text', image: 'clip_vision' };
  return { encoder };
}

/** A model folder without weights, for an encoder on a server. */
function writeClip(folder: string): void {
  cpSync(join(fixtures, 'clip-two-graphs'), join(folder, 'clip'), { recursive: true });
  cpSync(join(fixtures, 'clip', 'tokenizer.json'), join(folder, 'clip', 'tokenizer.json'));
  rmSync(join(folder, 'clip', 'onnx'), { recursive: true });
}

const mlserver: Server = {
  name: 'mlserver',
  packages: ['mlserver', 'onnxruntime'],
  evaluators: ['encoder'],
  async begin(python, folder) {
    const port = await freePort();
    const [grpc, metrics] = [await freePort(), await freePort()];
    const settings = { host: '127.0.0.1', http_port: port, grpc_port: grpc, metrics_port: metrics };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...settings, parallel_workers: 0 }));
    for (const name of ['clip_text', 'clip_vision'] as const) {
      mkdirSync(join(folder, name));
      const model = { name, implementation: 'mlserver_onnx.Onnx', parameters: { uri: graphOf(name) } };
      writeFileSync(join(folder, name, 'model-settings.json'), JSON.stringify(model));
    }
    writeClip(folder);
    const server = await start(
      python,
      ['-c', 'from mlserver.cli import main; main()', 'start', folder],
      `http://127.0.0.1:${port}/v2/models/clip_vision/ready`,
      { env: { PYTHONPATH: __dirname } },
    );
    return { server, evaluators: encoderAt(port) };
  },
};

const kserve: Server = {
  name: 'kserve',
  packages: ['kserve', 'onnxruntime'],
  evaluators: ['encoder'],
  async begin(python, folder) {
    const port = await freePort();
    writeClip(folder);
    const models = (['clip_text', 'clip_vision'] as const).map((name) => `${name}=${graphOf(name)}`);
    const server = await start(
      python,
      [join(__dirname, 'kserve_onnx.py'), String(port), ...models],
      `http://127.0.0.1:${port}/v2/models/clip_vision/ready`,
    );
    return { server, evaluators: encoderAt(port) };
  },
};

/** NVIDIA's Triton, which comes with PyTriton. */
const triton: Server = {
  name: 'triton',
  packages: ['nvidia-pytriton', 'onnxruntime'],
  evaluators: ['encoder'],
  async begin(python, folder) {
    const ports = [await freePort(), await freePort(), await freePort()];
    writeClip(folder);
    const models = (['clip_text', 'clip_vision'] as const).map((name) => `${name}=${graphOf(name)}`);
    const server = await start(
      python,
      [join(__dirname, 'triton_onnx.py'), ...ports.map(String), ...models],
      `http://127.0.0.1:${ports[0]}/v2/models/clip_vision/ready`,
      { env: { PYTRITON_HOME: join(folder, 'pytriton') } },
    );
    return { server, evaluators: encoderAt(ports[0]) };
  },
};

const transformers: Server = {
  name: 'transformers',
  packages: ['transformers', 'torch', 'fastapi', 'uvicorn'],
  evaluators: ['judge'],
  async begin(python, folder) {
    const port = await freePort();
    const model = join(folder, 'vlm');
    run(python, [join(__dirname, 'write_vlm.py'), model, join(root, 'samples', 'captions.jsonl')]);
    const server = await start(
      python,
      [
        ...['-c', 'from transformers.cli.transformers import main; main()', 'serve', model],
        ...['--host', '127.0.0.1', '--port', String(port), '--device', 'cpu'],
      ],
      `http://127.0.0.1:${port}/health`,
      { env: { HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' } },
    );
    const judge = { kind: 'judge', endpoint: `http://127.0.0.1:${port}/v1`, model };
    return { server, evaluators: { judge } };
  },
};

/** The server of llama-cpp-python, which scores with llama.cpp. */
const llama: Server = {
  name: 'llama',
  packages: ['llama-cpp-python', 'gguf', 'fastapi', 'uvicorn'],
  evaluators: ['judge', 'vqascore'],
  async begin(python, folder) {
    const port = await freePort();
    run(python, [join(__dirname, 'write_gguf.py'), folder]);
    const server = await start(
      python,
      [
        ...['-m', 'llama_cpp.server', '--host', '127.0.0.1', '--port', String(port)],
        ...['--model', join(folder, 'model.gguf'), '--model_alias', 'tiny'],
        ...['--chat_format', 'llava-1-5', '--clip_model_path', join(folder, 'mmproj.gguf')],
        // Without logits_all, llama-cpp-python rejects requests for log-probabilities.
        ...['--logits_all', 'true', '--n_ctx', '4096', '--n_threads', '1', '--n_threads_batch', '1'],
      ],
      `http://127.0.0.1:${port}/v1/models`,
    );
    const shared = { endpoint: `http://127.0.0.1:${port}/v1`, model: 'tiny', image: { side: 128 } };
    // A short rubric, because the model has one token per letter.
    const judge = { kind: 'judge', ...shared, rubric: 'Grade the caption.' };
    const likelihood = { kind: 'likelihood', ...shared };
    // The model has fewer than 300 tokens, so the alternatives always include Yes and No.
    const vqascore = { kind: 'vqascore', ...shared, alternatives: 300 };
    return { server, evaluators: { judge, vqascore, likelihood } };
  },
};

export const servers: readonly Server[] = [mlserver, kserve, triton, transformers, llama];
