// Makes out/packages/captious-<target>-<version>.vsix: one for each platform, each with its own native code and no other's.
// The same tree gives the same bytes: files are staged with one mode, packed in one order with one date.
// Usage: node scripts/package.mjs [target …]; all targets where none is named.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import sharp from 'sharp';

// Zip archives carry local time, and vsce takes the date of all entries from here.
process.env.TZ = 'UTC';
process.env.SOURCE_DATE_EPOCH = String(Date.UTC(2000, 0, 1) / 1000);
const { createVSIX } = (await import('@vscode/vsce')).default;

const root = resolve(import.meta.dirname, '..');
const out = join(root, 'out/packages');
const fetched = join(root, '.cache/natives');
const largest = 80_000_000;

/** By vsce's name: onnxruntime's folder, and the packages sharp needs there. onnxruntime has nothing for Macs with Intel. */
const targets = {
  'linux-x64': { runtime: 'linux/x64', images: ['sharp-linux-x64', 'sharp-libvips-linux-x64'] },
  'linux-arm64': { runtime: 'linux/arm64', images: ['sharp-linux-arm64', 'sharp-libvips-linux-arm64'] },
  'darwin-arm64': { runtime: 'darwin/arm64', images: ['sharp-darwin-arm64', 'sharp-libvips-darwin-arm64'] },
  'win32-x64': { runtime: 'win32/x64', images: ['sharp-win32-x64'] },
  'win32-arm64': { runtime: 'win32/arm64', images: ['sharp-win32-arm64'] },
};

const shipped = [
  'l10n',
  'media',
  'samples',
  'schemas',
  'snippets',
  'models/starter',
  'models/known.json',
  'package.nls.json',
  'package.nls.de.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD-PARTY-NOTICES.md',
];
/** Loaded from node_modules at run time, whole or by their parts that are not for one platform. */
const outside = [
  'onnxruntime-node',
  'onnxruntime-common',
  'sharp',
  '@img/colour',
  'detect-libc',
  'semver',
  'wink-eng-lite-web-model',
];
/** Inside the bundles; their manifests go along because reports name their versions. */
const inside = ['@huggingface/tokenizers', 'wink-nlp'];
/**
 * On macOS the same library lies there twice, and the binding asks for the short name. On Windows these are loaded only for
 * graphics processors, which the editor's audits do not use.
 */
const notNeeded = /\.1\.\d+\.\d+\.dylib$|\/(DirectML|dxcompiler|dxil)\.dll$/;
/** Only for installing, building or reading the code. */
const superfluous =
  /\.map$|\.d\.[cm]?ts$|\.ts$|\/(bin|script|src|install|docs|test|types)(\/|$)|\/README\.md$/;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const write = (path, value) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
};

const manifest = read(join(root, 'package.json'));
const lock = read(join(root, 'package-lock.json')).packages;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(targets, name));
if (unknown.length > 0) {
  console.error(`No such target: ${unknown.join(', ')}. There are: ${Object.keys(targets).join(', ')}.`);
  process.exit(2);
}

mkdirSync(out, { recursive: true });
for (const target of wanted.length > 0 ? wanted : Object.keys(targets)) {
  const stage = mkdtempSync(join(tmpdir(), 'captious-package-'));
  try {
    await fill(stage, target);
    const path = join(out, `captious-${target}-${manifest.version}.vsix`);
    await createVSIX({
      cwd: stage,
      target,
      packagePath: path,
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    });
    const { size } = statSync(path);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    console.log(`${basename(path)}: ${(size / 1e6).toFixed(1)} MB, SHA-256 ${sha256}`);
    if (size > largest) throw new Error(`${basename(path)} is over ${largest / 1e6} MB.`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

async function fill(stage, target) {
  const { runtime, images } = targets[target];
  for (const name of shipped)
    if (existsSync(join(root, name))) cpSync(join(root, name), join(stage, name), { recursive: true });
  cpSync(join(root, 'dist'), join(stage, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  });
  await sharp(join(root, 'media/gallery.svg'))
    .resize(256, 256)
    .png()
    .toFile(join(stage, 'media/gallery.png'));

  for (const name of outside) {
    const from = join(root, 'node_modules', name);
    cpSync(from, join(stage, 'node_modules', name), {
      recursive: true,
      filter: (path) => !superfluous.test(path.slice(from.length)),
    });
  }
  const natives = join('onnxruntime-node/bin', napi(), runtime);
  cpSync(join(root, 'node_modules', natives), join(stage, 'node_modules', natives), {
    recursive: true,
    filter: (path) => !notNeeded.test(path),
  });
  for (const name of images)
    cpSync(native(name), join(stage, 'node_modules/@img', name), { recursive: true });

  const versionOf = (name) => lock[`node_modules/${name}`].version;
  for (const name of inside)
    write(join(stage, 'node_modules', name, 'package.json'), { name, version: versionOf(name) });
  // What packing asks of a tree of packages is that it is complete: what only installing needs is not missing.
  for (const name of outside) {
    const path = join(stage, 'node_modules', name, 'package.json');
    const own = without(read(path), 'scripts', 'devDependencies', 'optionalDependencies');
    const kept = Object.entries(own.dependencies ?? {}).filter(([other]) => outside.includes(other));
    write(path, { ...own, dependencies: Object.fromEntries(kept) });
  }
  for (const name of images) {
    const path = join(stage, 'node_modules/@img', name, 'package.json');
    write(path, without(read(path), 'optionalDependencies'));
  }
  const all = [...outside, ...inside, ...images.map((name) => `@img/${name}`)];
  write(join(stage, 'package.json'), {
    ...without(manifest, 'private', 'scripts', 'devDependencies'),
    icon: 'media/gallery.png',
    dependencies: Object.fromEntries(all.sort().map((name) => [name, versionOf(name)])),
  });
  writeFileSync(join(stage, '.vscodeignore'), '');
  settle(stage);
}

function without(value, ...keys) {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function napi() {
  return readdirSync(join(root, 'node_modules/onnxruntime-node/bin')).find((name) =>
    name.startsWith('napi-'),
  );
}

/** The folder of a package for some platform, fetched where npm did not install it because it is not this one. */
function native(name) {
  const full = `@img/${name}`;
  const { version, integrity } = lock[`node_modules/${full}`];
  const installed = join(root, 'node_modules', full);
  if (existsSync(installed) && read(join(installed, 'package.json')).version === version) return installed;
  const folder = join(fetched, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(fetched, { recursive: true });
  const part = mkdtempSync(join(fetched, 'part-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const answer = execFileSync(npm, ['pack', `${full}@${version}`, '--json'], {
      cwd: part,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    });
    const archive = join(part, JSON.parse(answer)[0].filename);
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (`sha512-${hash}` !== integrity)
      throw new Error(`${full}@${version} is not what package-lock.json names.`);
    execFileSync('tar', ['xzf', archive, '-C', part]);
    renameSync(join(part, 'package'), folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

/** One mode for every file, whatever the machine's habits; vsce writes modes into the archive. */
function settle(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) settle(path);
    else chmodSync(path, 0o644);
  }
}
