import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { captious } from '../../captious';

const model = resolve('test/fixtures/models/bert-cls');

describe('--workers', function () {
  this.timeout(300_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-workers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const audit = (out: string, ...more: string[]) =>
    captious(
      join(folder, 'home'),
      ...['audit', join(folder, 'triplets.jsonl'), '--probe', 'visla', '--evaluator', model],
      ...['--out', join(folder, out), ...more],
    );

  it('gives the same report and rows as one process, and deletes its shards', async () => {
    const rows = Array.from({ length: 30 }, (_, i) =>
      JSON.stringify({
        caption: `${i} red cats on a mat`,
        second_positive: `on a mat, ${i} cats that are red`,
        negative_caption: `${i} red dogs on a mat`,
      }),
    );
    writeFileSync(join(folder, 'triplets.jsonl'), `${rows.join('\n')}\n`);
    const [one, three] = [await audit('one'), await audit('three', '--workers', '3')];
    assert.deepEqual([one.code, three.code], [0, 0], three.err);
    for (const name of ['visla.bert-cls.report.json', 'visla.bert-cls.rows.jsonl'])
      assert.equal(
        readFileSync(join(folder, 'three', name), 'utf8'),
        readFileSync(join(folder, 'one', name), 'utf8'),
      );
    assert.ok(!existsSync(join(folder, 'three', 'shards')));
  });

  it('fails with the shard that failed, and its message', async () => {
    writeFileSync(join(folder, 'triplets.jsonl'), '{"caption": 7}\n');
    const { code, err } = await audit('broken', '--workers', '2');
    assert.notEqual(code, 0);
    assert.match(err, /^\[[12]\/2\] /m);
    assert.match(err, /Shard [12]\/2 failed/);
  });
});
