import * as vscode from 'vscode';
import { say } from '../../base/say';
import type { Reader } from '../../process/readerClient';
import type { Selection } from '../../protocol/rows';
import { readReport } from '../../report/report';
import * as settings from '../settings';
import { type AuditOutcome, begin, type FollowingParts } from './following';
import type { RunOrder } from './runs';
import { usableEvaluators } from './selectRun';
import { withoutEnd } from '../../base/text/ends';

/** The sample file that the user can open. It is small, with three captions per line. */
const shown = 'triplets.tsv';
/**
 * The sample file to audit and its probe. The file has enough images for verdicts, and its audit takes only seconds.
 * A mistake in LGIP is easy to understand: a wrong caption (flip) gets a higher score than a right one.
 */
const audited = { file: 'captions.jsonl', probe: 'lgip' };

interface SampleParts extends FollowingParts {
  context: vscode.ExtensionContext;
  reader: Reader;
}

export function sampleFile({ extensionUri }: vscode.ExtensionContext, name = shown): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'samples', name);
}

/** Audits sample captions with the first usable evaluator, and explains its worst mistake (if any) in the panel. */
export async function auditSamples(parts: SampleParts): Promise<AuditOutcome> {
  const { context, reader, panels } = parts;
  const [evaluator] = await usableEvaluators(reader);
  const file = sampleFile(context, audited.file);
  const order: RunOrder = {
    dataset: file.fsPath,
    probes: [audited.probe],
    evaluators: [evaluator.id],
    images: [sampleFile(context, 'images').fsPath],
    seed: settings.seed(file),
    ...settings.draws(file),
  };
  const outcome = await begin(parts, order);
  const [report] = outcome.reports;
  if (report === undefined) return outcome;
  const selection: Selection = { text: '', facets: {}, sort: 'image' };
  const ask = { report, selection, offset: 0, limit: 1 };
  const [worst] = (await reader.rows('lines', ask, order.images)).lines;
  if (worst?.verdict !== 'wrong') return outcome;
  const { name } = (await readReport(report)).evaluator;
  const [wrong, right] = [worst.after, worst.before].map(withoutPeriod);
  const sentences = [
    say('editor.sampleWrongCaptionWins', name, wrong, right),
    say('editor.sampleOneExample'),
    say('editor.sampleRewardsMistake'),
  ];
  await panels.show({ run: outcome.id, compare: [] }, { explain: { index: worst.index, sentences } });
  return outcome;
}

/** Removes the final period of a caption, because the caption is quoted inside a sentence. */
function withoutPeriod(caption: string): string {
  return withoutEnd(caption, /[\s.]/);
}
