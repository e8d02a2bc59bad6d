// node scripts/wheel.mjs [target …] makes out/packages/captious-<version>-py3-none-<platform>.whl. The default is this
// machine's, and "all" is all targets. File modes, order and dates are fixed, so the same tree gives the same bytes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import yazl from 'yazl';
import { date, filesIn, manifest, npmPack, out, packEach, root } from './packing.mjs';

const { version } = manifest;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version for PyPI.`);
const { project } = parse(readFileSync(join(root, 'python/pyproject.toml'), 'utf8'));
const info = `${project.name}-${version}.dist-info`;

// The engine has the files of the npm package, which are those of the command line, and the packages that it loads.
const ofNpm = npmPack(root, '--dry-run', '--ignore-scripts')
  .files.map(({ path }) => path)
  .sort();
const isAboutPackage = (name) => /^(licenses\/|[A-Z-]+(\.md)?$|sbom\.cdx\.json$)/.test(name);

await packEach('host', 120_000_000, async ({ stage, wheel }) => {
  const files = new Map();
  const add = (name, content) => files.set(name, Buffer.from(content));
  for (const name of ofNpm.filter((one) => one.startsWith('python/')))
    add(name.slice('python/'.length), readFileSync(join(root, name)));
  const staged = filesIn(stage);
  const source = (name) => readFileSync(join(staged.includes(name) ? stage : root, name));
  const loaded = staged.filter((name) => name.startsWith('node_modules/'));
  for (const name of [...ofNpm.filter((one) => !isAboutPackage(one)), ...loaded])
    add(`captious/_engine/${name}`, source(name));
  const licences = staged.filter((name) => /^(licenses\/|LICENSE$|THIRD-PARTY-NOTICES\.md$)/.test(name));
  for (const name of licences) add(`${info}/licenses/${name}`, source(name));
  add(`${info}/sboms/sbom.cdx.json`, source('sbom.cdx.json'));
  add(`${info}/METADATA`, metadata(licences, source('README.md').toString()));
  add(
    `${info}/WHEEL`,
    lines('Wheel-Version: 1.0', 'Generator: captious', 'Root-Is-Purelib: false', `Tag: py3-none-${wheel}`),
  );
  add(
    `${info}/entry_points.txt`,
    lines('[console_scripts]', ...Object.entries(project.scripts).map(([name, at]) => `${name} = ${at}`)),
  );
  add(`${info}/RECORD`, lines(...[...files].map(recorded), `${info}/RECORD,,`));
  const path = join(out, `${project.name}-${version}-py3-none-${wheel}.whl`);
  await writeZip(path, files);
  return path;
});

function metadata(licences, readme) {
  const extras = Object.entries(project['optional-dependencies']);
  return lines(
    'Metadata-Version: 2.4',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    `License-Expression: ${manifest.license}`,
    ...licences.map((name) => `License-File: ${name}`),
    `Keywords: ${manifest.keywords.join(',')}`,
    `Requires-Python: ${project['requires-python']}`,
    ...project.dependencies.map((one) => `Requires-Dist: ${one}`),
    ...extras.flatMap(([extra, needs]) => [
      `Provides-Extra: ${extra}`,
      ...needs.map((one) => `Requires-Dist: ${one}; extra == "${extra}"`),
    ]),
    'Description-Content-Type: text/markdown',
    '',
    readme.trimEnd(),
  );
}

function recorded([name, content]) {
  const hash = createHash('sha256').update(content).digest('base64url');
  return `${name},sha256=${hash},${content.length}`;
}

function lines(...all) {
  return `${all.join('\n')}\n`;
}

async function writeZip(path, files) {
  const zip = new yazl.ZipFile();
  for (const [name, content] of files) zip.addBuffer(content, name, { mtime: date, mode: 0o100644 });
  zip.end();
  const part = `${path}.part`;
  await once(zip.outputStream.pipe(createWriteStream(part)), 'close');
  renameSync(part, path);
}
