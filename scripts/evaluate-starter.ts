/**
 * Measures the retrieval, speed and memory of the starter model: `npm run starter:evaluate [-- DATASET]`.
 * Skips examples of other named splits than val2017, because train2017 was used to fit the model.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { english } from '../src/base/english';
import { createImageFinder } from '../src/dataset/images/images';
import { openDataset, unopened } from '../src/dataset/open';
import type { Outcome } from '../src/base/outcome';
import type { Evaluator } from '../src/evaluator/evaluator';
import type { ImageItem } from '../src/protocol/item';
import { openEvaluator } from '../src/evaluator/open';

const captionsEach = 5;

interface Image {
  item: ImageItem;
  captions: string[];
  redistributable: boolean;
}

async function readImages(path: string): Promise<Image[]> {
  const finder = createImageFinder({ dataset: unopened(path), folders: [] });
  const read: Image[] = [];
  for await (const { images, captions, attributes } of (await openDataset(path)).read()) {
    if (attributes.split !== undefined && attributes.split !== 'val2017') continue;
    const found = await finder.find(images[0].name);
    if (!found.ok) throw new Error(`${images[0].name}: ${english(found.message)}`);
    read.push({
      item: { kind: 'image', source: { name: images[0].name, path: found.path }, transforms: [] },
      captions: captions.slice(0, captionsEach).map(({ text }) => text),
      redistributable: [4, 5, 7, 8].includes(Number(attributes.license)),
    });
  }
  return read;
}

function value<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(english(outcome.problem));
}

/** Calls `work` for every part. For each process of the evaluator, two calls run at the same time. */
async function inParts<T>(
  parts: readonly T[],
  evaluator: Evaluator,
  work: (part: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < parts.length) await work(parts[next++]);
  };
  await Promise.all(Array.from({ length: 2 * (evaluator.parallel ?? 1) }, worker));
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}

async function embedTexts(evaluator: Evaluator, texts: readonly string[]): Promise<Float32Array[]> {
  const sizes = await evaluator.measureTexts!(texts);
  const groups = new Map<number, number[]>();
  sizes.forEach(({ tokens }, i) => groups.set(tokens, [...(groups.get(tokens) ?? []), i]));
  const rows: Float32Array[] = [];
  await inParts(
    [...groups.values()].flatMap((group) => chunks(group, 64)),
    evaluator,
    async (part) => {
      const embedded = await evaluator.embedTexts!(part.map((i) => texts[i]));
      part.forEach((i, at) => (rows[i] = value(embedded[at])));
    },
  );
  return rows;
}

async function embedImages(evaluator: Evaluator, items: readonly ImageItem[]): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  await inParts(chunks([...items.keys()], 16), evaluator, async (part) => {
    const embedded = await evaluator.embedImages!(part.map((i) => items[i]));
    part.forEach((i, at) => (rows[i] = value(embedded[at])));
  });
  return rows;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Retrieval rates as text. Ties count as errors, except in image-to-text R@1: there the first caption wins. */
function figures(images: readonly Float32Array[], texts: readonly Float32Array[][]): string {
  let captions = 0;
  const within = { 1: 0, 5: 0, 10: 0 };
  let above = 0;
  const best = images.map(() => ({ score: -Infinity, image: -1 }));
  texts.forEach((own, image) => {
    for (const text of own) {
      const scores = images.map((image) => dot(image, text));
      const rivals = scores.filter((score, i) => i !== image && score >= scores[image]).length;
      captions++;
      for (const k of [1, 5, 10] as const) if (rivals < k) within[k]++;
      above += images.length - 1 - rivals;
      scores.forEach((score, i) => {
        if (score > best[i].score) best[i] = { score, image };
      });
    }
  });
  const found = best.filter(({ image }, i) => image === i).length;
  return [
    `${images.length} photos`,
    ...([1, 5, 10] as const).map((k) => `text→image R@${k} ${(within[k] / captions).toFixed(3)}`),
    `image→text R@1 ${(found / images.length).toFixed(3)}`,
    `match above mismatch ${(above / (captions * (images.length - 1))).toFixed(3)}`,
  ].join('  ');
}

/** The peak memory of each of the evaluator's processes, such as "310 + 295 MB". */
function peakOf(pids: readonly number[]): string {
  if (process.platform !== 'linux') return 'known on Linux only';
  const kilobytes = pids.map((pid) =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
  );
  return `${kilobytes.map((each) => Math.round(each / 1024)).join(' + ')} MB`;
}

async function timed<T>(work: () => Promise<T>): Promise<{ made: T; seconds: number }> {
  const start = performance.now();
  const made = await work();
  return { made, seconds: (performance.now() - start) / 1000 };
}

async function main(): Promise<void> {
  const path = resolve(
    process.argv[2] ?? join(__dirname, '..', '..', 'shared', 'data', 'coco', 'captions.json'),
  );
  const images = await readImages(path);
  const texts = images.flatMap(({ captions }) => captions);
  const evaluator = await openEvaluator('starter');
  try {
    const opened = await timed(async () => {
      await evaluator.embedTexts!([texts[0]]);
      await evaluator.embedImages!([images[0].item]);
    });
    const byText = await timed(() => embedTexts(evaluator, texts));
    const byImage = await timed(() =>
      embedImages(
        evaluator,
        images.map(({ item }) => item),
      ),
    );
    const { pids } = (evaluator as Evaluator & { engines: { pids: number[] } }).engines;
    let at = 0;
    const textRows = images.map(({ captions }) => captions.map(() => byText.made[at++]));
    const show = (label: string, of: (image: Image) => boolean): void => {
      const chosen = [...images.keys()].filter((i) => of(images[i]));
      if (chosen.length < 2) return;
      const line = figures(
        chosen.map((i) => byImage.made[i]),
        chosen.map((i) => textRows[i]),
      );
      console.log(`${label.padEnd(22)}${line}`);
    };
    console.log(`${evaluator.info.name}, ${evaluator.info.sha256.slice(0, 12)}: ${path}`);
    show('all', () => true);
    show('redistributable', ({ redistributable }) => redistributable);
    show('not redistributable', ({ redistributable }) => !redistributable);
    console.log(
      `Process, both sessions and the first of each: ${opened.seconds.toFixed(2)} s. ` +
        `${(images.length / byImage.seconds).toFixed(0)} photos/s, ${(texts.length / byText.seconds).toFixed(0)} captions/s ` +
        `on ${availableParallelism()} cores. Peak memory of the evaluator's processes: ${peakOf(pids)}.`,
    );
  } finally {
    await evaluator.close();
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 2;
});
