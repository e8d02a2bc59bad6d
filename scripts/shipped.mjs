// The one list of what the packages ship. The build writes .npmignore (the npm package and the wheel) and .vscodeignore from it.

/** In every package. A folder ends with "/" and is shipped with all it has. */
const everywhere = [
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
  'sbom.cdx.json',
  'licenses/',
  'dist/',
  'fonts/',
  'samples/',
  'schemas/',
  'models/starter/',
  'models/known.json',
  'python/captious/',
];
const editorOnly = [
  'package.nls.json',
  'package.nls.de.json',
  'l10n/bundle.l10n.*.json',
  'media/',
  'snippets/',
  'dist/extension.js',
  'dist/part-*',
  'dist/runner.js',
  'dist/reader.js',
  'dist/web.js',
  'dist/messages.en.js',
  'dist/webview.*',
  'dist/*-view.*',
];
const cliOnly = ['docs/assistant.md'];

/** Written by builds and by Python, and never shipped. */
const never = ['*.map', '*.pyc'];

/** npm ships what no line excludes, and the last line that matches decides. */
export function npmIgnore() {
  const shipped = [...everywhere, ...cliOnly];
  const folders = new Set();
  const lines = shipped.flatMap((path) => {
    const above = path
      .split('/')
      .slice(0, -1)
      .map((_, i, names) => `/${names.slice(0, i + 1).join('/')}/`);
    const opened = above.filter((folder) => folder !== `/${path}` && !folders.has(folder));
    for (const folder of opened) folders.add(folder);
    return [...opened.flatMap((folder) => [`!${folder}`, `${folder}*`]), `!/${path}`];
  });
  const without = editorOnly.filter((path) => everywhere.some((folder) => path.startsWith(folder)));
  return written(['/*', ...lines, ...without.map((path) => `/${path}`), ...never]);
}

/** vsce ships what a line with "!" names, in any order. `natives` are ONNX Runtime's folders of native code. */
export function vscodeIgnore(natives = '*/*') {
  const but = never.join('|');
  const lines = [...everywhere, ...editorOnly]
    .filter(
      (path, i, all) => !all.some((folder, k) => k !== i && folder.endsWith('/') && path.startsWith(folder)),
    )
    .map((path) => (path.endsWith('/') ? `!${path}**/!(${but})` : `!${path}`));
  return written(['**', ...lines, '', ...loaded(natives)]);
}

function loaded(natives) {
  const packages =
    'node_modules/{onnxruntime-node,onnxruntime-common,sharp,@img/colour,detect-libc,semver,wink-eng-lite-web-model}';
  const code = '!(*.map|*.ts|*.mts|*.cts|README.md)';
  return [
    '# Loaded from node_modules at run time, without what is only for installing, building or reading the code.',
    `!${packages}/${code}`,
    `!${packages}/!(bin|script|src|install|docs|test|types)/**/${code}`,
    '',
    '# Native code. On macOS the same library is there twice, and the binding asks for the short name. On Windows the other',
    "# libraries are only for graphics processors, which the editor's audits do not use.",
    `!node_modules/onnxruntime-node/bin/*/${natives}/!(DirectML.dll|dxcompiler.dll|dxil.dll|*.1.*.*.dylib)`,
    '!node_modules/@img/sharp-*/**',
    '',
    '# Inside the bundles; reports name their versions.',
    '!node_modules/@huggingface/tokenizers/package.json',
    '!node_modules/wink-nlp/package.json',
  ];
}

function written(lines) {
  return `# Written by the build from scripts/shipped.mjs.\n${lines.join('\n')}\n`;
}
