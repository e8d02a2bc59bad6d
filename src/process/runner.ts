/*
 * The process of one audit, a child of the extension host. It serves one request, reports events and exits.
 * Models run in another process.
 */
import { runBenchmark } from '../audit/benchmark/run';
import { nothingAudited } from '../audit/output/nothingAudited';
import { defaultSeed } from '../audit/output/folder';
import { runAudit } from '../audit/run';
import type { AuditEvent } from '../audit/events';
import { type CallContext, type CallMessage, Calls, serving } from '../base/calls';
import { cancelled, messageOf } from '../base/errors';
import { keepHeapSmall } from '../base/heap';
import { lineOf } from '../dataset/example';
import { prepareRows } from '../service/rows/rowFile';
import { metricOf } from '../service/panelReport';
import { benchmark } from '../probe/benchmark/benchmark';
import { viewFor } from '../probe/views';
import { hostRequests } from '../protocol/hostCalls';
import { type AuditOrder, type FromRunner, runnerRequests } from '../protocol/runner';
import { type Host, runDataset } from './experimentRun';
import { editorModelsBy } from './hostModels';

keepHeapSmall();

const editor = new Calls(hostRequests, {
  send: (message) => void tell(message),
  serve: serving(runnerRequests, { audit: ({ order }, context) => run(order, context) }),
});

/** Resolves after the message is sent, because an earlier `process.exit` would lose the message. */
async function tell(message: FromRunner | CallMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    if (!process.connected || !process.send) resolve();
    else
      process.send(message, undefined, undefined, () => {
        resolve();
      });
  });
  // The run is the only request, so its answer ends the process.
  if (message.type === 'answer' || message.type === 'fail') process.exit(0);
}

/** Resolves when all reports so far are announced. They are announced one after the other. */
let reporting: Promise<void> = Promise.resolve();

/** The reports that the editor knows. */
const announced = new Set<string>();

function announce(path: string): void {
  if (announced.has(path)) return;
  announced.add(path);
  reporting = reporting.then(() => report(path));
}

/** Announces a report after its rows are indexed, so the user can open it without a wait. */
async function report(path: string): Promise<void> {
  try {
    await prepareRows(path);
  } catch (error) {
    await tell({ type: 'notice', message: messageOf(error) });
  }
  await tell({ type: 'report', path });
}

function onEvent(event: AuditEvent): void {
  switch (event.type) {
    case 'started': {
      const { id, title, question } = viewFor(event.probe);
      void tell({ type: 'started', probe: { id, title, question }, format: event.format });
      return;
    }
    case 'notice':
      void tell(event);
      return;
    case 'progress':
      void tell({ type: 'progress', probe: event.probe, progress: event.progress });
      return;
    case 'partialMetrics': {
      const partialMetrics = event.partialMetrics.map(({ evaluator, examples, metrics }) => ({
        evaluator,
        examples,
        metrics: metrics.map(metricOf),
      }));
      void tell({ type: 'partialMetrics', probe: event.probe, partialMetrics });
      return;
    }
    case 'problem': {
      const { message, place } = event.problem;
      void tell({ type: 'problem', message, ...(place === undefined ? {} : { line: lineOf(place) }) });
      return;
    }
    case 'report':
      announce(event.path);
      return;
  }
}

async function run(
  { cluster, experiment, python, ...order }: AuditOrder,
  { signal }: CallContext,
): Promise<object> {
  const host: Omit<Host, 'onReport'> = {
    signal,
    onEvent,
    consent: (terms, runs, endpoint) =>
      editor.ask('consent', { terms, runs, endpoint, experiment: experiment?.file }, { signal }),
    // The user confirms every interpreter that the workspace names.
    python: { usual: python, confirm: true },
    secret: async (name) => process.env[name] ?? (await editor.ask('key', { name }, { signal })) ?? undefined,
    editor: editorModelsBy(editor),
  };
  try {
    if (order.probes.includes(benchmark.id)) await check(order, signal);
    else if (experiment === undefined)
      await runAudit({ ...order, ...(cluster === undefined ? {} : { map: { cluster } }), ...host });
    else await runDataset({ ...order, experiment }, { ...host, onReport: announce });
    return {};
  } finally {
    await reporting;
  }
}

/** Checks a benchmark, with the same refusals as the command line. */
async function check(
  { dataset, out, home, images, limit, seed = defaultSeed }: Omit<AuditOrder, 'experiment'>,
  signal: AbortSignal,
): Promise<void> {
  const parts = { dataset, out, home, images, seed, signal, onEvent };
  const written = await runBenchmark(limit === undefined ? parts : { ...parts, limit });
  if (written.report.dataset.examples === 0) throw nothingAudited(written);
  announce(written.path);
}

function stop(): void {
  editor.end(cancelled);
}

process.on('message', (value: unknown) => {
  if (!editor.hear(value)) throw new Error('Received a malformed message.');
});
// The run stops when the editor closes. The next run reuses the results that are in the store.
process.once('disconnect', stop);
process.once('SIGTERM', stop);
