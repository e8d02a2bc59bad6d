import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileName } from '../../base/files/fileName';
import { readBounded } from '../../base/files/readFile';
import type { Report } from '../../report/report';
import { CheckSession } from '../../sessions/check';
import { type PickedProbe, pickedProbes } from '../../sessions/picked';
import type { CheckFileAt } from '../../sessions/votes';

const reportEnding = '.report.json';
const ending = '.check.json';
/** Digits of the rows' hash in a file's name, so that a report of other rows has other judgments. */
const digits = 8;
const judgedName = /\.judged-[^.]*\.check\.json$/;

type JudgedReport = Pick<Report, 'probe' | 'rowsSha256' | 'dataset' | 'seed'>;

/** The report's probe, if people can judge its variants. */
export function pickedProbe({ probe }: Pick<Report, 'probe'>): PickedProbe | undefined {
  return pickedProbes.find((one) => one === probe);
}

/** The file of a person's judgments, beside the report. */
export function judgmentsPath(report: string, { rowsSha256 }: JudgedReport, judge: string): string {
  const stem = basename(report).replace(/\.report\.json$/, '');
  return join(dirname(report), `${stem}.${fileName(judge)}.judged-${rowsSha256.slice(0, digits)}${ending}`);
}

/** Whether there may be judgments beside a report, without reading a file. */
export async function haveJudgments(report: string): Promise<boolean> {
  return (await namesBeside(report)).length > 0;
}

/** The names of files with judgments on any rows of a report. */
async function namesBeside(report: string): Promise<string[]> {
  const stem = `${basename(report).slice(0, -reportEnding.length)}.`;
  const names = await readdir(dirname(report)).catch(() => []);
  return names.filter((name) => name.startsWith(stem) && judgedName.test(name)).sort();
}

/** The judgments beside a report: one file for each person. */
export async function judgmentsOf(report: string, { rowsSha256 }: JudgedReport): Promise<CheckFileAt[]> {
  const own = `.judged-${rowsSha256.slice(0, digits)}${ending}`;
  const names = (await namesBeside(report)).filter((name) => name.endsWith(own));
  const files = await Promise.all(names.map((name) => sessionAt(join(dirname(report), name))));
  return files.filter(
    ({ session: { origin } }) => origin.picked === true && origin.rowsSha256 === rowsSha256,
  );
}

export async function sessionAt(at: string): Promise<CheckFileAt> {
  return { at, session: CheckSession.parse((await readBounded(at)).toString('utf8'), at) };
}

export function newSession(
  path: string,
  report: JudgedReport,
  probe: PickedProbe,
  judge: string,
): CheckSession {
  const { rowsSha256, dataset, seed } = report;
  return CheckSession.begin(
    [],
    { report: path, probe, rowsSha256, dataset: dataset.path, seed, picked: true },
    judge,
  );
}
