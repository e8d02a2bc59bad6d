import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pythonWith } from './needs';

/** Environment variables that make different builds of torch and torchvision work together. */
export const environment = { ...process.env, PYTHONPATH: resolve('test/python/site') };

export function torchPython(): string {
  return pythonWith('torch', 'transformers', 'open_clip');
}

/** The 239 images from COCO if present, otherwise the sample images. */
export function imageFiles(): string[] {
  const folder = [resolve('../shared/data/coco/images'), resolve('samples/images')].find(existsSync)!;
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Makes the tests' models with seeded random weights. */
export async function makeModels(python: string, folder: string, makers: readonly string[]): Promise<void> {
  const script = join(folder, 'make.py');
  const models = readFileSync('test/python/models.py', 'utf8').split('OUT.mkdir(')[0];
  // Calls only the functions `makers` of models.py, with two pairs of image and caption.
  await writeFile(
    script,
    `${models}\nPAIRS = PAIRS[:2]\nOUT.mkdir(parents=True, exist_ok=True)\n${makers.map((name) => `${name}()\n`).join('')}`,
  );
  const pairs = imageFiles()
    .slice(0, 2)
    .map((path) => ({ image: path, text: 'a dog' }));
  await writeFile(join(folder, 'pairs.json'), JSON.stringify(pairs));
  execFileSync(python, [script, folder, resolve('test/fixtures/models'), join(folder, 'pairs.json')], {
    env: environment,
    stdio: 'ignore',
  });
}
