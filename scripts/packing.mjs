// What the packages for the editor and for Python share: the targets, the selection of files, and the native code.
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
import { basename, dirname, join, relative, resolve } from 'node:path';

// Zip archives contain local times. vsce takes the date of all entries from SOURCE_DATE_EPOCH.
process.env.TZ = 'UTC';
export const date = new Date(Date.UTC(2000, 0, 1));
process.env.SOURCE_DATE_EPOCH = String(date.getTime() / 1000);
const { listFiles } = (await import('@vscode/vsce')).default;

export const root = resolve(import.meta.dirname, '..');
export const out = join(root, 'out/packages');
const fetched = join(root, '.cache/natives');

/**
 * For each supported target: ONNX Runtime's folder, sharp's packages, and the platform in the name of a wheel. ONNX
 * Runtime and libvips need glibc 2.28 on Linux, and ONNX Runtime macOS 14. It does not support Intel Macs.
 */
const targets = {
  'linux-x64': {
    runtime: 'linux/x64',
    images: ['sharp-linux-x64', 'sharp-libvips-linux-x64'],
    wheel: 'manylinux_2_28_x86_64',
  },
  'linux-arm64': {
    runtime: 'linux/arm64',
    images: ['sharp-linux-arm64', 'sharp-libvips-linux-arm64'],
    wheel: 'manylinux_2_28_aarch64',
  },
  'darwin-arm64': {
    runtime: 'darwin/arm64',
    images: ['sharp-darwin-arm64', 'sharp-libvips-darwin-arm64'],
    wheel: 'macosx_14_0_arm64',
  },
  'win32-x64': { runtime: 'win32/x64', images: ['sharp-win32-x64'], wheel: 'win_amd64' },
  'win32-arm64': { runtime: 'win32/arm64', images: ['sharp-win32-arm64'], wheel: 'win_arm64' },
};

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const write = (path, value) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
};

export const manifest = read(join(root, 'package.json'));
export const isPublic = manifest.repository !== undefined;
const lock = read(join(root, 'package-lock.json')).packages;

/**
 * Makes a package for each target of the command line, or for `usual` if it names none. "host" is this machine, and
 * "all" all targets. `make` gets a folder with the target's files, and returns the path of the package.
 */
export async function packEach(usual, largest, make) {
  const given = process.argv.slice(2);
  const wanted = (given.length > 0 ? given : [usual]).flatMap((name) =>
    name === 'all' ? Object.keys(targets) : [name === 'host' ? `${process.platform}-${process.arch}` : name],
  );
  const unknown = wanted.filter((name) => !Object.hasOwn(targets, name));
  if (unknown.length > 0) {
    console.error(`No such target: ${unknown.join(', ')}. There are: ${Object.keys(targets).join(', ')}.`);
    process.exit(2);
  }
  mkdirSync(out, { recursive: true });
  for (const target of wanted) {
    const stage = mkdtempSync(join(tmpdir(), 'captious-package-'));
    try {
      await fill(stage, target);
      const path = await make({ stage, target, ...targets[target] });
      const { size } = statSync(path);
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
      console.log(`${basename(path)}: ${(size / 1e6).toFixed(1)} MB, SHA-256 ${sha256}`);
      if (size > largest) throw new Error(`${basename(path)} is over ${largest / 1e6} MB.`);
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  }
}

async function fill(stage, target) {
  const { runtime, images } = targets[target];
  const copy = (from, name) => {
    mkdirSync(dirname(join(stage, name)), { recursive: true });
    cpSync(from, join(stage, name));
  };
  // Copies the files that .vscodeignore does not exclude, without the native code of other targets.
  for (const name of await listFiles({ cwd: root })) {
    const ofRuntime = /^node_modules\/onnxruntime-node\/bin\/[^/]+\/(\w+\/\w+)\//.exec(name)?.[1];
    if (isNativeImages(name) || (ofRuntime !== undefined && ofRuntime !== runtime)) continue;
    copy(join(root, name), name);
  }
  for (const name of images) {
    const folder = native(name);
    for (const path of filesIn(folder)) copy(join(folder, path), join('node_modules/@img', name, path));
  }
  const packages = packagesIn(stage);
  const versionOf = (name) => lock[`node_modules/${name}`].version;
  // A package's manifest may name only dependencies that are in the archive.
  for (const name of packages) {
    const path = join(stage, 'node_modules', name, 'package.json');
    const own = without(read(path), 'scripts', 'devDependencies', 'optionalDependencies');
    const kept = Object.entries(own.dependencies ?? {}).filter(([other]) => packages.includes(other));
    write(path, { ...own, dependencies: Object.fromEntries(kept) });
  }
  write(join(stage, 'package.json'), {
    ...without(manifest, 'private', 'scripts', 'devDependencies'),
    vsce: without(manifest.vsce, 'ignoreFile'),
    dependencies: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  });
  // If package.json names no repository, the paths of local images cannot be replaced with web addresses.
  if (!isPublic) withoutLocalImages(join(stage, 'README.md'));
  settle(stage);
}

/** The paths of all files in a folder, relative to it, in a fixed order. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Removes local images, because pages that show the README elsewhere show only images from the web. */
function withoutLocalImages(page) {
  writeFileSync(page, readFileSync(page, 'utf8').replace(/^!\[[^\]]*\]\([^():]+\)\n\n/gm, ''));
}

function packagesIn(stage) {
  const modules = join(stage, 'node_modules');
  return readdirSync(modules)
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
    )
    .sort();
}

function without(value, ...keys) {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Whether the file belongs to one of sharp's platform-specific packages. */
function isNativeImages(name) {
  return name.startsWith('node_modules/@img/sharp-');
}

/** The folder of a package for the target. npm installs only this machine's packages, so others are downloaded. */
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
    const archive = join(part, npmPack(part, `${full}@${version}`).filename);
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

/** Gives all files the same mode, because vsce writes modes into the archive. */
function settle(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) settle(path);
    else chmodSync(path, 0o644);
  }
}

/** Runs npm pack, and returns what it says about the package. */
export function npmPack(cwd, ...args) {
  const answer = execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['pack', ...args, '--json'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return JSON.parse(answer)[0];
}
