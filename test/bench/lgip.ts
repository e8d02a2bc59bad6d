import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../../src/report/report';
import { median, type Section } from './report';
import { environment, makeModels, torchPython } from './torchModels';

const mostImages = 30;

/** Compares the time of whole LGIP audits, from start to last file, with a researcher's script. */
export async function benchLgip(rounds: number): Promise<Section> {
  const python = torchPython();
  const folder = await mkdtemp(join(tmpdir(), 'captious-lgip-bench-'));
  const at = (name: string): string => join(folder, name);
  const [load] = loadavg();
  try {
    await makeModels(python, folder, ['of_open_clip']);
    const [data, images] = await dataset(at('captions.json'));
    const captious = (...args: string[]): void => {
      execFileSync(process.execPath, ['dist/cli.js', ...args], {
        env: { ...environment, CAPTIOUS_HOME: at('home') },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    };
    captious('variants', data, '--probe=lgip', `--images=${images}`, `--out=${at('pairs')}`);
    const ref = `open_clip:ViT-B-32?pretrained=${at('vit-b-32.pt')}`;
    captious('convert', ref, `--out=${at('onnx')}`, `--python=${python}`);

    const audit = (evaluator: string, name: string): void => {
      captious(
        'audit',
        data,
        '--probe=lgip',
        `--images=${images}`,
        `--evaluator=${evaluator}`,
        `--python=${python}`,
        '--yes',
        `--out=${at(name)}`,
      );
    };
    let counts = { pairs: 0, images: 0, texts: 0 };
    const ways: Record<string, () => void> = {
      'Python script with open_clip': () => {
        const answer = execFileSync(
          python,
          [
            'test/bench/lgip.py',
            at('pairs/lgip.captions.pairs.jsonl'),
            at('vit-b-32.pt'),
            at('scores.jsonl'),
          ],
          { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
        );
        counts = JSON.parse(answer) as typeof counts;
      },
      'Captious, model converted by captious convert': () => audit(at('onnx'), 'converted'),
      'Captious, checkpoint through Python': () => audit(ref, 'python'),
    };
    const seconds: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round++)
      for (const [name, run] of Object.entries(ways)) {
        // Each audit starts with an empty home, so nothing is cached.
        await rm(at('home'), { recursive: true, force: true });
        for (const out of ['converted', 'python']) await rm(at(out), { recursive: true, force: true });
        const started = performance.now();
        run();
        (seconds[name] ??= []).push((performance.now() - started) / 1000);
      }
    audit(at('onnx'), 'converted');
    audit(ref, 'python');
    captious(
      'scores',
      at('pairs/lgip.captions.variants.json'),
      at('scores.jsonl'),
      '--scale=-1..1',
      `--out=${at('script')}`,
    );
    const difference = Math.max(
      ...['converted', 'python'].map((name) => apart(metrics(at(name)), metrics(at('script')))),
    );
    return sectionOf(seconds, counts, rounds, load, difference);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes some captions of COCO, or of the samples if COCO is missing. Returns the path and the image folder. */
async function dataset(path: string): Promise<[string, string]> {
  const folder = [resolve('../shared/data/coco'), resolve('samples')].find(existsSync)!;
  const { images, annotations } = JSON.parse(readFileSync(join(folder, 'captions.json'), 'utf8')) as {
    images: { id: number }[];
    annotations: { image_id: number }[];
  };
  const chosen = images.slice(0, mostImages);
  const ids = new Set(chosen.map(({ id }) => id));
  const captions = annotations.filter(({ image_id }) => ids.has(image_id));
  await writeFile(path, JSON.stringify({ images: chosen, annotations: captions }));
  return [path, join(folder, 'images')];
}

function metrics(folder: string): Map<string, number> {
  const name = readdirSync(folder).find((file) => file.endsWith('.report.json'))!;
  const report = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
  return new Map(report.metrics.flatMap(({ id, value }) => (value === null ? [] : [[id, value]])));
}

/**
 * The largest difference of a metric between two reports. Metrics weighted or grouped by strength are excluded,
 * because strength needs similarities of texts, which a table of scores lacks.
 */
function apart(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const scored = [...one].filter(([id]) => !/\.(weighted|weak|medium|strong)$/.test(id));
  return Math.max(...scored.map(([id, value]) => Math.abs(value - (other.get(id) ?? NaN))));
}

function sectionOf(
  seconds: Readonly<Record<string, number[]>>,
  counts: { pairs: number; images: number; texts: number },
  rounds: number,
  load: number,
  difference: number,
): Section {
  const rows = Object.entries(seconds).map(([name, all]) => ({
    name,
    median: median(all),
    least: Math.min(...all),
    most: Math.max(...all),
  }));
  const [script, ...own] = rows;
  return {
    id: 'lgip',
    title: 'A whole LGIP audit, against a Python script',
    notes: [
      `ViT-B/32 with random weights, ${counts.images} images, ${counts.texts} distinct texts, ${counts.pairs} pairs; ${rounds} rounds in turn, each from the start of the process to the last file, from an empty cache.`,
      'The script is test/bench/lgip.py: the same texts, batches of 32 in file order, padding as open_clip does it.',
      `All three have the same metrics, apart by at most ${difference.toExponential(0)} (without the weighted ones, which need similarities of texts).`,
      'Through Python, the imports of PyTorch and open_clip and the model take the same time as in the script.',
      `Load ${load.toFixed(1)} before, ${loadavg()[0].toFixed(1)} after.`,
    ],
    columns: ['', 'seconds', 'fastest', 'slowest', 'times as fast as the script'],
    rows: rows.map(({ name, median, least, most }) => [
      name,
      median.toFixed(1),
      least.toFixed(1),
      most.toFixed(1),
      (script.median / median).toFixed(2),
    ]),
    data: { seconds, counts, difference },
    targets: [
      {
        what: 'speed of the converted model relative to the script',
        value: script.median / own[0].median,
        atLeast: 4,
      },
      {
        what: 'speed through Python relative to the script',
        value: script.median / own[1].median,
        atLeast: 2,
      },
    ],
  };
}
