import assert from 'node:assert/strict';
import { build } from 'esbuild';

/**
 * The entry points of the Node.js bundles in esbuild.mjs, except `pdfkit` and `prepare`. `prepare` is a thread in the
 * process of `session`.
 */
const entries = {
  cli: 'src/cli/main.ts',
  extension: 'src/extension.ts',
  runner: 'src/process/runner.ts',
  reader: 'src/process/reader.ts',
  workshop: 'src/process/workshop.ts',
  parquet: 'src/dataset/parquet/parquetDecoder.ts',
  session: 'src/evaluator/native/main.ts',
};
const native = ['sharp', 'onnxruntime-node'];

it('loads native code only in the process with the memory limit', async function () {
  this.timeout(120_000);
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
  const loads = Object.entries(metafile.outputs).filter(([, { imports }]) =>
    imports.some(({ path }) => native.includes(path)),
  );
  assert.deepEqual(
    loads.map(([output]) => output),
    ['out/session.js'],
  );
});
