import { append } from '../../base/lists';
import { smallest } from '../../base/extent';
import { CaptiousError, throwIfCancelled } from '../../base/errors';
import { inARow, say, type Words, withValues } from '../../base/say';
import type { Evaluator } from '../evaluator';
import type { ImageItem } from '../../protocol/item';
import { offeredProviders } from './runtime';

/**
 * The lowest accepted cosine between a provider's embedding and the CPU's embedding. Half precision and a different
 * order of additions give cosines far closer to 1.
 */
const leastCosine = 0.999;
const probeText = 'A man rides a red bicycle down a city street.';

/** An 8 × 8 RGB image as a PNG. */
const probeImage: ImageItem = {
  kind: 'image',
  source: {
    name: 'the trial image',
    bytes: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAH0lEQVR42mM4' +
        'oSEHRx+eRcERAxUl5KJOwBGyIipKAABV81jB0G6QxQAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  transforms: [],
};

/**
 * Opens the evaluator for the provider `auto`: with the first provider that loads the model and agrees with the CPU,
 * or else with the CPU. The notes of the evaluator record all attempts.
 */
export async function openWithAnyProvider(
  open: (provider: string) => Promise<Evaluator>,
  signal?: AbortSignal,
  offered: readonly string[] = offeredProviders(),
): Promise<Evaluator> {
  const cpu = await open('cpu');
  const refused: Words[] = [];
  let truth: Float32Array[] | undefined;
  for (const provider of offered) {
    let candidate: Evaluator | undefined;
    try {
      candidate = await open(provider);
      const answers = await trial(candidate, signal);
      truth ??= await trial(cpu, signal);
      const cosine = smallest(answers.map((row, i) => likeness(row, truth![i])));
      if (!(cosine >= leastCosine))
        throw new CaptiousError('evaluator', say('model.providerDiffersFromCpu', cosine.toFixed(4)));
      await cpu.close();
      return noting(candidate, selected(provider, refused));
    } catch (error) {
      await candidate?.close();
      if (signal?.aborted === true) {
        await cpu.close();
        throwIfCancelled(signal);
      }
      if (!(error instanceof CaptiousError)) throw error;
      refused.push(say('base.labelledPart', provider, withValues(error.what, shortened)));
    }
  }
  return noting(cpu, selected('cpu', refused));
}

async function trial(evaluator: Evaluator, signal: AbortSignal | undefined): Promise<Float32Array[]> {
  const rows = [
    ...((await evaluator.embedTexts?.([probeText], signal)) ?? []),
    ...((await evaluator.embedImages?.([probeImage], signal)) ?? []),
  ];
  const scores = (await evaluator.scorePairs?.([{ image: probeImage, text: probeText }], signal)) ?? [];
  append(
    rows,
    scores.map((score) => (score.ok ? { ok: true as const, value: Float32Array.of(score.value) } : score)),
  );
  return rows.map((row) => {
    if (row.ok) return row.value;
    throw new CaptiousError('evaluator', row.problem);
  });
}

/** The cosine of two embeddings. For two scores, 1 if they are nearly equal, and otherwise 0. */
function likeness(a: Float32Array, b: Float32Array): number {
  if (a.length > 1) return cosineOf(a, b);
  return Math.abs(a[0] - b[0]) <= 0.01 * Math.max(1, Math.abs(b[0])) ? 1 : 0;
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  let [product, left, right] = [0, 0, 0];
  a.forEach((value, i) => {
    product += value * b[i];
    left += value * value;
    right += b[i] * b[i];
  });
  return product / Math.sqrt(left * right);
}

function noting(evaluator: Evaluator, note: Words): Evaluator {
  const { info } = evaluator;
  return Object.assign(evaluator, { info: { ...info, notes: [...info.notes, note] } });
}

function selected(provider: string, refused: readonly Words[]): Words {
  return refused.length === 0
    ? say('model.providerSelected', provider)
    : say('model.providerSelectedAfter', provider, inARow(refused, '; '));
}

/** The first line of a message, because the messages of runtimes can fill pages. */
function shortened(text: string): string {
  const [line] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
