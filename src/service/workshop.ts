/* Reads captions while an annotator types them: scores and hints. */
import type { Bench } from '../bench/bench';
import type { CallContext } from '../base/calls';
import { CaptiousError, throwIfCancelled } from '../base/errors';
import type { Evaluator } from '../evaluator/evaluator';
import { lint } from '../mining/lint';
import type { ImageItem, TextItem, Want } from '../protocol/item';
import type { Readings, SessionAsk, ThreeTexts } from '../protocol/session';
import type { OpenEvaluators } from './openEvaluators';

export async function readTexts(
  { texts, evaluator: reference, python, home }: SessionAsk<'read'>,
  image: ImageItem | undefined,
  evaluators: OpenEvaluators,
  { signal }: CallContext,
): Promise<Readings> {
  const findings = lint(texts);
  try {
    const { evaluator, bench } = await evaluators.named(reference, home, python);
    return { ...(await scores(evaluator, bench, texts, image, signal)), findings };
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof CaptiousError)) throw error;
    return { findings, problem: error.words };
  }
}

async function scores(
  evaluator: Evaluator,
  bench: Bench,
  { caption, second, negative }: ThreeTexts,
  image: ImageItem | undefined,
  signal: AbortSignal,
): Promise<Omit<Readings, 'findings'>> {
  if ([caption, second, negative].some((text) => text.trim() === '')) return {};
  const [p1, p2, n] = [caption, second, negative].map((text): TextItem => ({ kind: 'text', text }));
  const pairs: Want[] = [
    { left: p1, right: p2 },
    { left: p1, right: n },
    { left: p2, right: n },
  ];
  const withImage = image === undefined ? [] : [p1, p2, n].map((right): Want => ({ left: image, right }));
  const out: Omit<Readings, 'findings'> = {};
  const read = async (wants: readonly Want[], use: (values: number[]) => void): Promise<void> => {
    const outcomes = await bench.scores(evaluator, [...wants], signal);
    const failed = outcomes.find((outcome) => !outcome.ok);
    if (failed?.ok === false) out.problem = failed.problem;
    else use(outcomes.map((outcome) => (outcome.ok ? outcome.value : NaN)));
  };
  if (evaluator.info.scores.includes('text-text'))
    await read(pairs, ([p1p2, p1n, p2n]) => (out.t2t = { p1p2, p1n, p2n }));
  if (withImage.length > 0 && evaluator.info.scores.includes('image-text'))
    await read(withImage, ([first, other, negated]) => (out.i2t = { p1: first, p2: other, n: negated }));
  return out;
}
