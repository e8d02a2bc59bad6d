import type { CaptiousError } from '../../base/errors';
import type { WrittenReport } from '../output/writtenReport';

export interface AuditCell {
  probe: string;
  /** The reference to the evaluator in the request. */
  ref: string;
}

export interface FinishedCell {
  /** A hash of everything that determines the report. */
  key: string;
  written: WrittenReport;
  /** Files that `key` does not cover, each with its hash, or with an empty text if it has none. */
  uncovered: Readonly<Record<string, string>>;
}

export interface Matrix {
  /** Whether there is a report with this key, so that the cell need not run. */
  isDone(cell: AuditCell, key: string): Promise<boolean>;
  done(cell: AuditCell, finished: FinishedCell): Promise<void>;
  failed(cell: AuditCell, error: CaptiousError): void;
}
