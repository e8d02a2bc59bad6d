import type * as vscode from 'vscode';
import type { Marks } from '../text/marks';
import type { Reader } from '../../process/readerClient';
import type { Runs } from '../runs/runs';

export interface ToolParts {
  runs: Runs;
  reader: Reader;
  marks: Marks;
  /** Stores which Python interpreter the user selected. */
  memory: vscode.Memento;
}

export const toolNames = [
  'captious_inspect',
  'captious_audit',
  'captious_explain',
  'captious_compare',
] as const;

export type Tools = Record<(typeof toolNames)[number], Required<vscode.LanguageModelTool<object>>>;
