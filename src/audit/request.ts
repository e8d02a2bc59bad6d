import type { FieldMap } from '../dataset/fields/fields';
import type { Evaluator } from '../evaluator/evaluator';
import type { Secret } from '../evaluator/fileContext';
import type { EditorModels } from '../evaluator/judge/editorModels';
import type { PythonOptions } from '../evaluator/python/python';
import type { AuditEvent } from './events';

export interface AuditRequest {
  dataset: string;
  probes: readonly string[];
  /** Installed ids or paths, or an evaluator that is open already; it is closed with the run. */
  evaluators: readonly (string | Evaluator)[];
  /** Folders to look for photos in, before the usual ones. */
  images?: readonly string[];
  /** Folder of the reports; absent: one under the home folder that belongs to this dataset. */
  out?: string;
  limit?: number;
  seed?: number;
  /** By probe id, then by option. */
  options?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  map?: FieldMap;
  home?: string;
  batchSize?: number;
  threads?: number;
  /** Where models run: `cpu` by default, `auto` tries what the platform offers. */
  provider?: string;
  /** Which of a model's graphs: `float32` by default. */
  precision?: string;
  signal: AbortSignal;
  onEvent?: (event: AuditEvent) => void;
  /** Where keys of endpoints come from, by name; the environment by default. */
  secret?: Secret;
  /** The language models of the editor, where the run was started from one. */
  editor?: EditorModels;
  /** How Python is found for evaluators written in it. */
  python?: PythonOptions;
  /**
   * Whether an endpoint may be asked on these terms, or code may run where `runs`; asked once for each. Absent: nothing
   * may that was not allowed before.
   */
  consent?: (terms: string, runs: boolean) => Promise<boolean>;
}
