/* The tool that audits. */
import { answerText, briefly } from '../assistant/answer';
import { probesFor } from '../assistant/order';
import type { serverTools } from '../assistant/tools';
import type { AuditEvent, AuditProgress } from '../audit/events';
import { runAudit } from '../audit/run';
import { append } from '../base/lists';
import { english } from '../base/english';
import type { Shaped } from '../base/shape';
import { datasetPreview } from '../service/datasetPreview';
import type { ToolContext } from './toolContext';

export const defaultFolder = 'captious-reports';

/** A trial of a few examples must not replace the reports of the whole file. */
const usualFolder = ({ limit }: Asked): string =>
  limit === undefined ? defaultFolder : `${defaultFolder}/first-${limit}`;
const mostNotices = 20;

type Asked = Shaped<typeof serverTools.audit.input>;

export async function audit(asked: Asked, context: ToolContext): Promise<string> {
  const { folders, evaluators, home, signal, consents } = context;
  const dataset = await context.dataset(asked.file);
  const images = await context.imageFolders(asked.images);
  const preview = await datasetPreview(
    { path: dataset, images, trusted: true },
    { signal, step: () => undefined },
  );
  const probes = probesFor(preview, asked.probes, dataset);
  const references = await evaluators.references(asked.evaluators ?? ['starter']);
  const root = folders.rootOf(dataset)!;
  const out = await folders.target(asked.out ?? usualFolder(asked), root);
  const { onEvent, notices } = listening(probes, context);
  const written = await runAudit({
    ...{ dataset, probes, evaluators: references, images, out, home, signal },
    ...{ limit: asked.limit, seed: asked.seed, draws: asked.draws },
    consent: () => Promise.resolve(consents),
    onEvent,
  });
  const reports = written.map(({ path, report }) => ({ path, ...briefly(report) }));
  return answerText(
    withNotices({ reports }, notices),
    'Read the reports as resources, or audit with fewer probes or evaluators at once.',
  );
}

/** Tells the client the progress of a run, and collects its first notices. */
export function listening(
  probes: readonly string[],
  context: ToolContext,
): { onEvent: (event: AuditEvent) => void; notices: readonly string[] } {
  const notices: string[] = [];
  return { onEvent: (event) => hear(event, probes, context, notices), notices };
}

export function withNotices(said: object, notices: readonly string[]): object {
  return { ...said, ...(notices.length === 0 ? {} : { notices }) };
}

function hear(
  event: AuditEvent,
  probes: readonly string[],
  { progress }: ToolContext,
  notices: string[],
): void {
  switch (event.type) {
    case 'started':
      progress(probes.indexOf(event.probe), probes.length, `${event.probe}: started`);
      return;
    case 'progress':
      progress(
        probes.indexOf(event.probe) + (event.progress.fraction ?? 0),
        probes.length,
        `${event.probe}: ${words(event.progress)}`,
      );
      return;
    case 'notice':
      append(notices, notices.length < mostNotices ? [event.message] : []);
      return;
    case 'problem':
      append(notices, notices.length < mostNotices ? [english(event.problem.message)] : []);
      return;
    case 'partialMetrics':
    case 'report':
      return;
  }
}

function words({ examples, asked, done, secondsLeft = 0 }: AuditProgress): string {
  const measured = examples === 0 ? '' : `${examples} examples, `;
  const left = secondsLeft < 1 ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
  return `${measured}${done} of ${asked} captions, images and pairs${left}`;
}
