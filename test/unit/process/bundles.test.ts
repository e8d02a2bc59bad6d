import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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
  'mcp-sdk': 'src/mcp/sdk.ts',
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

  it('contain only packages that the notices and the bill of materials name', () => {
    const notices = readFileSync('THIRD-PARTY-NOTICES.md', 'utf8');
    const { components } = JSON.parse(readFileSync('sbom.cdx.json', 'utf8')) as {
      components: { name: string; version: string }[];
    };
    const paths = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput === 0 ? [] : (/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
      ),
    );
    assert.ok(paths.includes('node_modules/@modelcontextprotocol/sdk'));
    for (const path of new Set(paths)) {
      const { name, version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as {
        name: string;
        version: string;
      };
      assert.ok(notices.includes(`| ${name} | ${version} |`), name);
      assert.ok(
        components.some((one) => one.name === name && one.version === version),
        name,
      );
    }
  });

  it('contain the SDK of the Model Context Protocol only in its own bundle, which loads with the server', () => {
    const builtBy = readFileSync('esbuild.mjs', 'utf8');
    assert.match(builtBy, /'mcp-sdk': 'src\/mcp\/sdk\.ts'/);
    for (const name of Object.keys(entries).filter((one) => !['cli', 'mcp-sdk'].includes(one)))
      assert.deepEqual(
        Object.keys(outputs[`out/${name}.js`].inputs).filter((path) => path.includes('modelcontextprotocol')),
        [],
        name,
      );
  });
});
