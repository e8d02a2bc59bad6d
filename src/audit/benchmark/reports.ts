/* Reads what audited evaluators chose, and joins their choices to a benchmark's items. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inputError, usageError } from '../../base/errors';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say, type Words } from '../../base/say';
import { answersBy, creditScores, Joined } from '../../probe/benchmark/evaluators/answers';
import type { Item } from '../../probe/benchmark/items';
import type { ImportedRow } from '../../probe/imported/row';
import { readReport, type Report } from '../../report/report';
import { LeftOutRows } from '../../report/rowChecks';
import { readRows } from '../../report/rows';
import { leastImages } from '../../stats/decisions/smallSample';
import type { AuditedEvaluator } from '../../probe/benchmark/evaluators/asked';

const ending = '.report.json';
const importedProbe = 'imported';

interface OpenedReport {
  path: string;
  report: Report;
  /** Whether the user named the file, and not only its folder. Such a report must fit. */
  isNamed: boolean;
}

/** The reports of some dataset files. */
export interface OpenedReports {
  fitting: OpenedReport[];
  /** How many reports of the folders are of other datasets or other probes. */
  others: number;
  /** The score of imported logs that counts as right or wrong. */
  score?: string;
}

/** Reads the named reports and those of the named folders. A named report of another dataset or probe is an error. */
export async function openReports(
  paths: readonly string[],
  datasets: readonly string[],
  { score, home = homeFolder(), signal }: { score?: string; home?: string; signal: AbortSignal },
): Promise<OpenedReports> {
  const fingerprints = new Fingerprints(storeFolder(home));
  const hashes = new Set<string>();
  for (const dataset of datasets) hashes.add(await fingerprints.sha256(dataset, signal));
  await fingerprints.flush();
  const fitting: OpenedReport[] = [];
  let others = 0;
  for (const path of paths)
    for (const one of await reportsAt(path)) {
      const fault = faultOf(one.report, hashes, datasets);
      if (fault === undefined) fitting.push(one);
      else if (one.isNamed) throw inputError(fault.text, fault.remedy, one.path);
      else others++;
    }
  if (fitting.length === 0)
    throw inputError(
      say('benchmark.noReports', others),
      say('benchmark.auditFirst', datasets[0]),
      paths.join(', '),
    );
  return { fitting, others, ...(score === undefined ? {} : { score }) };
}

async function reportsAt(path: string): Promise<OpenedReport[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [{ path, report: await readReport(path), isNamed: true }];
  const names = (await readdir(path)).filter((name) => name.endsWith(ending)).sort();
  return Promise.all(
    names.map(async (name) => ({
      ...{ path: join(path, name), isNamed: false },
      report: await readReport(join(path, name)),
    })),
  );
}

/** Why a report says nothing about the items of the datasets. */
function faultOf(
  { probe, dataset }: Report,
  hashes: ReadonlySet<string>,
  datasets: readonly string[],
): { text: Words; remedy: Words } | undefined {
  if (probe === importedProbe)
    return datasets.length === 1
      ? undefined
      : { text: say('benchmark.importedWithSeveral'), remedy: say('benchmark.checkOneFile') };
  if (!answersBy.has(probe))
    return {
      text: say('benchmark.otherProbe', probe),
      remedy: say('benchmark.auditWith', [...answersBy.keys()].join(', ')),
    };
  if (hashes.has(dataset.sha256)) return undefined;
  return {
    text: say('benchmark.otherDataset', dataset.path),
    remedy: say('benchmark.auditFirst', datasets[0]),
  };
}

export interface JoinedReports {
  evaluators: AuditedEvaluator[];
  warnings: Words[];
}

