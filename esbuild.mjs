import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { context, transform } from 'esbuild';
import { compileKernels } from './scripts/compile-kernel.mjs';
import './scripts/probe-lists.mjs';
import { npmIgnore, vscodeIgnore } from './scripts/shipped.mjs';
import { writeChanged } from './scripts/write-changed.mjs';

const watch = process.argv.includes('--watch');

/** Options for Node bundles. Bundles do not contain the editor's API, native packages or wink's model. */
const node = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Names stay, so that stack traces can be read without the source maps, which are not shipped.
  minifyWhitespace: !watch,
  minifySyntax: !watch,
  sourcemap: true,
  outdir: 'dist',
  external: ['vscode', 'onnxruntime-node', 'sharp', 'wink-eng-lite-web-model'],
  logLevel: 'warning',
};

/** Large packages that few runs need. The bundles share one copy of each, and load it with its first use. */
const packages = {
  pdfkit: 'pdfkit/js/pdfkit.js',
  yaml: 'yaml/dist/index.js',
  'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
};
const sharedPackages = {
  name: 'shared-packages',
  setup(build) {
    const filter = new RegExp(`^(${Object.keys(packages).join('|')})$`);
    build.onResolve({ filter }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${path}.js`, external: true },
    );
  },
};

/** The SDK of the Model Context Protocol loads with `captious mcp` only. */
const sharedSdk = {
  name: 'shared-sdk',
  setup(build) {
    build.onResolve({ filter: /^\.\/sdk$/ }, ({ resolveDir }) =>
      resolve(resolveDir) === resolve('src/mcp') ? { path: './mcp-sdk.js', external: true } : undefined,
    );
  },
};

const words = 'src/perturb/words';
const sentences = './messages.en.json';

/**
 * The bundles for Node share one copy of the word lists and of the English sentences, and the pages share another of
 * the sentences. The value is the default export, because esbuild would copy the keys of what an import requires. The
 * sentences are required, and load with the first use.
 */
const sharedTables = {
  name: 'shared-tables',
  setup({ initialOptions: { platform, format }, onResolve, onLoad }) {
    onResolve({ filter: /\.json$/ }, ({ path, resolveDir, namespace }) => {
      if (namespace === 'shared-tables') return { path, external: true };
      const name = relative(words, resolve(resolveDir, path)).replaceAll('\\', '/');
      if (!name.startsWith('..')) return { path: `./words/${name}`, namespace: 'shared-tables' };
      if (!path.endsWith('messages.en.json') || (platform !== 'node' && format !== 'iife')) return undefined;
      return { path: sentences, namespace: 'shared-tables' };
    });
    onLoad({ filter: /./, namespace: 'shared-tables' }, ({ path }) => ({
      contents: `${path === sentences ? 'module.exports =' : 'export default'} ${platform === 'node' ? `require('${path}')` : 'globalThis.captiousMessages'};`,
    }));
  },
};

/** What the extension loads on demand. The modules of a group load together. */
const onDemand = {
  commands: [
    'editor/commands',
    'editor/assistant/tools',
    'editor/runs/selectRun',
    'editor/runs/chooseDataset',
  ],
  views: ['editor/board/boards', 'editor/sessions/triplets', 'editor/sessions/checks'],
  pages: ['editor/side/sidePage', 'editor/browse/datasetPage'],
  reports: ['editor/panel/webReports', 'report/reportShape'],
  tests: ['editor/runs/thresholds'],
  probes: ['probe/generated/views', 'probe/benchmark/view', 'probe/imported/view', 'probe/plainView'],
};
const grouped = {
  name: 'on-demand',
  setup({ initialOptions: { splitting }, onResolve, onLoad }) {
    if (!splitting) return;
    onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' && kind !== 'require-call') return undefined;
      const name = relative('src', resolve(resolveDir, path)).replaceAll('\\', '/');
      const group = Object.keys(onDemand).find((one) => onDemand[one].includes(name));
      if (group === undefined) return undefined;
      // esbuild divides only at dynamic imports, so a group that is required is an entry point.
      if (kind === 'require-call') return { path: `./part-${group}.js`, external: true };
      return { path: group, namespace: 'on-demand' };
    });
    onResolve({ filter: /^on-demand:/ }, ({ path }) => ({
      path: path.slice('on-demand:'.length),
      namespace: 'on-demand',
    }));
    // A group also imports the extension, so that esbuild keeps in one file what loads at the start.
    onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: [
        "import './src/extension';",
        ...onDemand[path].map((name) => `export * from './src/${name}';`),
      ].join('\n'),
      resolveDir: import.meta.dirname,
    }));
  },
};

const writing = {
  name: 'write-changed',
  setup({ initialOptions: { splitting }, onEnd }) {
    onEnd(async ({ outputFiles = [] }) => {
      if (splitting) await writeParts(outputFiles);
      else for (const { path, contents } of outputFiles) writeChanged(path, contents);
    });
  },
};

/** Writes the parts of a bundle as CommonJS, because esbuild divides only ES modules. Removes the parts of earlier builds. */
async function writeParts(files) {
  const parts = new Set();
  for (const { path, text } of files) {
    // esbuild would copy the editor's whole API for each file that imports it.
    const once = text.replace(/\bimport ?\* ?as (\w+) from ?"vscode";/g, 'const $1 = require("vscode");');
    const { code, map } = await transform(once, {
      ...{ format: 'cjs', platform: 'node', target: node.target, supported: { 'dynamic-import': false } },
      ...{ minifyWhitespace: !watch, minifySyntax: !watch, sourcemap: 'external', sourcefile: path },
    });
    const name = basename(path);
    writeChanged(path, `${code}//# sourceMappingURL=${name}.map\n`);
    writeChanged(`${path}.map`, map);
    parts.add(name).add(`${name}.map`);
  }
  for (const name of readdirSync('dist'))
    if (name.startsWith('part-') && !parts.has(name)) rmSync(join('dist', name));
}

const bundles = [
  { ...node, entryPoints: { cli: 'src/cli/main.ts' }, banner: { js: '#!/usr/bin/env node' } },
  ...Object.entries(packages).map(([name, path]) => ({
    ...{ ...node, entryPoints: { [name]: `node_modules/${path}` } },
    ...{ minify: true, sourcemap: false },
  })),
  {
    ...{ ...node, entryPoints: { extension: 'src/extension.ts', 'part-probes': 'on-demand:probes' } },
    ...{ format: 'esm', splitting: true, chunkNames: 'part-[hash]', sourcemap: 'inline' },
  },
  { ...node, entryPoints: { 'mcp-sdk': 'src/mcp/sdk.ts' }, minify: true, sourcemap: false },
  {
    ...node,
    entryPoints: {
      runner: 'src/process/runner.ts',
      reader: 'src/service/main.ts',
      session: 'src/evaluator/native/main.ts',
      prepare: 'src/evaluator/native/images/preparingThread.ts',
      parquet: 'src/dataset/parquet/parquetDecoder.ts',
    },
  },
  {
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    format: 'cjs',
    minify: !watch,
    sourcemap: watch,
    outdir: 'dist',
    external: ['vscode'],
    entryPoints: { web: 'src/web.ts' },
    logLevel: 'warning',
  },
  {
    bundle: true,
    platform: 'browser',
    target: 'chrome128',
    format: 'iife',
    minify: !watch,
    sourcemap: watch,
    outdir: 'dist',
    entryPoints: [
      { in: 'webview/panel/main.ts', out: 'webview' },
      { in: 'webview/panel/style.css', out: 'webview' },
      { in: 'webview/side/main.ts', out: 'side-view' },
      { in: 'webview/side/style.css', out: 'side-view' },
      { in: 'webview/session/main.ts', out: 'session-view' },
      { in: 'webview/session/style.css', out: 'session-view' },
      { in: 'webview/board/main.ts', out: 'board-view' },
      { in: 'webview/board/style.css', out: 'board-view' },
      { in: 'webview/dataset/main.ts', out: 'dataset-view' },
      { in: 'webview/dataset/style.css', out: 'dataset-view' },
    ],
    logLevel: 'warning',
  },
];

writeChanged('.npmignore', npmIgnore());
writeChanged('.vscodeignore', vscodeIgnore());
await compileKernels('dist');
for (const name of readdirSync(words, { recursive: true }).filter((one) => one.endsWith('.json')))
  writeChanged(`dist/words/${name}`, readFileSync(join(words, name)));
const messages = readFileSync('l10n/messages.en.json', 'utf8');
writeChanged('dist/messages.en.json', messages);
writeChanged('dist/messages.en.js', `globalThis.captiousMessages = ${messages.trim()};\n`);
writeChanged('dist/lexicon.json', readFileSync('src/perturb/society/lexicon.json'));
writeChanged('dist/wordnet.json', readFileSync('src/evaluator/overlap/meteor/wordnet.json'));
for (const options of bundles) {
  const build = await context({
    ...options,
    write: false,
    plugins: [sharedPackages, sharedSdk, sharedTables, grouped, writing],
  });
  if (watch) await build.watch();
  else {
    await build.rebuild();
    await build.dispose();
  }
}
// Tests read from its time whether the build is as new as the source.
if (!watch) {
  mkdirSync('out', { recursive: true });
  writeFileSync('out/built', '');
}
