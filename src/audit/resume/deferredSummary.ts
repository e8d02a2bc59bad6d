import { setImmediate as turn } from 'node:timers/promises';
import { throwIfCancelled } from '../../base/errors';
import { openRegular } from '../../base/files/readFile';
import type { Summary } from '../../probe/probe';
import type { Row } from '../../probe/metric';
import type { OutputFile } from '../../report/output';

/** How many bytes of rows to read at once. This takes a few milliseconds. */
const pieceSize = 1 << 18;
const lineEnd = 0x0a;

/** Adds the earlier run's rows to a summary while the resumed run measures, so that measuring need not wait. */
export class DeferredSummary implements Summary<Row> {
  private behind = true;
  /** Lines and bytes read so far. */
  private lines = 0;
  private bytes = 0;

  constructor(
    private readonly summary: Summary<Row>,
    private readonly rows: OutputFile,
  ) {}

  /** Ignores new rows until all earlier rows are read. `catchUp` reads these new rows from the same file. */
  add(row: Row): void {
    if (!this.behind) this.summary.add(row);
  }

  soFar(): ReturnType<Summary<Row>['soFar']> {
    return this.summary.soFar();
  }

  finish(): ReturnType<Summary<Row>['finish']> {
    if (this.behind) throw new Error('The summary has not read the rows before it.');
    return this.summary.finish();
  }

  async catchUp(signal: AbortSignal): Promise<void> {
    const file = await openRegular(this.rows.temporary);
    try {
      let buffer = Buffer.allocUnsafe(pieceSize);
      while (this.lines < this.rows.lines) {
        if (this.bytes === this.rows.bytes) await this.rows.flush();
        const { bytesRead } = await file.read(buffer, 0, buffer.length, this.bytes);
        const end = buffer.lastIndexOf(lineEnd, bytesRead - 1) + 1;
        if (end > 0) this.take(buffer.toString('utf8', 0, end - 1), end);
        else if (bytesRead === buffer.length) buffer = Buffer.allocUnsafe(buffer.length * 2);
        else throw new Error(`The rows file ends after ${this.bytes} bytes.`);
        await turn();
        throwIfCancelled(signal);
      }
      this.behind = false;
    } finally {
      await file.close();
    }
  }

  private take(text: string, bytes: number): void {
    const lines = text.split('\n');
    for (const line of lines) this.summary.add(JSON.parse(line) as Row);
    this.lines += lines.length;
    this.bytes += bytes;
  }
}