/** Joins the reports of a dataset to its items. */
export async function joinReports(
  { fitting, others, score }: OpenedReports,
  sha256: string,
  items: readonly Item[],
): Promise<JoinedReports> {
  const own = fitting.filter(
    ({ report }) => report.probe === importedProbe || report.dataset.sha256 === sha256,
  );
  const joined = new Joined(items);
  const known = new Set<string>();
  const found: (AuditedEvaluator & { path: string })[] = [];
  const warnings: Words[] = others === 0 ? [] : [say('benchmark.otherReports', others)];
  const notes = new Notes();
  for (const one of own) {
    const { path, report, isNamed } = one;
    const { name } = report.evaluator;
    const key = JSON.stringify({ ...report.evaluator, path: undefined });
    if (known.has(key)) {
      warnings.push(say('benchmark.sameEvaluator', basename(path), name));
      continue;
    }
    const { credits, rows, rowsJoined, rowsInvalid } = await creditsOf(one, joined, items.length, score);
    const answered = credits.reduce((n, credit) => n + Number(!Number.isNaN(credit)), 0);
    if (answered < leastImages) {
      const text = say('benchmark.fewJoined', rowsJoined, rows, leastImages);
      if (isNamed) throw inputError(text, say('benchmark.auditWithImages'), path);
      warnings.push(say('benchmark.reportLeftOut', basename(path), text));
      continue;
    }
    known.add(key);
    if (report.probe === importedProbe) notes.add(name, (names) => say('benchmark.joinedById', names));
    if (rowsInvalid > 0) notes.add(name, (names) => say('benchmark.invalidRows', names, rowsInvalid));
    if (rowsJoined < rows)
      notes.add(name, (names) => say('benchmark.rowsNotJoined', names, rows - rowsJoined, rows));
    if (answered < items.length)
      notes.add(name, (names) => say('benchmark.itemsAnswered', names, answered, items.length));
    found.push({ name, credits, path });
  }
  if (found.length === 0) throw inputError(say('benchmark.noJoined'), say('benchmark.auditWithImages'));
  const isUnique = ({ name }: AuditedEvaluator): boolean =>
    found.filter((other) => other.name === name).length === 1;
  return {
    warnings: [...warnings, ...notes.all()],
    evaluators: found.map((one) => ({
      name: isUnique(one) ? one.name : `${one.name} (${basename(one.path, ending)})`,
      credits: one.credits,
    })),
  };
}

/** Notes on evaluators. Evaluators with the same note share it. */
class Notes {
  private readonly found = new Map<string, { names: string[]; note: (names: string) => Words }>();

  add(name: string, note: (names: string) => Words): void {
    const key = JSON.stringify(note(''));
    const known = this.found.get(key);
    if (known === undefined) this.found.set(key, { names: [name], note });
    else known.names.push(name);
  }

  all(): Words[] {
    return [...this.found.values()].map(({ names, note }) => note(names.join(', ')));
  }
}

interface Credits {
  credits: Float64Array;
  rows: number;
  /** The rows with an answer to an item. */
  rowsJoined: number;
  rowsInvalid: number;
}

async function creditsOf(
  { path, report }: OpenedReport,
  joined: Joined,
  n: number,
  score: string | undefined,
): Promise<Credits> {
  const credits = new Float64Array(n).fill(NaN);
  const invalid = new LeftOutRows();
  let [rows, rowsJoined] = [0, 0];
  const done = (): Credits => ({ credits, rows, rowsJoined, rowsInvalid: invalid.count });
  if (report.probe === importedProbe) {
    const all: ImportedRow[] = [];
    for await (const row of readRows(path, report, invalid)) all.push(row as ImportedRow);
    const name = scoreOf(all, path, score);
    for (const { example, scores } of all) {
      const item = joined.only(example);
      rows++;
      if (item === undefined || scores[name] === undefined) continue;
      credits[item] = scores[name];
      rowsJoined++;
    }
    return done();
  }
  const answersOf = answersBy.get(report.probe)!;
  const find = joined.finder();
  for await (const row of readRows(path, report, invalid)) {
    rows++;
    let isJoined = false;
    for (const answer of answersOf(row)) {
      const item = find(row.example, answer);
      if (item === undefined) continue;
      credits[item] = answer.credit;
      isJoined = true;
    }
    if (isJoined) rowsJoined++;
  }
  return done();
}

/** The score that says whether an answer is right. */
function scoreOf(rows: readonly ImportedRow[], path: string, wanted: string | undefined): string {
  const names = creditScores(rows);
  if (wanted === undefined && names.length === 1) return names[0];
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const all = [...new Set(rows.flatMap(({ scores }) => Object.keys(scores)))];
  throw usageError(
    say('benchmark.scoreUnclear', names.length, all.join(', ')),
    names.length === 0 ? say('benchmark.noCreditScore') : say('benchmark.nameScore', names.join(', ')),
    path,
  );
}
