import { resolve } from 'node:path';
import { type CheckResult, type Kappa, mergeChecks, type Tally } from '../../annotation/merge';
import { drawSample } from '../../annotation/sample';
import { CheckSession } from '../../annotation/session';
import { CaptiousError, messageOf } from '../../base/errors';
import { readBounded } from '../../base/files/readFile';
import { unassigned } from '../../base/editHistory';
import { auditAt } from '../audits';
import { writeWhole } from '../../report/output';
import { type Command, list, repeated, text, type Values, wholeNumber } from '../arguments';
import { againWithout, type Again, stemOf } from './checkAgain';
import { images } from '../options';
import { log, print, printJson, table } from '../terminal';

export const checkEnding = '.check.json';

export const checkCommand: Command = {
  name: 'check',
  summary:
    'let people judge a sample of variants from an invariance report, and recompute the metrics without the variants that they reject',
  usage: [
    `check sample REPORT [--out FILE${checkEnding}] [--annotator A,…] [--per-family N] [--items F=N,…]`,
    'check merge FILE… [--report REPORT] [--out DIR]',
  ],
  operands: {
    sample:
      'draws variants from a report. Judge them in the editor with "Captious: Check Variants…". The editor shows original and variant side by side, in random order',
    merge:
      "merges the judgments of several annotators. Prints the majority judgments and Fleiss' κ, and writes two reports: one without the variants that the majority rejects, and one with fully correct variants only",
    REPORT: 'an invariance report',
  },
  options: {
    out: {
      value: 'PATH',
      describe:
        'sample: the file to write, or one file for each annotator (default: next to the report). merge: the folder for both new reports',
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
      describe: 'sample: number of variants for the named families. Example: --items vflip=80,blur=160',
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
  examples: [
    'check sample reports/invariance.starter.report.json --annotator ann,bo,cy',
    'check merge reports/invariance.starter.ann.check.json reports/invariance.starter.bo.check.json reports/invariance.starter.cy.check.json',
  ],

  async run({ positionals, values }) {
    const [what, ...files] = positionals;
    if (what === 'sample' && files.length === 1) return sample(files[0], values);
    if (what === 'merge' && files.length > 0) return merge(files, values);
    throw new CaptiousError(
      'usage',
      what === 'sample'
        ? `Expected one report to draw a sample from, got ${files.length}.`
        : what === 'merge'
          ? 'Expected at least one file to merge.'
          : 'Expected "sample" or "merge".',
      { remedy: 'See: captious check --help' },
    );
  },
};

async function sample(path: string, values: Values): Promise<number> {
  const out = text(values, 'out') ?? `${stemOf(path)}${checkEnding}`;
  if (!out.endsWith(checkEnding))
    throw new CaptiousError('usage', `--out ${out}: the name must end in ${checkEnding}.`);
  const seed = wholeNumber(values, 'seed') ?? 42;
  const perFamily = wholeNumber(values, 'per-family', 1) ?? 20;
  const { report, rows } = await auditAt(path);
  const drawn = drawSample(rows, { perFamily, quotas: quotasOf(list(values, 'items')), seed });
  if (drawn.length === 0)
    throw new CaptiousError('input', 'The report has no variants of images or of generated captions.', {
      at: path,
    });
  const images = repeated(values, 'images').map((folder) => resolve(folder));
  const origin = {
    report: resolve(path),
    rowsSha256: report.rowsSha256,
    dataset: report.dataset.path,
    ...(images.length === 0 ? {} : { images }),
    seed,
  };
  const annotators = list(values, 'annotator');
  const written: string[] = [];
  for (const annotator of annotators.length === 0 ? [unassigned] : annotators) {
    const name = annotators.length === 0 ? out : fileOf(out, annotator);
    await writeWhole(name, CheckSession.begin(drawn, origin, annotator).toString());
    written.push(name);
  }
  const families = [...new Set(drawn.map(({ family }) => family))].sort();
  const counts = families.map((family) => ({
    family,
    items: drawn.filter((one) => one.family === family).length,
  }));
  const quotas = quotasOf(list(values, 'items'));
  const short = counts
    .map(({ family, items }) => ({ family, items, wanted: quotas[family] ?? perFamily }))
    .filter(({ items, wanted }) => items < wanted);
  for (const { family, items, wanted } of short)
    log(`${family}: only ${items} of ${wanted} items, because the report has no more that differ.`);
  if (values.json) {
    printJson({ items: drawn.length, families: counts, short, files: written });
    return 0;
  }
  print(
    table(
      ['family', 'items'],
      counts.map(({ family, items }) => [family, String(items)]),
    ),
  );
  for (const name of written) log(`wrote ${name}`);
  return 0;
}

function fileOf(out: string, annotator: string): string {
  return out.replace(checkEnding, `.${annotator.replace(/[^\p{L}\p{N}-]+/gu, '_')}${checkEnding}`);
}

function quotasOf(given: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    given.map((one) => {
      const [, family, items] = /^(\w+)=(\d+)$/.exec(one) ?? [];
      if (family === undefined)
        throw new CaptiousError('usage', `--items ${one}: expected family=number.`, {
          remedy: 'Example: --items vflip=80.',
        });
      return [family, Number(items)];
    }),
  );
}

async function merge(files: readonly string[], values: Values): Promise<number> {
  const sessions = await Promise.all(
    files.map(async (at) => ({ at, session: CheckSession.parse(await contentOf(at), at) })),
  );
  const result = mergeChecks(sessions);
  const { origin } = sessions[0].session;
  const path = text(values, 'report') ?? origin.report;
  const audited = await auditAt(path);
  if (audited.report.rowsSha256 !== origin.rowsSha256)
    throw new CaptiousError(
      'input',
      'The rows of this report differ from those that the sample was drawn from.',
      {
        at: path,
        remedy: 'Draw a new sample, or specify the original report with --report.',
      },
    );
  const again = await againWithout(audited, result, { path, out: text(values, 'out') });
  if (values.json) {
    printJson({ ...result, again });
    return 0;
  }
  show(result, again);
  return 0;
}

function show(
  { annotators, items, judged, byAll, total, families, kappa }: CheckResult,
  again: Again[],
): void {
  print(
    `${annotators.join(', ')}: ${judged} of ${items} items judged, ${byAll} of them by ${annotators.length === 1 ? 'the one annotator' : `all ${annotators.length}`}.`,
  );
  if (judged === 0) return;
  print(
    `The majority accepts both versions in ${shareOf(total.both, total)} and only one in ${shareOf(total.one, total)}. It rates both as fully correct in ${shareOf(total.full, total)}.`,
  );
  print(
    `The majority sees no difference in ${shareOf(total.equal, total)}, prefers the original in ${shareOf(total.original, total)} and the variant in ${shareOf(total.changed, total)}.`,
  );
  print(
    `Fleiss' κ of acceptability ${kappaWords(kappa.acceptability)}, of preference ${kappaWords(kappa.preference)}.\n`,
  );
  const cells = (name: string, one: Tally): string[] =>
    [name, one.items, one.both, one.one, one.neither, one.full, one.equal, one.original, one.changed].map(
      String,
    );
  print(
    table(
      ['family', 'items', 'both', 'one', 'neither', 'fully', 'equal', 'original', 'variant'],
      families.map((one) => cells(one.family, one)),
    ),
  );
  for (const { words, file } of again) {
    print(`\n${words}`);
    if (file !== undefined) print(`report: ${file}`);
  }
}

function shareOf(count: number, { items }: Tally): string {
  return `${count} of ${items} (${((100 * count) / items).toFixed(1)} %)`;
}

function kappaWords({ value, n, note }: Kappa): string {
  return value === null ? `not defined (${note ?? ''})` : `${value.toFixed(4)} over ${n}`;
}

export async function contentOf(path: string): Promise<string> {
  try {
    return (await readBounded(path)).toString('utf8');
  } catch (cause) {
    throw new CaptiousError('input', `The file cannot be read: ${messageOf(cause)}.`, { at: path, cause });
  }
}
