import { basename, extname } from 'node:path';
import type { Bench } from '../bench/bench';
import { languageOfFile } from '../perturb/text/fileLanguage';
import { usageError } from '../base/errors';
import { say } from '../base/say';
import type { Problem } from '../dataset/dataset';
import type { Example } from '../dataset/example';
import { createImageFinder } from '../dataset/images/images';
import { openDataset } from '../dataset/open';
import type { Evaluator } from '../evaluator/evaluator';
import { SeamMeter } from '../evaluator/native/seamMeter';
import { probeNamed } from '../probe/list';
import type { Row } from '../probe/metric';
import { AnswerCounts } from '../probe/refused/counts';
import type { LeftOut, Report } from '../report/report';
import { Exclusions } from './exclusions';
import { imagesFor, runPairs } from './pairs';
import { seedsOf } from './scoring/drawCount';

export interface AgainRequest {
  /** The report that provides probe, options, seed and draws. */
  report: Report;
  /** The path of the edited dataset. Captious looks for images relative to the report's dataset. */
  file: string;
  /** Line numbers, counted from 1, of the examples to score. */
  lines: readonly number[];
  evaluator: Evaluator;
  bench: Bench;
  images: readonly string[];
  signal: AbortSignal;
}

/** Scores a few edited examples with a report's probe and options. The report stays unchanged. */
export async function scoreAgain(request: AgainRequest): Promise<{ rows: Row[]; leftOut: LeftOut[] }> {
  const { report, file, evaluator, bench, signal } = request;
  const probe = probeNamed(report.probe);
  if (probe.mode !== 'pairs')
    throw usageError(say('audit.jointProbe', probe.title), say('audit.runWholeAudit'));
  const lines = new Set(request.lines);
  const isWanted = ({ place, captions }: Example) =>
    [place, ...captions.map((caption) => caption.place)].some((own) => own && lines.has(own.line));
  const dataset = await openDataset(file, { signal });
  async function* wanted(onProblem: (problem: Problem) => void): AsyncGenerator<Example> {
    for await (const example of dataset.read({ signal, onProblem })) if (isWanted(example)) yield example;
  }
  const { path } = report.dataset;
  const language = await languageOfFile(dataset.read({ signal }));
  const context = {
    dataset: basename(path, extname(path)),
    seed: report.seed,
    options: report.options,
    ...(language === undefined ? {} : { language }),
    beside: await probe.prepare?.({
      datasetPath: path,
      options: report.options,
      examples: () => dataset.read({ signal }),
    }),
  };
  const { scores, scale } = evaluator.info;
  const rows: Row[] = [];
  const exclusions = new Exclusions();
  const seams = new SeamMeter();
  try {
    await runPairs({
      probe,
      examples: wanted((problem) => {
        if (problem.place && lines.has(problem.place.line)) exclusions.book(problem);
      }),
      limit: Infinity,
      context,
      seeds: seedsOf(report, report.seed),
      evaluatorRuns: [
        {
          evaluator,
          rows: {
            line: (row) => {
              rows.push(row as Row);
              return Promise.resolve();
            },
          },
          summary: probe.summary({ ...context, scores, scale }),
          exclusions,
          answers: new AnswerCounts(),
          examples: 0,
        },
      ],
      bench,
      imagesOf: imagesFor(
        [evaluator],
        createImageFinder({
          dataset: { path, read: (options) => dataset.read(options) },
          folders: request.images,
          signal,
        }),
      ),
      seams,
      signal,
      onMeasured: () => undefined,
      onSent: () => undefined,
    });
  } finally {
    await seams.close();
  }
  return { rows, leftOut: exclusions.leftOut() };
}
