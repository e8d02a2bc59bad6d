import { createHash } from 'node:crypto';
import { basename, extname, join } from 'node:path';
import { stat } from 'node:fs/promises';
import { fileName, fileNameWithCase } from '../../base/files/fileName';
import type { EvaluatorInfo } from '../../evaluator/evaluator';
import { readReport, type Report } from '../../report/report';
import { stepOf, usualSteps } from '../../report/trend/step';

/** The parts of a report that determine its name. */
export type Named = Pick<Report, 'probe' | 'options' | 'seed' | 'draws' | 'limit'> & {
  dataset: Pick<Report['dataset'], 'path' | 'sha256' | 'cluster'>;
  evaluator: Pick<EvaluatorInfo, 'id' | 'path' | 'sha256'>;
};

/**
 * A run's evaluators as parts of file names: "clipscore_starter" for clipscore:starter. If two evaluators have the
 * same name, their names get a hash. Checkpoints may share an id, also with one that a later run adds, so a step that
 * the id does not say is part of the name.
 */
export function evaluatorNames<T extends { info: EvaluatorInfo }>(
  evaluators: readonly T[],
  stepOfOne: (evaluator: T) => number | undefined = () => undefined,
): string[] {
  const ids = evaluators.map((evaluator) => {
    const [{ id }, step] = [evaluator.info, stepOfOne(evaluator)];
    return step === undefined || stepOf([id], usualSteps) === step ? nameOf(id) : `${nameOf(id)}@${step}`;
  });
  const folded = ids.map((id) => id.toLowerCase());
  return ids.map((id, i) =>
    folded.indexOf(folded[i]) === folded.lastIndexOf(folded[i]) ? id : hashed(id, evaluators[i].info.sha256),
  );
}

/**
 * Returns `<probe>.<evaluator>`, or a longer name if another report has this name.
 * `replaced` is an old report of the same probe, evaluator and dataset with other settings.
 */
export async function reportName(
  folder: string,
  named: Named,
  evaluator: string,
): Promise<{ name: string; replaced?: Report }> {
  const { probe, dataset } = named;
  const stem = fileNameWithCase(basename(dataset.path, extname(dataset.path)));
  const first = `${probe}.${evaluator}`;
  const other = `${probe}.${hashed(evaluator, named.evaluator.sha256)}`;
  const names = [first, `${first}.${stem}`, other, `${other}.${stem}`].map((name) => ({ name }));
  const last = { name: `${other}.${hashed(stem, createHash('sha256').update(dataset.path).digest('hex'))}` };
  const found = await Promise.all(
    [...names, last].map(async ({ name }) => ({ name, report: await reportAt(folder, name) })),
  );
  const own = found.find(({ report }) => isReport(report) && sameThree(report, named));
  if (own !== undefined && isReport(own.report)) {
    return { name: own.name, ...(sameQuestion(own.report, named) ? {} : { replaced: own.report }) };
  }
  const taken = found[0].report;
  // If the existing report is about the same dataset, only the evaluator's hash can distinguish the names.
  const sameDataset = isReport(taken) && isSameDataset(taken, named);
  const free = found.filter(({ report }) => report === undefined).map(({ name }) => name);
  const wished = sameDataset ? free.find((name) => name.startsWith(other)) : free[0];
  return { name: wished ?? last.name };
}

type Found = Report | 'unreadable' | undefined;

function isReport(found: Found): found is Report {
  return typeof found === 'object';
}

async function reportAt(folder: string, name: string): Promise<Found> {
  const path = join(folder, `${name}.report.json`);
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  return readReport(path).catch(() => 'unreadable' as const);
}

function sameThree(report: Report, named: Named): boolean {
  const { evaluator } = report;
  const isSame =
    evaluator.sha256 === named.evaluator.sha256 ||
    (evaluator.id === named.evaluator.id && evaluator.path === named.evaluator.path);
  return report.probe === named.probe && isSame && isSameDataset(report, named);
}

/** Two files in different folders are the same dataset if name and content are equal. */
function isSameDataset({ dataset }: Report, named: Named): boolean {
  if (dataset.path === named.dataset.path) return true;
  return (
    dataset.sha256 === named.dataset.sha256 &&
    dataset.path.split(/[/\\]/).pop() === basename(named.dataset.path)
  );
}

function sameQuestion(report: Report, { options, seed, draws, limit, dataset }: Named): boolean {
  const sorted = (values: Report['options']): string => JSON.stringify(Object.entries(values).sort());
  const isSame =
    report.seed === seed &&
    (report.draws ?? 1) === (draws ?? 1) &&
    report.limit === limit &&
    report.dataset.cluster === dataset.cluster;
  return isSame && sorted(report.options) === sorted(options);
}

function nameOf(id: string): string {
  const [metric, encoder, ...more] = id.split(':');
  return encoder === undefined || more.length > 0
    ? fileNameWithCase(id)
    : `${fileName(metric)}_${fileNameWithCase(encoder)}`;
}

function hashed(text: string, sha256: string): string {
  return `${text}-${sha256.slice(0, 8)}`;
}
