/* What a report says of a draft: a run in lower precision although the model's folder has float32 graphs. */
import { chunksOf, linesOf } from '../../base/files/readFile';
import { say, type Words } from '../../base/say';
import type { Row } from '../../probe/metric';
import type { Report } from '../../report/report';
import { type Confirmation, confirmDraft, confirmedWords } from './confirm';
import type { ExactEvaluators } from './exact';
import type { Rescoring } from './lines';
import { measureDraft, measuredWords } from './measure';
import type { EvaluatorRun } from '../scoring/pairRun';
import { isOfEvaluator } from '../evaluators/usable';

export interface DraftFindings {
  measured?: Report['draft'];
  confirmation?: Confirmation;
  notes: Words[];
}

type Order = Parameters<ExactEvaluators['score']>[1];

/** Measures a draft, and confirms its rows if the user asked for it. Undefined for other runs. */
export async function draftFindings(
  { evaluator, rows }: Pick<EvaluatorRun, 'evaluator' | 'rows'>,
  order: Omit<Order, 'probe'> & { probe: Order['probe'] | { mode: 'gallery' } },
  exact: ExactEvaluators | undefined,
  isToConfirm: boolean,
): Promise<DraftFindings | undefined> {
  const { draft, precision } = evaluator.info;
  if (draft !== true) return undefined;
  const { probe, context } = order;
  if (probe.mode === 'gallery') return { notes: [say('draft.jointProbe', precision)] };
  if (exact === undefined) return { notes: [draftOfShards(precision)] };
  await rows.flush();
  const { temporary, bytes } = rows;
  const score: Rescoring['score'] = async (...asked) =>
    exact.score(await exact.of(evaluator), { ...order, probe }, ...asked);
  const run = { probe, seed: context.seed, rows: () => rowsIn(temporary, bytes), score };
  const notes: Words[] = [];
  let measured: Report['draft'];
  try {
    measured = await measureDraft(run);
    notes.push(measured === undefined ? say('draft.tooFew', precision) : measuredWords(precision, measured));
  } catch (error) {
    // The draft itself is whole. Only a confirmation needs the float32 graphs.
    if (!isOfEvaluator(error) || isToConfirm) throw error;
    notes.push(say('draft.notMeasured', precision, error.what));
  }
  const confirmation = isToConfirm ? await confirmDraft(run, measured?.changes.largest) : undefined;
  if (confirmation !== undefined) notes.push(confirmedWords(confirmation.counts));
  return {
    ...(measured === undefined ? {} : { measured }),
    ...(confirmation === undefined ? {} : { confirmation }),
    notes,
  };
}

/** A merge of shards has no models, so it cannot score again. */
export function draftOfShards(precision: string): Words {
  return say('draft.ofShards', precision);
}

async function* rowsIn(path: string, bytes: number): AsyncGenerator<Row> {
  if (bytes === 0) return;
  for await (const text of linesOf(chunksOf(path, bytes), path))
    if (text !== '') yield JSON.parse(text) as Row;
}
