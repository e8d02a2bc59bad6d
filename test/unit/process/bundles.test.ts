import assert from 'node:assert/strict';
import { build, type Metafile } from 'esbuild';

/**
 * The entry points of the Node.js bundles in esbuild.mjs, except `pdfkit` and `prepare`. `prepare` is a thread in the
 * process of `session`.
 */
const entries = {
  cli: 'src/cli/main.ts',
  extension: 'src/extension.ts',
  runner: 'src/process/runner.ts',
  reader: 'src/service/main.ts',
  parquet: 'src/dataset/parquet/parquetDecoder.ts',
  session: 'src/evaluator/native/main.ts',
};
const native = ['sharp', 'onnxruntime-node'];

describe('the bundles for Node.js', function () {
  this.timeout(120_000);
  let outputs: Metafile['outputs'];

  before(async () => {
    const { metafile } = await build({
      entryPoints: entries,
      bundle: true,
      platform: 'node',
      external: ['vscode', ...native],
      outdir: 'out',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    outputs = metafile.outputs;
  });

  it('load native code only in the process with the memory limit', () => {
    const loads = Object.entries(outputs).filter(([, { imports }]) =>
      imports.some(({ path }) => native.includes(path)),
    );
    assert.deepEqual(
      loads.map(([output]) => output),
      ['out/session.js'],
    );
  });

  it('contain no probe engine or tagger in the editor, which would delay its start', () => {
    const engine = ['src/probe/list.ts', 'src/perturb/text/', 'node_modules/wink-nlp/'];
    const inEditor = Object.keys(outputs['out/extension.js'].inputs);
    assert.deepEqual(
      inEditor.filter((path) => engine.some((start) => path.startsWith(start))),
      [],
    );
    assert.ok(Object.keys(outputs['out/runner.js'].inputs).includes('src/probe/list.ts'));
  });
});
