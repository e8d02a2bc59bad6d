import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { say, type Words } from '../../base/say';
import type { Outcome } from '../../base/outcome';
import type { ImageItem } from '../../protocol/item';
import type { Described, SentImage } from '../../protocol/python';
import type { ScoredPair, TextSize } from '../evaluator';
import { keyOf } from '../model/itmScorer';
import type { EngineOptions } from '../native/engine';
import { listOfRows } from '../outcomes';
import { noReferences } from '../overlap/references';
import { SentImages } from './sentImages';
import type { Watch } from './watch';
import type { PythonWorker } from './worker';

interface After {
  sources: Record<string, string>;
  problems: readonly (string | null)[];
  dtype?: string;
  halved: Record<string, number>;
}

/** The most bytes of pixels per message. Larger batches are split. */
const mostBytes = 512 << 20;

/** Sends each batch to the least busy worker. */
export class PythonTowers {
  private readonly workers: { worker: PythonWorker; calls: number }[];
  private readonly sent: SentImages;
  private readonly needsReferences: boolean;

  constructor(
    workers: readonly PythonWorker[],
    described: Described,
    private readonly watch: Watch,
    /** The notes of the report. A run may add notes. */
    private readonly notes: Words[],
    engine?: EngineOptions,
  ) {
    this.workers = workers.map((worker) => ({ worker, calls: 0 }));
    this.needsReferences = described.references;
    this.sent = new SentImages(described.images === 'path', engine);
  }

  async measure(texts: readonly string[], signal?: AbortSignal): Promise<TextSize[]> {
    if (texts.length === 0) return [];
    const { cut } = await this.with((worker) => worker.ask('truncated', { texts: [...texts] }, signal));
    return texts.map((text, i) => ({ tokens: text.length, cut: cut[i] === 1 }));
  }

  async texts(texts: readonly string[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]> {
    if (texts.length === 0) return [];
    const answer = await this.with((worker) => worker.ask('embed_texts', { texts: [...texts] }, signal));
    return marked(rowsOf(answer), await this.note(answer));
  }

  async images(images: readonly ImageItem[], signal?: AbortSignal): Promise<Outcome<Float32Array>[]> {
    const sent = await this.sent.of(images, signal);
    const out: Outcome<Float32Array>[] = sent.map((one) => (one.ok ? notYet : one));
    const good = sent.flatMap((one, at) => (one.ok ? [{ at, image: one.value }] : []));
    for (const part of parts(good, ({ image }) => image)) {
      const ask = { images: part.map(({ image }) => image) };
      const answer = await this.with((worker) => worker.ask('embed_images', ask, signal));
      const rows = marked(rowsOf(answer), await this.note(answer));
      rows.forEach((row, i) => (out[part[i].at] = row));
    }
    return out;
  }

  async pairs(pairs: readonly ScoredPair[], signal?: AbortSignal): Promise<Outcome<number>[]> {
    const places = new Map<string, number>();
    const distinct: ImageItem[] = [];
    const imageIndices = pairs.map(({ image }) => {
      const key = keyOf(image);
      if (!places.has(key)) places.set(key, distinct.push(image) - 1);
      return places.get(key)!;
    });
    const sent = await this.sent.of(distinct, signal);
    const out: Outcome<number>[] = imageIndices.map((index, at) => {
      const image = sent[index];
      if (!image.ok) return image;
      if (this.needsReferences && (pairs[at].references ?? []).length === 0)
        return { ok: false, problem: noReferences };
      return notYet;
    });
    const good = pairs.flatMap(({ text, references = [] }, at) => {
      const one = sent[imageIndices[at]];
      return out[at] === notYet && one.ok ? [{ at, text, references, image: one.value }] : [];
    });
    for (const part of parts(good, ({ image }) => image)) {
      const images = [...new Set(part.map(({ image }) => image))];
      const ask = {
        images,
        positions: part.map(({ image }) => images.indexOf(image)),
        texts: part.map(({ text }) => text),
        ...(this.needsReferences ? { references: part.map(({ references }) => [...references]) } : {}),
      };
      const answer = await this.with((worker) => worker.ask('score', ask, signal));
      const isFleeting = await this.note(answer);
      const scores = new DataView(answer.scores.buffer, answer.scores.byteOffset, answer.scores.byteLength);
      sameCount(answer.scores.byteLength, part.length * 8);
      part.forEach(({ at }, i) => {
        const problem = answer.problems[i];
        out[at] =
          problem === null || problem === undefined
            ? { ok: true, value: scores.getFloat64(i * 8, true), ...(isFleeting ? { fleeting: true } : {}) }
            : { ok: false, problem };
      });
    }
    return out;
  }

  async close(): Promise<void> {
    await Promise.all([this.sent.close(), ...this.workers.map(({ worker }) => worker.close())]);
  }

  private async with<T>(act: (worker: PythonWorker) => Promise<T>): Promise<T> {
    const idlest = this.workers.reduce((least, other) => (other.calls < least.calls ? other : least));
    idlest.calls++;
    try {
      return await act(idlest.worker);
    } finally {
      idlest.calls--;
    }
  }

  /** Adds what the report should say about a batch. Returns whether its results are fleeting. */
  private async note({ dtype, halved, sources }: After): Promise<boolean> {
    if (dtype !== undefined && /float16/.test(dtype)) this.say(say('python.lowPrecisionResults', dtype));
    for (const [method, most] of Object.entries(halved)) this.say(say('python.batchesReduced', method, most));
    const beyond = await this.watch.beyond(sources);
    if (beyond !== undefined) this.say(say('python.lateImportNotHashed', basename(beyond)));
    return beyond !== undefined;
  }

  private say(note: Words): void {
    if (!this.notes.some((known) => isDeepStrictEqual(known, note))) this.notes.push(note);
  }
}

const notYet: { ok: false; problem: Words } = { ok: false, problem: say('python.noResultForItem') };

function marked<T>(outcomes: Outcome<T>[], isFleeting: boolean): Outcome<T>[] {
  if (!isFleeting) return outcomes;
  return outcomes.map((outcome) => (outcome.ok ? { ...outcome, fleeting: true } : outcome));
}

function rowsOf({
  dimension,
  values,
  problems,
}: {
  dimension: number;
  values: Uint8Array;
  problems: readonly (string | null)[];
}): Outcome<Float32Array>[] {
  sameCount(values.byteLength, problems.length * dimension * 4);
  // Copied, because bytes from the pipe may start at any offset, and typed arrays need alignment.
  const floats = new Float32Array(new Uint8Array(values).buffer);
  return listOfRows({ dimension, values: floats, problems: problems.map((problem) => problem ?? undefined) });
}

function sameCount(found: number, expected: number): void {
  if (found !== expected) throw new Error(`Python returned ${found} bytes; expected ${expected}.`);
}

/** Splits items into parts without changing their order. The pixels of each part fit into one message. */
function parts<T>(items: readonly T[], positions: (item: T) => SentImage): T[][] {
  const out: T[][] = [];
  let size = Infinity;
  for (const item of items) {
    const own = positions(item).data?.byteLength ?? 0;
    if (size + own > mostBytes) {
      out.push([]);
      size = 0;
    }
    out.at(-1)!.push(item);
    size += own;
  }
  return out;
}
