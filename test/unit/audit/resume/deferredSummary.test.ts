import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { atOnce } from '../../../../src/base/turns/steps';
import { DeferredSummary } from '../../../../src/audit/resume/deferredSummary';
import { CaptiousError } from '../../../../src/base/errors';
import type { Summary } from '../../../../src/probe/probe';
import type { Row } from '../../../../src/probe/metric';
import { OutputFile } from '../../../../src/report/output';
import { until } from '../../../until';

/** Records the number of each row that it receives. */
class Seen implements Summary<Row> {
  readonly rows: number[] = [];

  add({ row }: Row): void {
    this.rows.push(row);
  }

  soFar(): [] {
    return [];
  }

  *finish(): ReturnType<Summary<Row>['finish']> {
    yield;
    return { metrics: [], warnings: [] };
  }
}

/** Makes rows of different lengths. Some are so long that they span several chunks. */
function row(number: number): Row {
  return { example: 'x'.repeat(number % 97 === 5 ? 600_000 : (number * 7919) % 3000), row: number };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

describe('a summary of rows from before a resume', () => {
  const before = 1200;
  let folder: string;
  let rows: OutputFile;
  let seen: Seen;
  let late: DeferredSummary;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-late-'));
    const kept = Buffer.from(
      numbers(before)
        .map((number) => `${JSON.stringify(row(number))}\n`)
        .join(''),
    );
    const left = join(folder, 'left');
    await writeFile(left, Buffer.concat([kept, Buffer.from('{"beyond the last mark')]));
    rows = await OutputFile.create(join(folder, 'rows.jsonl'));
    await rows.adopt(left, {
      lines: before,
      bytes: kept.length,
      crc: crc32(kept),
      hash: createHash('sha256').update(kept),
    });
    seen = new Seen();
    late = new DeferredSummary(seen, rows);
  });
  afterEach(async () => {
    await rows.leave();
    await rm(folder, { recursive: true });
  });

  it('receives each row once and in order, whenever new rows arrive', async () => {
    const caughtUp = late.catchUp(new AbortController().signal);
    let ended = false;
    void caughtUp.then(() => (ended = true));
    let next = before;
    let during = 0;
    for (let after = 0; after < 300; next++) {
      late.add(row(next));
      await rows.line(row(next));
      if (ended) after++;
      else during++;
      // Without pauses, new rows would arrive faster than old rows are read.
      const taken = seen.rows.length;
      if (next % 3 === 0) await until(() => ended || seen.rows.length > taken);
    }
    await caughtUp;
    assert.ok(during > 5, `${during} came before it had caught up`);
    assert.deepEqual(seen.rows, numbers(next));
    const sha256 = await rows.finish();
    const text = await readFile(rows.path);
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
    assert.deepEqual(
      text
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as Row).row),
      numbers(next),
    );
  });

  it('has no metrics before it has caught up', async () => {
    assert.throws(() => atOnce(late.finish()), /has not read/);
    await late.catchUp(new AbortController().signal);
    atOnce(late.finish());
  });

  it('stops when cancelled', async () => {
    const controller = new AbortController();
    const caughtUp = late.catchUp(controller.signal);
    controller.abort();
    await assert.rejects(caughtUp, (error) => error instanceof CaptiousError && error.kind === 'interrupted');
    assert.ok(seen.rows.length < before);
  });
});
