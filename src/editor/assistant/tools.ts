import { existsSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { CaptiousError, inputError } from '../../base/errors';
import { english } from '../../base/english';
import type { Shaped } from '../../base/shape';
import { answerText, briefly, problemText } from '../../assistant/answer';
import { Folders } from '../../assistant/folders';
import { influenceFor } from '../../assistant/influence';
import { among, probesFor } from '../../assistant/order';
import { type AssistantTool, editorTools } from '../../assistant/tools';
import { readReport } from '../../report/report';
import { knownPython, pythonEvaluators } from '../python/interpreters';
import { evaluatorFiles, usableEvaluators } from '../runs/selectRun';
import { signalOf } from '../cancellation';
import type { RunOrder, Runs } from '../runs/runs';
import * as settings from '../settings';
import { needTrust } from '../trust';
import { inert, inertLines, markdown } from '../notify';
import type { Tools, ToolParts } from './toolParts';

type AuditInput = Shaped<typeof editorTools.audit.input>;
type ExplainInput = Shaped<typeof editorTools.explain.input>;

/** An example may begin up to this many lines above the line that the assistant asks about. */
const entryLines = 40;
/** How to get what a bounded answer leaves out. */
const more = 'The results view of Captious shows everything.';

/** Tools for AI assistants. They accept only files in open folders, and reports of its runs. */
export function toolsOf(parts: ToolParts): Tools {
  return {
    captious_inspect: tool(editorTools.inspect, {
      doing: ({ file }) => vscode.l10n.t('Reading {0}', basename(file)),
      title: ({ file }) => vscode.l10n.t('Inspect {0}?', basename(file)),
      asks: () =>
        Promise.resolve(vscode.l10n.t('This counts and checks captions and images. It runs no evaluator.')),
      run: async ({ file }, token) => {
        needTrust();
        const dataset = await inWorkspace(file);
        const question = { path: dataset.fsPath, images: settings.imageFolders(dataset) };
        return JSON.parse(await parts.reader.ask('inspect', question, { signal: signalOf(token) })) as object;
      },
    }),
    captious_audit: tool(editorTools.audit, {
      doing: ({ file }) => vscode.l10n.t('Auditing {0}', basename(file)),
      title: ({ file }) => vscode.l10n.t('Audit {0}?', basename(file)),
      asks: async (input) => {
        const { probes, evaluators } = await orderOf(input, parts);
        return vscode.l10n.t(
          'Probes: {0}. Evaluators: {1}. This loads models, reads images and saves a run with its reports.',
          probes.join(', '),
          evaluators.join(', '),
        );
      },
      run: (input, token) => audit(input, parts, token),
    }),
    captious_explain: tool(editorTools.explain, {
      doing: ({ file, line }) => vscode.l10n.t('Reading the scores of {0}, line {1}', basename(file), line),
      title: ({ file, line }) => vscode.l10n.t('Read the scores of {0}, line {1}?', basename(file), line),
      asks: ({ evaluator }) =>
        Promise.resolve(
          evaluator === undefined
            ? vscode.l10n.t('This reads scores of the newest run of each probe. It runs no evaluator.')
            : vscode.l10n.t(
                'This scores the caption without each of its words and with parts of its image hidden. Evaluator: {0}.',
                evaluator,
              ),
        ),
      run: (input, token) => explain(input, parts, token),
    }),
    captious_compare: tool(editorTools.compare, {
      doing: () => vscode.l10n.t('Comparing two reports'),
      title: ({ report, other }) => vscode.l10n.t('Compare {0} with {1}?', basename(report), basename(other)),
      asks: () =>
        Promise.resolve(
          vscode.l10n.t('This uses paired tests to compare the rows of both reports. It runs no evaluator.'),
        ),
      run: async ({ report, other }, token) => {
        const two = {
          report: await reportPath(report, parts.runs),
          other: await reportPath(other, parts.runs),
        };
        return JSON.parse(await parts.reader.ask('compare', two, { signal: signalOf(token) })) as object;
      },
    }),
  };
}

interface Tool<T> {
  doing: (input: T) => string;
  /** The question that asks the user for permission to run the tool. */
  title: (input: T) => string;
  /** The explanation below the question. */
  asks: (input: T) => Promise<string>;
  run: (input: T, token: vscode.CancellationToken) => Promise<object>;
}

function tool<T>(
  { input: shape }: AssistantTool<T>,
  { doing, title, asks, run }: Tool<T>,
): Tools[keyof Tools] {
  return {
    async prepareInvocation({ input }) {
      const checked = shape(input, '');
      const message = markdown().appendText(inertLines(await asks(checked)));
      return {
        invocationMessage: inert(doing(checked)),
        confirmationMessages: { title: inert(title(checked)), message },
      };
    },
    async invoke({ input }, token) {
      const value = await run(shape(input, ''), token).catch(inFull);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answerText(value, more))]);
    },
  };
}

/** Adds an error's remedy to its message, because an assistant reads only the message. */
function inFull(error: unknown): never {
  const words = problemText(error);
  throw words === undefined ? error : new Error(words, { cause: error });
}

