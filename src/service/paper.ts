/* Writes tables and figures of reports for a paper at the request of the editor. */
import { append } from '../base/lists';
import { CaptiousError } from '../base/errors';
import type { AskOf } from '../base/calls';
import { say } from '../base/say';
import type { readerRequests } from '../protocol/service';
import { paperForms, writePaper } from '../report/paper/paper';
import { ReportImages } from './images/reportImages';

/** Writes each format into the same folder, like `captious paper`. Images need a trusted workspace. */
export async function writeForPaper(
  { reports, layout, to, out, images, trusted, allowed }: AskOf<typeof readerRequests, 'paper'>,
  signal: AbortSignal,
): Promise<{ files: string[] }> {
  const reportImages = trusted ? new ReportImages(() => images, allowed) : undefined;
  const files: string[] = [];
  try {
    for (const name of to) {
      const form = paperForms.find((known) => known === name);
      if (form === undefined) throw new CaptiousError('usage', say('export.formatUnknown', name));
      const request = { reports, layout, to: form, spread: 'ci', out, signal } as const;
      append(files, await writePaper({ ...request, ...(reportImages && { images: reportImages }) }));
    }
    return { files };
  } finally {
    await reportImages?.close();
  }
}
