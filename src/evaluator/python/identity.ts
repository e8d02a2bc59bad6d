import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { sha256Of } from '../../base/files/sha256';
import { evaluatorError } from '../../base/errors';
import type { Fingerprints } from '../../base/files/fingerprints';
import { say } from '../../base/say';
import type { Described } from '../../protocol/python';
import type { Inputs } from './inputs';

/** Increase this number when results stored by an earlier version must not be used. */
const workerVersion = 2;
/** The most files in a folder of weights. Such a folder usually contains at most a few dozen. */
const mostFiles = 10_000;

/** Variables that change how numerical libraries and hashes of Python compute. */
const numerical =
  /^(ATEN_CPU_CAPABILITY|CUBLAS_WORKSPACE_CONFIG|(DNNL|ONEDNN|JAX|MKL_CBWR|MKL_ENABLE_INSTRUCTIONS|NVIDIA_TF32|OPENBLAS_CORETYPE|PYTORCH|TF|TORCH|XLA)(_.*)?|PYTHONHASHSEED)$/;

function settingsOf(env: NodeJS.ProcessEnv): [string, string | undefined][] {
  const names = Object.keys(env).filter((name) => numerical.test(name));
  return names.sort().map((name) => [name, env[name]]);
}

/** One hash of everything known to affect a score, such as code, arguments, weights, versions and device. */
export async function identityOf(
  said: { object?: string; adapter?: string; args: unknown; inputs: Inputs['contents'] },
  described: Described,
  folder: string,
  weights: readonly string[],
  fingerprints: Fingerprints,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const settings = settingsOf(env);
  const files: [string, string][] = [];
  for (const path of weights) {
    const full = isAbsolute(path) ? path : resolve(folder, path);
    for (const file of await filesBelow(full))
      files.push([relative(full, file), await fingerprints.sha256(file)]);
  }
  for (const path of described.native) files.push([relative(folder, path), await fingerprints.sha256(path)]);
  const sources = Object.entries(described.sources).map(([path, sha256]) => [relative(folder, path), sha256]);
  const { python, versions, device, gpu, dtype, info, images } = described;
  return sha256Of([
    ...['python', workerVersion, said.adapter ?? null, said.object ?? null, said.args, said.inputs],
    ...[sources.sort(), files, python, Object.entries(versions).sort()],
    ...[device, gpu ?? null, dtype ?? null, images],
    ...[info.fingerprint ?? null, info.scale ?? null, info.prefix ?? null],
    ...(settings.length === 0 ? [] : [settings]),
  ]);
}

async function filesBelow(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (cause) {
    throw evaluatorError(say('python.weightsUnreadable'), say('python.checkWeightsPath'), path, cause);
  }
  if (!isFolder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => !entry.isDirectory() && !/[\\/]\.git([\\/]|$)/.test(entry.parentPath),
  );
  if (files.length > mostFiles)
    throw evaluatorError(say('python.weightsTooManyFiles', mostFiles), say('python.listWeightFiles'), path);
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
