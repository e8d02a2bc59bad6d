/* The bytes between client and server: one message a line. */
import { Transform, type TransformCallback, type Writable } from 'node:stream';

/** The longest message in bytes. The arguments of a call are paths and numbers. */
export const mostMessage = 1 << 20;
const lineFeed = 0x0a;
const parseError = -32700;
const invalidRequest = -32600;

/**
 * Passes on lines that are JSON and not too long, and answers the others with an error. Waits while the client does
 * not read the answers, so that they cannot fill the memory.
 */
export class Messages extends Transform {
  private begun: Buffer[] = [];
  private size = 0;

  constructor(private readonly output: Writable) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      this.add(chunk.subarray(from, to));
      this.endLine();
      from = to + 1;
    }
    this.add(chunk.subarray(from));
    if (this.output.writableNeedDrain) this.output.once('drain', done);
    else done();
  }

  /** Keeps a part of a line, but no more than a message may have. */
  private add(part: Buffer): void {
    this.size += part.length;
    if (this.size <= mostMessage) this.begun.push(part);
    else this.begun = [];
  }

  private endLine(): void {
    const line = Buffer.concat(this.begun);
    const isLong = this.size > mostMessage;
    this.begun = [];
    this.size = 0;
    if (isLong) this.refuse(invalidRequest, `A message has more than ${mostMessage} bytes.`);
    else if (line.toString('utf8').trim() !== '') this.pass(line);
  }

  private pass(line: Buffer): void {
    try {
      JSON.parse(line.toString('utf8'));
    } catch {
      this.refuse(parseError, 'A message is not JSON.');
      return;
    }
    this.push(Buffer.concat([line, Buffer.from('\n')]));
  }

  private refuse(code: number, message: string): void {
    this.output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
  }
}