async function audit(input: AuditInput, parts: ToolParts, token: vscode.CancellationToken): Promise<object> {
  const { record, ended } = await parts.runs.start(await orderOf(input, parts));
  const stop = token.onCancellationRequested(() => parts.runs.cancel(record));
  try {
    await ended;
  } finally {
    stop.dispose();
  }
  const reports: object[] = [];
  for (const path of parts.runs.reportPaths(record))
    reports.push({ path, ...briefly(await readReport(path)) });
  return { state: record.state, problem: record.problem, reports };
}

/** The run that the assistant requests. By default, it has the best-fitting probe and the first usable evaluator. */
async function orderOf(
  { file, probes, evaluators, limit }: AuditInput,
  { reader, runs, memory }: ToolParts,
): Promise<RunOrder> {
  needTrust();
  const dataset = await inWorkspace(file);
  const images = settings.imageFolders(dataset);
  const preview = await reader.ask('look', { path: dataset.fsPath, images });
  const chosen = probesFor(preview, probes, dataset.fsPath);
  await runs.load();
  const picked = new Set(runs.all.flatMap(({ evaluators: own }) => own));
  const files = [...(await evaluatorFiles()), ...(await pythonEvaluators())].filter((path) =>
    picked.has(path),
  );
  const python = await knownPython(memory, dataset);
  const usable = (await usableEvaluators(reader, files)).map(({ id }) => id);
  return {
    dataset: dataset.fsPath,
    probes: chosen,
    // An assistant can use only evaluators that the user installed, named in the settings, or selected before.
    evaluators: among(usable, evaluators ?? usable.slice(0, 1)),
    images,
    seed: settings.seed(dataset),
    ...settings.draws(dataset),
    ...(limit === undefined ? {} : { limit }),
    ...(python === undefined ? {} : { python }),
  };
}

async function explain(
  input: ExplainInput,
  parts: ToolParts,
  token: vscode.CancellationToken,
): Promise<object> {
  if (input.evaluator === undefined) return scoresAt(input, parts);
  // The file need not be audited if an evaluator is named.
  const scores = await scoresAt(input, parts).catch((error: unknown) => {
    if (error instanceof CaptiousError) return {};
    throw error;
  });
  return { ...scores, influence: await influenceAt(input, input.evaluator, parts, token) };
}

async function influenceAt(
  { file, line, regions }: ExplainInput,
  evaluator: string,
  { reader, memory }: ToolParts,
  token: vscode.CancellationToken,
): Promise<object> {
  needTrust();
  const dataset = await inWorkspace(file);
  const images = settings.imageFolders(dataset);
  const [known] = among(
    (await usableEvaluators(reader, await evaluatorFiles())).map(({ id }) => id),
    [evaluator],
  );
  const python = await knownPython(memory, dataset);
  const asked = { path: dataset.fsPath, line, evaluator: known, images, home: settings.home() };
  const found = await reader.ask(
    'explain',
    { ...asked, regions, ...(python === undefined ? {} : { python }) },
    { signal: signalOf(token) },
  );
  return influenceFor(JSON.parse(found) as Parameters<typeof influenceFor>[0]);
}

async function scoresAt({ file, line }: ExplainInput, { marks }: ToolParts): Promise<object> {
  const document = await vscode.workspace.openTextDocument(await inWorkspace(file));
  const at = Math.min(line, document.lineCount) - 1;
  const above = (await marks.between(document, Math.max(0, at - entryLines), at)).sort(
    (a, b) => b.line - a.line,
  );
  const [nearest] = above;
  if (nearest === undefined)
    throw inputError(
      vscode.l10n.t('This line has no scores.'),
      vscode.l10n.t('Audit the file first, or give the line where an example starts.'),
      `${document.uri.fsPath}:${line}`,
    );
  const own = above.filter((placed) => placed.line === nearest.line);
  return {
    runs: [...new Set(own.map(({ known }) => known.words))],
    examples: own
      .flatMap(({ mark, ...placed }) => (mark.evaluators ?? []).map((own) => ({ ...placed, ...own })))
      .map(({ known, evaluator, mark, stale, fresh }) => ({
        line: nearest.line + 1,
        probe: known.probe,
        evaluator,
        summary: english(mark.words),
        editedSince: stale,
        rescored: fresh,
        captions: mark.captions.map(({ label, text: caption, score, against, verdict }, _at, all) => ({
          label: english(label),
          caption,
          score,
          delta: differenceOf(score, against === undefined ? undefined : all[against].score),
          verdict,
        })),
      })),
  };
}

/** The caption's score minus the compared caption's score. */
function differenceOf(score: number | undefined, reference: number | undefined): number | undefined {
  return score === undefined || reference === undefined ? undefined : score - reference;
}

/**
 * The URI of a file. Throws if the file is not in an open folder, also if only a link leads out of it, because an
 * assistant provides the path.
 */
async function inWorkspace(file: string): Promise<vscode.Uri> {
  const paths = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file' && existsSync(uri.fsPath))
    .map(({ uri }) => uri.fsPath);
  await (await Folders.open(paths)).existing(file, 'file');
  // The path as the workspace has it, because runs and settings are known by it.
  const [path] = (isAbsolute(file) ? [file] : paths.map((folder) => join(folder, file))).filter(existsSync);
  return vscode.Uri.file(path);
}

async function reportPath(path: string, runs: Runs): Promise<string> {
  if (runs.all.some((record) => runs.reportPaths(record).includes(path))) return path;
  return (await inWorkspace(path)).fsPath;
}
