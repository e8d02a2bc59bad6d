import * as vscode from 'vscode';
import type { Reader } from '../../process/readerClient';
import { usableEvaluators } from './selectRun';
import type { RunOrder } from './runs';
import * as settings from '../settings';

/** Small, with images next to it and three captions a line: the quickest to understand. */
const sample = { file: 'triplets.tsv', probe: 'visla' };

export function sampleFile(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, 'samples', sample.file);
}

/** The audit at the end of the walkthrough: the sample dataset and the first evaluator that works. */
export async function sampleOrder(context: vscode.ExtensionContext, reader: Reader): Promise<RunOrder> {
  const [evaluator] = await usableEvaluators(reader);
  return {
    dataset: sampleFile(context).fsPath,
    probes: [sample.probe],
    evaluators: [evaluator.id],
    images: [],
    seed: settings.seed(sampleFile(context)),
  };
}
