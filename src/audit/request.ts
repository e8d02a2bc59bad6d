import type { FieldMap } from '../dataset/fields/fields';
import type { Evaluator } from '../evaluator/evaluator';
import type { Secret } from '../evaluator/fileContext';
import type { RequestSink } from '../evaluator/judge/batch/batchModel';
import type { EditorModels } from '../evaluator/judge/editorModels';
import type { PythonOptions } from '../evaluator/python/python';
import type { AuditEvent } from './events';

export interface AuditRequest {
  dataset: string;
  probes: readonly string[];
  /** Installed ids or paths, or an open evaluator, which the run closes. */
  evaluators: readonly (string | Evaluator)[];
  /** A file of reference captions, for evaluators that compare with them; by default the dataset's own. */
  references?: string;
  /** Folders to search for images before the usual ones. */
  images?: readonly string[];
  /** Folder of the reports; by default one per dataset in the home folder. */
  out?: string;
  limit?: number;
  seed?: number;
  /** By probe id, then by option name. */
  options?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  map?: FieldMap;
  home?: string;
  batchSize?: number;
  threads?: number;
  /** Where models run: `cpu` by default, `auto` tries what the platform offers. */
  provider?: string;
  /** Which of a model's graphs to use; `float32` by default. */
  precision?: string;
  signal: AbortSignal;
  onEvent?: (event: AuditEvent) => void;
  /** Receives the requests that would otherwise be sent to the endpoints of judges. */
  requests?: RequestSink;
  /** How to look up an endpoint's key by name; the environment by default. */
  secret?: Secret;
  /** The editor's language models, if the run was started in an editor. */
  editor?: EditorModels;
  /** How to find the Python interpreter for evaluators in Python. */
  python?: PythonOptions;
  /**
   * Asks for consent to `terms`, which are about running code if `runs` is set. If absent, only earlier
   * consent counts.
   */
  consent?: (terms: string, runs: boolean) => Promise<boolean>;
}
