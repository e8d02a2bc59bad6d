import type { Bench } from '../../bench/bench';
import type { Position } from '../../dataset/dataset';
import type { Example } from '../../dataset/example';
import type { ImageItem } from '../../protocol/item';
import type { SeamMeter } from '../../evaluator/native/seamMeter';
import type { PairProbe, PlanContext } from '../../probe/probe';
import type { OutputFile } from '../../report/output';
import type { ImageStates } from '../resume/imageStates';
import type { Evaluator } from '../../evaluator/evaluator';
import type { Answers } from '../../probe/refused/answers';
import type { AnswerCounts } from '../../probe/refused/counts';
import type { LeftOutOne } from '../resume/mark';
import type { Exclusions } from '../exclusions';

export interface EvaluatorRun {
  evaluator: Evaluator;
  rows: OutputFile;
  summary: ReturnType<PairProbe['summary']>;
  exclusions: Exclusions;
  answers: AnswerCounts;
  /** The answers to each example, for a merge of shards. Absent in other runs. */
  answerLines?: OutputFile;
  examples: number;
  /** The keys of truncated texts, for the manifest of a shard. Absent in other runs. */
  cuts?: string[];
}

export interface Done {
  last: Example;
  position: Position;
  /** The number of examples so far. */
  examples: number;
  /** A hash of the states of all image files so far, from `ImageStates`. */
  imageHash: string;
  /** For each evaluator, the skipped examples of the chunk. */
  leftOut: LeftOutOne[][];
  /** For each evaluator, its answers to the chunk's examples. */
  answers: Answers[][];
}

export interface PairRun {
  probe: PairProbe;
  examples: AsyncIterable<Example>;
  /** The number of examples that an earlier run measured. */
  examplesBefore?: number;
  /** The position of the last example of the earlier run. */
  positionBefore?: Position;
  limit: number;
  context: Omit<PlanContext, 'scores' | 'image'>;
  /** The seeds of several draws of the variants. Absent for one draw, with the seed of the context. */
  seeds?: readonly number[];
  evaluatorRuns: readonly (Omit<EvaluatorRun, 'rows'> & { rows: Pick<OutputFile, 'line'> })[];
  bench: Bench;
  imagesOf: (example: Example) => Promise<(ImageItem | undefined)[]>;
  imageStates?: ImageStates;
  /** Set only for a shard. Returns an example's number in the whole dataset, by which a merge orders the rows. */
  numberOf?: (example: Example) => number;
  /** Measures the seams around moved objects. Only plans that move objects use it. */
  seams: SeamMeter;
  signal: AbortSignal;
  /** Called after a chunk is scored, before the next chunk is scored. */
  onMeasured: (done: Done) => Promise<void> | void;
  /** Called with a chunk's last example when the chunk's pairs are passed to the bench. */
  onSent: (last: Example) => void;
}
