import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditEvent } from '../../../src/audit/events';
import { runAudit } from '../../../src/audit/run';
import { CaptiousError } from '../../../src/base/errors';
import { findSaid } from '../../../src/base/say';

const working = resolve('test/fixtures/models/bert-cls');
const another = resolve('test/fixtures/models/clip');
const dataset = resolve('test/host/workspace/triplets.tsv');

describe('an audit with a broken evaluator', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-broken-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = (out: string, evaluators: string[], onEvent?: (event: AuditEvent) => void) =>
    runAudit({
      ...{ dataset, probes: ['visla'], evaluators, home: join(folder, 'home'), out: join(folder, out) },
      signal: new AbortController().signal,
      ...(onEvent && { onEvent }),
    });

  async function broken(file: string, content: string): Promise<string> {
    const path = join(folder, 'broken');
    await cp(working, path, { recursive: true });
    await writeFile(join(path, file), content);
    return path;
  }

  const contents = async (out: string) => {
    const names = (await readdir(join(folder, out))).filter((name) => name.startsWith('visla.')).sort();
    return Promise.all(
      names.map(async (name) => `${name}\n${await readFile(join(folder, out, name), 'utf8')}`),
    );
  };

  for (const [what, file, content] of [
    ['that cannot be opened', 'onnx/model.onnx', 'not a graph'],
    ['that fails at the first caption', 'tokenizer.json', '{}'],
  ])
    it(`writes the reports of the others, with the same bytes, for one ${what}`, async () => {
      await run('alone', [working, another]);
      const path = await broken(file, content);
      const notices: string[] = [];
      await assert.rejects(
        run('with', [working, path, another], (event) => {
          if (event.type === 'notice') notices.push(event.message);
        }),
        (error: unknown) => {
          assert.ok(error instanceof CaptiousError);
          assert.equal(error.kind, 'evaluator');
          assert.equal(findSaid(error.what, 'audit.otherReportsWritten'), error.what);
          assert.ok(error.at?.startsWith(path), error.at);
          return true;
        },
      );
      assert.ok(
        notices.some((message) => message.includes(path)),
        notices.join(),
      );
      assert.deepEqual(await contents('with'), await contents('alone'));
      assert.equal((await contents('with')).length, 4);
    });

  it('says in the error why each of several failed', async () => {
    const path = await broken('onnx/model.onnx', 'not a graph');
    const second = join(folder, 'second');
    await cp(path, second, { recursive: true });
    await assert.rejects(run('two', [path, working, second]), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      const said = error.describe();
      assert.ok(said.includes(path) && said.includes(second), said);
      return true;
    });
  });

  for (const [what, file] of [
    ['cannot be opened', 'onnx/model.onnx'],
    ['fail at the first caption', 'tokenizer.json'],
  ])
    it(`fails without a report if all ${what}, and tells each error once`, async () => {
      const path = await broken(file, '{}');
      const second = join(folder, 'second');
      await cp(path, second, { recursive: true });
      const told: string[] = [];
      const hear = (event: AuditEvent): void => {
        if (event.type === 'notice') told.push(event.message);
      };
      await assert.rejects(run('none', [path, second], hear), (error: unknown) => {
        assert.ok(error instanceof CaptiousError && error.kind === 'evaluator');
        told.push(error.describe());
        return true;
      });
      assert.deepEqual(
        [path, second].map((one) => told.filter((message) => message.startsWith(`${one}/`)).length),
        [1, 1],
      );
      assert.deepEqual(await contents('none'), []);
    });
});
