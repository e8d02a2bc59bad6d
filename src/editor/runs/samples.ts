import * as vscode from 'vscode';
import type { Reader } from '../../process/readerClient';
import { usableEvaluators } from './selectRun';
import type { RunOrder } from './runs';
import * as settings from '../settings';

/** Chosen because it is small and easy to understand: three captions per line, with the images next to it. */
const sample = { file: 'triplets.tsv', probe: 'visla' };

export function sampleFile(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, 'samples', sample.file);
}

/** The audit at the end of the walkthrough, of the sample dataset with the first evaluator that works. */
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
