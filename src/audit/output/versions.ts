import { join } from 'node:path';
import { readJsonSync } from '../../base/files/readJson';
import { installFolder } from '../../base/install';

/** Packages whose version can change a metric. */
const metricPackages = ['onnxruntime-node', 'sharp', '@huggingface/tokenizers', 'compromise', 'wink-nlp'];

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

/** The installed versions of Captious and of packages that affect metrics. */
export function versions(): Record<string, string> {
  const folder = installFolder();
  const own = readManifest(join(folder, 'package.json'));
  const out: Record<string, string> = { captious: own.version };
  for (const name of metricPackages) {
    const asked = own.dependencies?.[name];
    if (asked === undefined) continue;
    try {
      out[name] = readManifest(join(folder, 'node_modules', name, 'package.json')).version;
    } catch {
      // The exact version of a bundled package is unknown, so this is the range that package.json requires.
      out[name] = asked;
    }
  }
  return out;
}

function readManifest(path: string): Manifest {
  return readJsonSync(path) as Manifest;
}
