/* The tools of the server: what an assistant asks becomes a call of the engine, within the user's folders. */
import { answerText } from '../assistant/answer';
import { serverTools } from '../assistant/tools';
import type { Shaped } from '../base/shape';
import { english } from '../base/english';
import { inspectBenchmark } from '../audit/benchmark/inspection';
import { probes } from '../probe/generated/probes';
import { probeNamed } from '../probe/list';
import { comparison } from '../service/comparing';
import { reportFilesReadOnly } from '../service/rows/rowFile';
import { Shelf } from '../service/rows/shelf';
import { audit } from './audit';
import { benchmark } from './benchmark';
import { influenceOf } from './explain';
import { inputError } from '../base/errors';
import type { ToolContext } from './toolContext';

type Tools = typeof serverTools;
export type ToolName = keyof Tools;

const shelf = new Shelf(reportFilesReadOnly);
const usualRows = 10;
const mostRows = 50;

const handlers: {
  [N in ToolName]: (asked: Shaped<Tools[N]['input']>, context: ToolContext) => Promise<string>;
} = {
  async inspect({ file, images }, context) {
    const found = await inspectBenchmark(await context.dataset(file), {
      images: await context.imageFolders(images),
      signal: context.signal,
    });
    return answerText(found, 'Run "captious inspect" in a terminal to see everything.');
  },
  probes({ id }) {
    const all = id === undefined ? probes : [probeNamed(id)];
    const described = all.map(({ id: own, title, question, options }) => ({
      ...{ id: own, title, question },
      ...(id === undefined ? {} : { options }),
    }));
    return Promise.resolve(answerText({ probes: described }, 'Ask for one probe by its id.'));
  },
  async evaluators(_asked, { evaluators }) {
    return answerText(
      { evaluators: await evaluators.list() },
      'Run "captious evaluators" in a terminal to see everything.',
    );
  },
  audit,
  benchmark,
  async compare({ report, other }, context) {
    const paths = [await context.report(report), await context.report(other)];
    return answerText(
      await comparison(paths, context.signal),
      'Run "captious compare" in a terminal to see everything.',
    );
  },
  async explain({ report, line, evaluator, regions, images }, context) {
    const path = await context.report(report);
    const index = await shelf.answer('find', { report: path, line }, context);
    if (index === null)
      throw inputError(
        'This report has no example at this line or before it.',
        'Give the line of a row from the tool worst.',
        `${report}:${line}`,
      );
    const found = await shelf.answer('detail', { report: path, index }, context);
    const captions = found.captions.map(({ label, text, score, delta, verdict, against }) => ({
      ...{ label: english(label), text, score, delta, verdict },
      ...(against === undefined ? {} : { against: english(found.captions[against].label) }),
    }));
    const { example, line: own, image, notes } = found;
    const influence =
      evaluator === undefined
        ? {}
        : {
            influence: await influenceOf(
              { report: path, line: own ?? line, evaluator, regions, images },
              context,
            ),
          };
    return answerText(
      { example, line: own, image, captions, notes: notes.map(english), ...influence },
      'The results view of Captious shows everything.',
    );
  },
  async worst({ report, count = usualRows, offset = 0 }, context) {
    const path = await context.report(report);
    const selection = { text: '', facets: {}, sort: 'worst' as const };
    const limit = Math.min(count, mostRows);
    const found = await shelf.answer('lines', { report: path, selection, offset, limit }, context);
    const { total, results, lines } = found;
    const rows = lines.map(({ label, line, image, before, after, score, delta, verdict }) => ({
      ...{ line, image, before, after, change: english(label), score, delta, verdict },
    }));
    return answerText(
      { total, results, offset, rows },
      `Ask for fewer rows with count, or for later ones with offset ${offset + limit}.`,
    );
  },
};

/** The tools that write reports. They use all cores, so one runs at a time. */
export function isWriting(name: ToolName): boolean {
  return name === 'audit' || name === 'benchmark';
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(handlers, name);
}

export function callTool<N extends ToolName>(name: N, input: unknown, context: ToolContext): Promise<string> {
  const check = serverTools[name].input as (value: unknown, at: string) => Shaped<Tools[N]['input']>;
  return handlers[name](check(input, ''), context);
}
