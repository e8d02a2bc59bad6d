import type { Words } from '../base/say';
import type { Evaluator } from '../evaluator/evaluator';
import type { Secret } from '../evaluator/fileContext';
import type { RequestSink } from '../evaluator/judge/batch/batchModel';
import type { EditorModels } from '../evaluator/judge/editorModels';
import type { PythonOptions } from '../evaluator/python/python';
import type { Report } from '../report/report';
import type { AuditEvent } from './events';
import type { DatasetRequest } from './scoring/datasetRequest';
import type { Matrix } from './matrix/cell';

export interface AuditRequest extends DatasetRequest {
  probes: readonly string[];
  /** Evaluator references (see `parseReference`) or open evaluators. The run closes every evaluator at the end. */
  evaluators: readonly (string | Evaluator)[];
  /** The file that names the evaluators, if the user did not. Paths with ./ or ../ start at its folder. */
  namedIn?: string;
  /** A file of reference captions for evaluators that need them. By default, the dataset provides them. */
  references?: string;
  /** The folder of the reports. The default is one folder per dataset in the home folder. */
  out?: string;
  /** The options of each probe, by probe id and then by option name. */
  options?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  home?: string;
  batchSize?: number;
  threads?: number;
  /** Where models run: `cpu` by default; `auto` tries the platform's providers. */
  provider?: string;
  /** The precision of a model's graph; `float32` by default. */
  precision?: string;
  /** Whether to score the worst and the least certain rows of drafts again in float32. */
  confirm?: boolean;
  /**
   * Whether to score mismatched pairs, so that metrics in units of the score can be compared with other evaluators; true
   * by default.
   */
  spread?: boolean;
  onEvent?: (event: AuditEvent) => void;
  /** If set, receives the requests to judges instead of the judges' endpoints. */
  requests?: RequestSink;
  /** How to look up an endpoint's key by name. The default is the environment. */
  secret?: Secret;
  /** The editor's language models, for runs that an editor started. */
  editor?: EditorModels;
  python?: PythonOptions;
  /**
   * Asks the user for consent to `terms`. `runs` is true if the terms are about running code. If this function is
   * absent, only consent that the user gave earlier counts.
   */
  consent?: (terms: Words, runs: boolean, endpoint: string) => Promise<boolean>;
  /** Decides which reports are made, and receives their failures. Without it, a failing probe ends the run. */
  matrix?: Matrix;
  /** The evaluators that are checkpoints of a training run, by reference. */
  checkpoints?: ReadonlyMap<string, NonNullable<Report['checkpoint']>>;
  /** The experiment file to name in reports. */
  experiment?: Report['experiment'];
}
