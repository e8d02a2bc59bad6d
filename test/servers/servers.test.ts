import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, freePort, pythonOf, root, rowsOf, run, type Running, start, versionsOf } from './support';

const fixtures = join(root, 'test', 'fixtures', 'models');

interface Server {
  name: string;
  packages: string[];
  /** Whether a folder with the same model exists on this computer, to compare its scores. */
  encoder?: true;
  /** Starts the server and writes an evaluator file for it. */
  begin(python: string, folder: string): Promise<{ server: Running; said: object }>;
}

const graphs = { clip_text: 'text_model.onnx', clip_vision: 'vision_model.onnx' };
const graphOf = (name: keyof typeof graphs): string => join(fixtures, 'clip-two-graphs/onnx', graphs[name]);

function encoderAt(port: number): object {
  const endpoint = `http://127.0.0.1:${port}`;
  return { kind: 'remote', endpoint, folder: './clip', text: 'clip_text', image: 'clip_vision' };
}

/** A model folder without weights, for an encoder on a server. */
function writeClip(folder: string): void {
  cpSync(join(fixtures, 'clip-two-graphs'), join(folder, 'clip'), { recursive: true });
  cpSync(join(fixtures, 'clip', 'tokenizer.json'), join(folder, 'clip', 'tokenizer.json'));
  rmSync(join(folder, 'clip', 'onnx'), { recursive: true });
}

const servers: Server[] = [
  {
    name: 'mlserver',
    encoder: true,
    packages: ['mlserver', 'onnxruntime'],
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
      return { server, said: encoderAt(port) };
    },
  },
  {
    name: 'kserve',
    encoder: true,
    packages: ['kserve', 'onnxruntime'],
    async begin(python, folder) {
      const port = await freePort();
      writeClip(folder);
      const models = (['clip_text', 'clip_vision'] as const).map((name) => `${name}=${graphOf(name)}`);
      const server = await start(
        python,
        [join(__dirname, 'kserve_onnx.py'), String(port), ...models],
        `http://127.0.0.1:${port}/v2/models/clip_vision/ready`,
      );
      return { server, said: encoderAt(port) };
    },
  },
  {
    name: 'transformers',
    packages: ['transformers', 'torch', 'fastapi', 'uvicorn'],
    async begin(python, folder) {
      const port = await freePort();
      const model = join(folder, 'vlm');
      run(python, join(__dirname, 'write_vlm.py'), model, join(root, 'samples', 'captions.jsonl'));
      const server = await start(
        python,
        [
          ...['-c', 'from transformers.cli.transformers import main; main()', 'serve', model],
          ...['--host', '127.0.0.1', '--port', String(port), '--device', 'cpu'],
        ],
        `http://127.0.0.1:${port}/health`,
        { env: { HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' } },
      );
      return { server, said: { kind: 'judge', endpoint: `http://127.0.0.1:${port}/v1`, model } };
    },
  },
];

for (const { name, packages, encoder, begin } of servers)
  describe(`an audit with ${name}`, function () {
    this.timeout(1_800_000);
    let folder: string;
    let server: Running | undefined;
    let evaluator: string;

    before(async function () {
      const python = pythonOf(name);
      if (python === undefined) {
        console.log(`      skipped: ${name} is not installed (npm run test:servers installs it from PyPI)`);
        this.skip();
      }
      folder = mkdtempSync(join(tmpdir(), `captious-${name}-`));
      console.log(`      ${versionsOf(python, ...packages)}`);
      const begun = await begin(python, folder);
      server = begun.server;
      evaluator = join(folder, 'far.evaluator.json');
      writeFileSync(evaluator, JSON.stringify(begun.said));
    });
    after(async () => {
      await server?.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    const auditTo = (out: string, killAfterMs?: number): ReturnType<typeof audit> =>
      audit({ home: join(folder, `home-${out}`), out: join(folder, out), evaluator }, killAfterMs);

    /** Kills an audit before its report, and sooner if this one was faster than the last. Returns its folder. */
    async function killed(ms: number): Promise<string> {
      for (const part of [0.6, 0.4, 0.25]) {
        const out = `parts-${part}`;
        const { signal } = await auditTo(out, part * ms);
        if (signal === 'SIGKILL' && !existsSync(join(folder, out, 'lgip.far.report.json'))) return out;
      }
      assert.fail('each audit ended before it was killed');
    }

    it('scores 60 captions, is killed in the middle, and resumes to the same rows', async () => {
      const whole = await auditTo('whole');
      assert.equal(whole.code, 0, whole.err);
      const rows = rowsOf(join(folder, 'whole'), 'far');
      assert.equal(rows.length, 60);
      const scores = new Set(rows.map(({ score }) => score));
      assert.ok(scores.size > 3, `the scores differ: ${[...scores].slice(0, 5).join(', ')}`);
      const parts = await killed(whole.ms);
      const resumed = await auditTo(parts);
      assert.equal(resumed.code, 0, resumed.err);
      const read = (out: string): string => readFileSync(join(folder, out, 'lgip.far.rows.jsonl'), 'utf8');
      assert.equal(read(parts), read('whole'));
      console.log(
        `      ${rows.length} rows in ${(whole.ms / 1000).toFixed(1)} s; resumed in ${(resumed.ms / 1000).toFixed(1)} s`,
      );
    });

    it('has the scores of the same model on this computer', async function () {
      if (encoder === undefined) this.skip();
      const local = join(folder, 'local');
      cpSync(join(folder, 'clip'), local, { recursive: true });
      cpSync(join(fixtures, 'clip-two-graphs/onnx'), join(local, 'onnx'), { recursive: true });
      const here = { home: join(folder, 'home-local'), out: join(folder, 'here'), evaluator: local };
      const ended = await audit(here);
      assert.equal(ended.code, 0, ended.err);
      const far = rowsOf(join(folder, 'whole'), 'far');
      const near = rowsOf(join(folder, 'here'), 'local');
      const off = far.map(({ score }, i) => Math.abs((score as number) - (near[i].score as number)));
      console.log(`      at most ${Math.max(...off).toExponential(1)} apart`);
      assert.ok(Math.max(...off) <= 1e-5);
    });
  });
