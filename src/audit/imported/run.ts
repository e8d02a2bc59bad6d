/* Makes a report of another program's log, as an audit does. Captious scores nothing. */
import { join, resolve } from 'node:path';
import { Fingerprints } from '../../base/files/fingerprints';
import { homeFolder, storeFolder } from '../../base/files/home';
import { say, type Words } from '../../base/say';
import { inTurns } from '../../base/turns/steps';
import type { Evaluator } from '../../evaluator/evaluator';
import { directionsText } from '../../probe/imported/directions';
import { imported, importedMetrics } from '../../probe/imported/imported';
import { OutputFile } from '../../report/output';
import type { AuditEvent } from '../events';
import { Exclusions, noExamples } from '../exclusions';
import { defaultSeed, prepareFolder } from '../output/folder';
import { writeReport } from '../output/writeReport';
import { runFolder } from '../run';
import { evaluatorNames } from '../output/reportName';
import { openLog } from './open';
import { type Grouping, rowsOf } from './rows';
import type { Log } from './log';
import type { WrittenReport } from '../output/writtenReport';

export interface ImportRequest extends Grouping {
  /** The model's name, if the log does not say it. */
  model?: string;
  /** The folder of the report. The default is the log's folder in the home folder. */
  out?: string;
  home?: string;
  signal: AbortSignal;
  onEvent?: (event: AuditEvent) => void;
}

export async function importLog(request: ImportRequest): Promise<WrittenReport> {
  const { signal, home = homeFolder(), onEvent = () => undefined } = request;
  const path = resolve(request.log);
  const out = request.out ?? runFolder(home, path);
  const log = await openLog(path);
  const exclusions = new Exclusions();
  const { rows, sha256, imageField, undirected, noNumbers } = rowsOf(log, exclusions, request);
  if (rows.length === 0) throw noExamples(path);
  const metrics = await inTurns(importedMetrics(rows), signal);
  const fingerprints = new Fingerprints(storeFolder(home));
  const evaluator = scoredBy(request.model ?? log.model, await fingerprints.sha256(path, signal));
  await fingerprints.flush();
  await prepareFolder(out, (message) => onEvent({ type: 'notice', message }));
  const file = await OutputFile.create(join(out, 'imported.rows.jsonl'));
  try {
    for (const row of rows) await file.line(row);
    const cluster = request.cluster ?? (imageField === undefined ? 'sample id' : undefined);
    const job = {
      probe: imported,
      dataset: { path, format: log.program, ...(cluster === undefined ? {} : { cluster }) },
      options: optionsOf(log, request),
      ...{ out, onEvent, images: undefined, bench: { cutTexts: () => 0 }, partly: { count: 0, first: [] } },
    };
    return await writeReport(
      job,
      evaluatorNames([evaluator])[0],
      { evaluator, rows: file, exclusions, examples: rows.length },
      { metrics, warnings: [...limitOf(log), ...warningsOf(undirected, noNumbers, imageField)] },
      sha256,
      defaultSeed,
    );
  } finally {
    await file.discard();
  }
}

function optionsOf(
  { task, better: own }: Log,
  { better = new Map() }: Pick<Grouping, 'better'>,
): Record<string, string> {
  const directions = directionsText(new Map([...own, ...better]));
  return { task, ...(directions === '' ? {} : { better: directions }) };
}

/** Takes the evaluator's place in the report. */
function scoredBy(model: string, sha256: string): Evaluator {
  return {
    info: {
      ...{ id: model, name: model, kind: 'scores', scores: [], notes: [], prefix: '', sha256 },
      ...{ precision: 'unknown', provider: 'unknown', scale: { name: 'own' } },
    },
    close: async () => undefined,
  };
}

/** A limit of the other program leaves a part of the dataset, of which alone the metrics speak. */
function limitOf({ samples, whole }: Log): Words[] {
  const own = new Set(samples.map(({ id }) => id)).size;
  return whole === undefined || own >= whole ? [] : [say('imported.limited', own, whole)];
}

function warningsOf(
  undirected: readonly string[],
  noNumbers: readonly string[],
  imageField: string | undefined,
): Words[] {
  return [
    ...(imageField === undefined ? [] : [say('imported.groupedByImage', imageField)]),
    ...(undirected.length === 0 ? [] : [say('imported.directionUnknown', undirected.join(', '))]),
    ...(noNumbers.length === 0 ? [] : [say('imported.noNumbers', noNumbers.join(', '))]),
  ];
}
