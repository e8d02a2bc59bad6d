import { resolve } from 'node:path';
import { drawReport } from '../../../sessions/drawReport';
import type { SampleOptions } from '../../../sessions/draw';
import { CheckSession } from '../../../sessions/check';
import { CaptiousError, usageError } from '../../../base/errors';
import { unassigned } from '../../../sessions/session';
import { fileName } from '../../../base/files/fileName';
import { placed } from '../../../dataset/images/imagePlaces';
import { writeWhole } from '../../../report/output';
import { variantRows } from '../../../report/variantRows';
import { list, text, type Values, wholeNumber } from '../../arguments';
import { log, logLeftOut, print, printJson, table } from '../../terminal';
import { stemOf } from './checkAgain';
import { imageFolders } from '../../datasetRequest';

export const checkEnding = '.check.json';

export async function drawCheck(path: string, values: Values): Promise<number> {
  const out = text(values, 'out') ?? `${stemOf(path)}${checkEnding}`;
  if (!out.endsWith(checkEnding))
    throw new CaptiousError('usage', `--out ${out}: the name must end in ${checkEnding}.`);
  const seed = wholeNumber(values, 'seed') ?? 42;
  const perFamily = wholeNumber(values, 'per-family', 1) ?? 20;
  const by = strataOf(values);
  const from = await variantRows(path);
  const { report } = from;
  const { items: drawn, short } = await drawReport(from, {
    perFamily,
    quotas: quotasOf(list(values, 'items')),
    seed,
    ...by,
  });
  logLeftOut(path, from.leftOut);
  if (drawn.length === 0)
    throw new CaptiousError('input', 'The report has no variants to judge.', { at: path });
  const images = imageFolders(values).map((folder) => placed(folder));
  const origin = {
    report: resolve(path),
    probe: from.probe,
    rowsSha256: report.rowsSha256,
    dataset: report.dataset.path,
    ...(images.length === 0 ? {} : { images }),
    seed,
    ...by,
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
  for (const { family, items, wanted } of short)
    log(`${family}: only ${items} of ${wanted} items, because the report has no more.`);
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
  return out.replace(checkEnding, `.${fileName(annotator)}${checkEnding}`);
}

function quotasOf(given: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    given.map((one) => {
      const [, family, items] = /^(\w+)=(\d+)$/.exec(one) ?? [];
      if (family === undefined)
        throw usageError(`--items ${one}: expected family=number.`, 'Example: --items vflip=80.');
      return [family, Number(items)];
    }),
  );
}

function strataOf(values: Values): Pick<SampleOptions, 'strata'> {
  const given = text(values, 'strata');
  if (given === undefined) return {};
  if (given === 'frequency') return { strata: given };
  throw new CaptiousError('usage', `--strata ${given}: expected frequency.`);
}
