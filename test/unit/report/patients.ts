/* Small datasets of every probe, in which each patient has some images. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runAudit } from '../../../src/audit/run';
import { isSaid, type Words } from '../../../src/base/say';
import { observations } from '../../../src/base/text/observations';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { probeIds } from '../../../src/probe/list';
import { fakeScorer } from './fakeScorer';
import type { WrittenReport } from '../../../src/audit/output/writtenReport';

/** Whether a claim says that there are too few observations for a verdict, and names them as the audit counts them. */
export function saysTooFew(text: Words, cluster: string | undefined): boolean {
  return (
    isSaid(text) &&
    text.code === 'probe.tooFewForVerdictOf' &&
    isDeepStrictEqual(text.values[0], observations(cluster))
  );
}

export type Probe = (typeof probeIds)[number];

const things = ['bus', 'dog', 'cat', 'car', 'boat', 'horse', 'chair', 'bird'];
const colours = ['red', 'blue', 'green', 'black', 'white'];
export const text = (i: number, c = 0): string =>
  `Two ${colours[(i + c) % 5]} ${things[i % 8]}s stand on the street next to the man who is with the ${things[(i + 3 + c) % 8]} of number ${i}.`;
const wrong = (i: number) => text(i).replace(/two/i, 'Five');

/** An entry of each probe's dataset: an image, and what the probe compares. */
const entries: Record<Probe, (i: number, copies: number) => object | object[]> = {
  lgip: captions,
  exploit: captions,
  rococo: captions,
  prsm: captions,
  invariance: captions,
  explain: captions,
  visla: (i, copies) =>
    repeat(copies, () => ({
      image: `${i}.jpg`,
      sent1: text(i),
      sent2: text(i).replace('stand', 'are standing'),
      best_reference_semantically_close: wrong(i),
    })),
  choice: (i, copies) =>
    repeat(copies, () => ({ image: `${i}.jpg`, caption_options: [text(i), wrong(i), `${wrong(i)} Now.`] })),
  sugarcrepe: (i, copies) =>
    repeat(copies, () => ({ filename: `${i}.jpg`, caption: text(i), negative_caption: wrong(i) })),
  winoground: (i, copies) =>
    repeat(copies, () => ({
      image_0: `${i}.jpg`,
      image_1: `${i} other.jpg`,
      caption_0: text(i),
      caption_1: wrong(i),
    })),
  human: (i, copies) =>
    repeat(2 * copies, (copy) => ({
      image: `${i}.jpg`,
      caption: text(i, copy % 2),
      rating: (i + (copy % 2)) % 5,
    })),
  long: (i, copies) => ({
    image: `${i}.jpg`,
    captions: repeat(copies, () => `${text(i)} A ${colours[i % 5]} car is near. The sky is clear.`),
  }),
};

function captions(i: number, copies: number): object {
  return { image: `${i}.jpg`, captions: repeat(copies, () => text(i)) };
}

function repeat<T>(copies: number, make: (copy: number) => T): T[] {
  return Array.from({ length: copies }, (_, copy) => make(copy));
}

export interface Asked {
  images: number;
  copies?: number;
  /** How many images are of one patient. */
  perPatient?: number;
  cluster?: string;
  evaluators?: (string | Evaluator)[];
  options?: Record<string, string>;
}

/** One audit of a probe, with a dataset of its own. */
export async function audited(folder: string, probe: Probe, asked: Asked): Promise<WrittenReport[]> {
  const { images, copies = 1, perPatient = 3, cluster, evaluators = ['one'], options = {} } = asked;
  const own = join(folder, `${probe} ${JSON.stringify(asked).replace(/\W+/g, ' ').slice(0, 100)}`);
  const rows = Array.from({ length: images }, (_, i) =>
    [entries[probe](i, copies)]
      .flat()
      .map((entry) => ({ ...entry, patient: `p${Math.floor(i / perPatient)}` })),
  ).flat();
  const dataset = `${own}.json`;
  await writeFile(dataset, JSON.stringify(rows));
  return runAudit({
    ...{ dataset, probes: [probe], images: [folder] },
    evaluators: evaluators.map((one) => (typeof one === 'string' ? fakeScorer(one) : one)),
    ...(cluster === undefined ? {} : { map: { cluster } }),
    options: { [probe]: { ...(probe === 'prsm' ? { k: '3' } : {}), ...options } },
    ...{ home: join(folder, 'home'), out: own, signal: new AbortController().signal },
  });
}
