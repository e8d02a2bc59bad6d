import type { FileHandle } from 'node:fs/promises';
import type { AuditEvent } from '../audit/events';
import { usageError, wordsOf } from '../base/errors';
import { cannotWrite } from '../base/files/cannotWrite';
import { openToAppend } from '../base/files/writeFile';
import type { Report } from '../report/report';
import { stepOf, usualSteps } from '../report/trend/step';
import type { CommandOption } from './arguments';

export const logOption: CommandOption = {
  value: 'FILE',
  describe:
    'append a line of JSON to FILE for every metric as soon as its report is finished: probe, evaluator, step, id, value, low, high, n and slice. For W&B, MLflow or TensorBoard',
};

/** Appends the metrics of finished reports to a file that other programs follow. */
export class MetricsLog {
  private written = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Opens the file before the run, so that a wrong path costs no run. Undefined without a path. */
  static async open(path: string | undefined): Promise<MetricsLog | undefined> {
    if (path === undefined) return undefined;
    try {
      return new MetricsLog(path, await openToAppend(path));
    } catch (cause) {
      throw usageError('--log: the file cannot be written.', wordsOf(cause), path, cause);
    }
  }

  hear(event: AuditEvent): void {
    if (event.type !== 'report') return;
    const lines = metricLines(event.report);
    this.written = this.written
      .then(() => this.file.appendFile(lines))
      .catch((cause: unknown) => {
        throw cannotWrite(this.path, cause);
      });
    // `close` throws the error.
    this.written.catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.written.finally(() => this.file.close());
  }
}

export function metricLines({ probe, evaluator, metrics, ...report }: Report): string {
  const { name, id, path } = evaluator;
  const step = report.checkpoint?.step ?? stepOf([name, id, path], usualSteps);
  return metrics
    .map((metric) => ({
      ...{ probe, evaluator: name, ...(step === undefined ? {} : { step }) },
      ...{ id: metric.id, value: metric.value, low: metric.ci?.[0], high: metric.ci?.[1], n: metric.n },
      ...(metric.slice === undefined ? {} : { slice: metric.slice }),
    }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
