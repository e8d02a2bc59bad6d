import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../src/base/errors';
import { Reader } from '../../../src/process/readerClient';

/** A process that answers every request with its content as JSON. */
const echo = `process.on('message', ({ type, id, ask }) => {
  if (type === 'ask') process.send({ type: 'answer', id, answer: JSON.stringify(ask) });
});`;

describe('the client of the reading process', () => {
  let folder: string;
  let trusted: boolean;
  let reader: Reader;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-reader-'));
    const script = join(folder, 'echo.js');
    await writeFile(script, echo);
    trusted = false;
    reader = new Reader(script, {
      home: () => 'home',
      isTrusted: () => trusted,
      allowed: () => Promise.resolve({ evaluators: [], own: [], workspace: [] }),
      needTrust: () => {
        if (!trusted) throw new CaptiousError('usage', 'Not here.');
      },
    });
  });

  afterEach(async () => {
    await reader.close(5000);
    await rm(folder, { recursive: true });
  });

  it('states the current workspace trust with every request', async () => {
    const asked = async () =>
      JSON.parse(await reader.ask('inspect', { path: 'a.tsv', images: ['b'] })) as unknown;
    assert.deepEqual(await asked(), { path: 'a.tsv', images: ['b'], trusted: false });
    trusted = true;
    assert.deepEqual(await asked(), { path: 'a.tsv', images: ['b'], trusted: true });
  });

  it('says in an untrusted workspace that nobody can judge, and still what others judged', async () => {
    const script = join(folder, 'judge.js');
    await writeFile(
      script,
      `process.on('message', ({ type, id }) => {
        if (type === 'ask') process.send({ type: 'answer', id, answer: [{ index: 3, votes: [] }] });
      });`,
    );
    const judges = new Reader(script, {
      home: () => 'home',
      isTrusted: () => trusted,
      allowed: () => Promise.resolve({ evaluators: [], own: [], workspace: [] }),
      needTrust: () => undefined,
    });
    const lines = () => judges.rows('judge', { report: 'r', index: 3 }, []);
    assert.deepEqual(await lines(), [{ index: 3, votes: [], fixed: true }]);
    trusted = true;
    assert.deepEqual(await lines(), [{ index: 3, votes: [] }]);
    await judges.close(5000);
  });

  it('requests no image and no what-if score in an untrusted workspace', async () => {
    for (const ask of [
      () => reader.rows('image', { report: 'r', name: 'n', side: 9 }, []),
      () => reader.rows('whatIf', { report: 'r', text: 'a', others: [] }, []),
    ])
      await assert.rejects(ask, (error) => error instanceof CaptiousError && /Not here/.test(error.message));
    assert.equal(reader.pid, undefined);
  });
});
