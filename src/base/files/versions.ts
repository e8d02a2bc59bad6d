import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonSync } from './readJson';
import { installFolder } from '../install';

/** Packages whose version can change a metric. */
const metricPackages = ['onnxruntime-node', 'sharp', '@huggingface/tokenizers', 'compromise', 'wink-nlp'];

/** Another number means that a seed gives other variants, so that results of both are not mixed. */
const draws = '4';

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

let known: Readonly<Record<string, string>> | undefined;

/** The installed versions of Captious and of everything in it that affects metrics. */
export function versions(): Readonly<Record<string, string>> {
  return (known ??= readVersions());
}

function readVersions(): Record<string, string> {
  const folder = installFolder();
  const packages = join(folder, 'node_modules');
  const own = readManifest(join(folder, 'package.json'));
  const out: Record<string, string> = { captious: own.version, draws };
  for (const name of metricPackages) {
    const asked = own.dependencies?.[name];
    if (asked === undefined) continue;
    try {
      out[name] = readManifest(join(packages, name, 'package.json')).version;
    } catch {
      // A bundled package has no manifest. Its range and the version of Captious determine its version.
      out[name] = `${asked} in captious ${own.version}`;
    }
  }
  const libvips = libvipsVersion(packages);
  return libvips === undefined ? out : { ...out, 'sharp-libvips': libvips };
}

/** The version of libvips's package. On Windows, sharp's own package contains libvips, and names the version. */
function libvipsVersion(packages: string): string | undefined {
  const prefix = '@img/sharp-libvips-';
  try {
    const names = readdirSync(join(packages, '@img')).filter((name) => `@img/${name}`.startsWith(prefix));
    const found = names.map((name) => readManifest(join(packages, '@img', name, 'package.json')).version);
    const { optionalDependencies = {} } = readManifest(join(packages, 'sharp', 'package.json'));
    const named = Object.keys(optionalDependencies).find((name) => name.startsWith(prefix));
    if (found.length === 0) return named === undefined ? undefined : optionalDependencies[named];
    return [...new Set(found)].sort().join(', ');
  } catch {
    return undefined;
  }
}

function readManifest(path: string): Manifest {
  return readJsonSync(path) as Manifest;
}
