import { CheckSession } from '../../../sessions/check';
import { CaptiousError, inputError, messageOf, usageError } from '../../../base/errors';
import { readBounded } from '../../../base/files/readFile';
import { readReport } from '../../../report/report';
import { type Command, text, type Values } from '../../arguments';
import { auditAt } from '../../audits';
import { images } from '../../options';
import { mergeInvariance } from './mergeInvariance';
import { mergeLgip } from './mergeLgip';
import { mergePrsm } from './mergePrsm';
import { checkEnding, drawCheck } from './sample';

export const checkCommand: Command = {
  name: 'check',
  summary:
    'let people judge a sample of variants from a report of the probes invariance, lgip or prsm, and recompute the metrics without the variants that they reject',
  usage: [
    `check sample REPORT [--out FILE${checkEnding}] [--annotator A,…] [--per-family N] [--items F=N,…] [--strata frequency]`,
    'check merge FILE… [--report REPORT] [--out DIR]',
  ],
  operands: {
    sample:
      'draws variants from a report. Judge them in the editor with "Captious: Check Variants…". The editor shows original and variant side by side, in random order',
    merge:
      "merges the judgments of several annotators. Prints the majority judgments and Fleiss' κ. invariance: recomputes the metrics without the variants that the majority does not accept, and without those that it does not find fully correct. lgip: estimates the share of valid variants and the metrics over valid variants alone, and recomputes the metrics without the rejected variants. prsm: estimates the share of wordings that keep the meaning, and prints the rejected ones. With --out, also writes a report for each recomputation. Variants outside the sample stay in these reports",
    REPORT: 'a report of the probe invariance, lgip or prsm',
  },
  options: {
    out: {
      value: 'PATH',
      describe:
        'sample: the file to write, or one file for each annotator (default: next to the report). merge: the folder for the new reports (default: write no reports)',
    },
    annotator: {
      value: 'A,…',
      multiple: true,
      describe: 'sample: names of the annotators (default: the editor asks when you open the file)',
    },
    'per-family': { value: 'N', describe: 'sample: variants per family (default 20)' },
    items: {
      value: 'F=N,…',
      multiple: true,
      describe:
        'sample: number of variants for the named families. Examples: --items vflip=80,blur=160, --items paraphrase=60,flip=60, --items P1=100',
    },
    strata: {
      value: 'S',
      describe:
        'sample: with the value frequency, the strata also depend on how often a word occurs in COCO captions. This is the rarest word that the variant adds. If the variant adds no word, it is the rarest word of the caption',
    },
    seed: {
      value: 'N',
      describe:
        'sample: seed of the sample, and of the left-right order of original and variant (default 42)',
    },
    images,
    report: {
      value: 'REPORT',
      describe: 'merge: the report. Needed only if it was moved after the sample was drawn',
    },
    json: { describe: 'print all results as one JSON value' },
  },
  notes: [
    'For a caption of an LGIP report, people say how well the caption and its variant describe the image, and whether both mean the same. A paraphrase is valid if the majority finds that it has the same meaning and does not describe the image worse. A flip is valid if the majority finds that it has a different meaning and describes the image worse. A wording of a PRSM report is judged like a paraphrase; its family is its set (P1, P2 or P3).',
    'The metrics over valid variants are estimated for all variants of the report, not only for the sample (prediction-powered inference, see docs/statistics.md).',
  ],
  examples: [
    'check sample reports/invariance.starter.report.json --annotator ann,bo,cy',
    'check merge reports/invariance.starter.ann.check.json reports/invariance.starter.bo.check.json reports/invariance.starter.cy.check.json',
  ],

  async run({ positionals, values, signal }) {
    const [what, ...files] = positionals;
    if (what === 'sample' && files.length === 1) return drawCheck(files[0], values);
    if (what === 'merge' && files.length > 0) return merge(files, values, signal);
    throw usageError(
      what === 'sample'
        ? `Expected one report to draw a sample from, got ${files.length}.`
        : what === 'merge'
          ? 'Expected at least one file to merge.'
          : 'Expected "sample" or "merge".',
      'See: captious check --help',
    );
  },
};

/** Merges the annotators' judgments. Throws if the sample was drawn from other rows of the report. */
async function merge(files: readonly string[], values: Values, signal: AbortSignal): Promise<number> {
  const sessions = await Promise.all(
    files.map(async (at) => ({ at, session: CheckSession.parse(await contentOf(at), at) })),
  );
  const { origin } = sessions[0].session;
  const path = text(values, 'report') ?? origin.report;
  const report = await readReport(path);
  if (report.rowsSha256 !== origin.rowsSha256)
    throw inputError(
      'The rows of this report differ from those that the sample was drawn from.',
      'Draw a new sample, or specify the original report with --report.',
      path,
    );
  if (report.probe === 'lgip') await mergeLgip(sessions, path, values, signal);
  else if (report.probe === 'prsm') await mergePrsm(sessions, path, values);
  else await mergeInvariance(sessions, await auditAt(path), path, values, signal);
  return 0;
}

export async function contentOf(path: string): Promise<string> {
  try {
    return (await readBounded(path)).toString('utf8');
  } catch (cause) {
    throw new CaptiousError('input', `The file cannot be read: ${messageOf(cause)}.`, { at: path, cause });
  }
}
