/*
 * The process of one audit, a child of the extension host: takes one order, tells what happens, ends. The native
 * session is a child of this one, so that neither long work nor a crash reaches the editor.
 */
import { english } from '../base/say';
import { runAudit } from '../audit/run';
import type { AuditEvent } from '../audit/events';
import { cancelled, messageOf } from '../base/errors';
import { keepHeapSmall } from '../base/heap';
import { prepareRows } from '../rows/rowFile';
import { metricOf } from '../rows/panelReport';
import { modelsBy, HostCalls } from './hostCalls';
import { probeNamed } from '../probe/list';
import { failureOf } from '../protocol/failure';
import { type AuditOrder, type FromRunner, toRunner } from '../protocol/processes';

keepHeapSmall();

const abort = new AbortController();
const hostCalls = new HostCalls((message) => void tell(message));

/** Resolves when the message has left: `process.exit` would otherwise lose it. */
function tell(message: FromRunner): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else
      process.send(message, undefined, undefined, () => {
        resolve();
      });
  });
}

/** The reports that are being told of, one after the other. */
let reporting: Promise<void> = Promise.resolve();

/** A report is told of when its rows are in order, so that whoever opens it has them at once. */
async function report(path: string): Promise<void> {
  try {
    await prepareRows(path);
  } catch (error) {
    await tell({ type: 'notice', message: messageOf(error) });
  }
  await tell({ type: 'report', path });
}

function stop(): void {
  abort.abort(cancelled());
}

function onEvent(event: AuditEvent): void {
  switch (event.type) {
    case 'started': {
      const { id, title, question } = probeNamed(event.probe);
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
      void tell({
        type: 'problem',
        message: english(message),
        ...(place === undefined ? {} : { line: place.line }),
      });
      return;
    }
    case 'report':
      reporting = reporting.then(() => report(event.path));
      return;
  }
}

async function run(order: AuditOrder): Promise<void> {
  try {
    await runAudit({
      ...order,
      signal: abort.signal,
      onEvent,
      consent: async (terms) => (await hostCalls.ask({ type: 'consent', terms }, abort.signal)).given,
      secret: async (name) =>
        process.env[name] ?? (await hostCalls.ask({ type: 'key', name }, abort.signal)).key,
      editor: modelsBy(hostCalls),
    });
    await reporting;
    await tell({ type: 'done' });
  } catch (error) {
    await reporting;
    await tell({ type: 'failed', failure: failureOf(error) });
  }
  process.exit(0);
}

let started = false;
process.on('message', (value: unknown) => {
  const message = toRunner(value, '');
  if (message.type === 'cancel') stop();
  else if (message.type !== 'audit') hostCalls.hear(message);
  else if (!started) {
    started = true;
    void run(message.order);
  }
});
// Nobody is left to read the result; what was encoded is kept and the next run goes on from it.
process.once('disconnect', stop);
process.once('SIGTERM', stop);
