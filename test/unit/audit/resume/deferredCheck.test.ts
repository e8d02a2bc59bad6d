import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { runAudit } from '../../../../src/audit/run';
import { CaptiousError } from '../../../../src/base/errors';
import { say } from '../../../../src/base/say';
import type { Evaluator } from '../../../../src/evaluator/evaluator';

const count = 900;
const images = 30;

function vector(content: string | Buffer): { ok: true; value: Float32Array } {
  const hash = createHash('sha256').update(content).digest();
  return { ok: true, value: Float32Array.from([0, 4, 8, 12], (at) => hash.readInt32LE(at) / 2 ** 31) };
}

/** Makes embeddings from texts and from the bytes of image files. `onTexts` is called before each batch. */
function evaluator(onTexts: (texts: readonly string[]) => Promise<void> | void): Evaluator {
  return {
    info: {
      id: 'fake',
      name: 'fake',
      kind: 'dual-encoder',
      sha256: 'ab'.repeat(32),
      scores: ['text-text', 'image-text'],
      dimension: 4,
      precision: 'float32',
      provider: 'cpu',
      scale: { name: 'cosine' },
      prefix: '',
      notes: [],
      textKey: 'fake',
      imageKey: 'fake',
    },
    embedTexts: async (texts) => {
      await onTexts(texts);
      return texts.map(vector);
    },
    embedImages: (items) =>
      Promise.all(
        items.map(async ({ source }) => vector('path' in source ? await readFile(source.path) : source.name)),
      ),
    close: () => Promise.resolve(),
  };
}

/** The house number in a text, which is the number of its example. */
function houseIn(text: string): number {
  return Number(/house (\d+)/.exec(text)![1]);
}

describe('the check of an earlier run, after new examples have begun', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-check-'));
    for (let i = 0; i < images; i++) await writeFile(join(folder, `${i}.jpg`), `image ${i}`);
    await write((i) => `row-${i}`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes a dataset in which every 90th row is invalid and the image of every 70th row is missing. */
  async function write(idOf: (row: number) => string): Promise<void> {
    const lines = ['id\tfilename\tcaption\tsecond positive\tnegative_caption'];
    for (let i = 0; i < count; i++) {
      const at = `near house ${i}`;
      const cells = [idOf(i), i % 70 === 9 ? 'nowhere.jpg' : `${Math.floor((i * images) / count)}.jpg`];
      cells.push(`A man rides a horse ${at}.`, `A horse with a man ${at}.`, `A man rides a cow ${at}.`);
      lines.push(i % 90 === 3 ? 'broken' : cells.join('\t'));
    }
    await writeFile(join(folder, 'triplets.tsv'), `${lines.join('\n')}\n`);
  }

  interface Ran {
    all: string;
    /** The number of examples taken from the checkpoint, as the last message states it. */
    taken: number;
    said: string;
    problems: number;
  }

  /** Runs with an empty store, because every text must reach the fake evaluator. */
  async function run(
    out: string,
    onTexts: (texts: readonly string[]) => Promise<void> | void,
    signal?: AbortSignal,
  ) {
    let said = '';
    let problems = 0;
    await runAudit({
      dataset: join(folder, 'triplets.tsv'),
      probes: ['visla'],
      // The test of the evaluator before the run would also send texts.
      spread: false,
      evaluators: [evaluator(onTexts)],
      home: await mkdtemp(join(folder, 'home-')),
      out: join(folder, out),
      signal: signal ?? new AbortController().signal,
      onEvent: (event) => {
        if (event.type === 'notice') said += `${event.message}\n`;
        if (event.type === 'problem') problems++;
      },
    });
    // Leaves out checkpoints (".journal-…"), because their names differ between runs.
    const names = (await readdir(join(folder, out))).filter((name) => !name.startsWith('.')).sort();
    const texts = await Promise.all(
      names.map(async (name) => `${name}\n${await readFile(join(folder, out, name), 'utf8')}`),
    );
    const last = said.trimEnd().split('\n').at(-1)!;
    const taken = Number(/resumes after ([\d,]+)/.exec(last)?.[1].replace(',', '') ?? 0);
    return { all: texts.join(''), taken, said, problems } satisfies Ran;
  }

  const whole = (out = 'whole'): Promise<Ran> => run(out, () => undefined);

  /** Cancels a run when this example's texts reach the evaluator. */
  async function stopped(out: string, example: number): Promise<void> {
    const controller = new AbortController();
    const stop = (texts: readonly string[]): void => {
      if (texts.some((text) => houseIn(text) >= example)) controller.abort();
    };
    await assert.rejects(
      run(out, stop, controller.signal),
      (error) => error instanceof CaptiousError && error.kind === 'interrupted',
    );
  }

  async function rowsIn(out: string): Promise<string> {
    const name = (await readdir(join(folder, out))).find((one) => one.includes('.rows.jsonl'))!;
    return join(folder, out, name);
  }

  it('resumes with identical bytes and the same problems, without encoding earlier texts again', async () => {
    await stopped('out', 750);
    const seen: number[] = [];
    const ran = await run('out', (texts) => void seen.push(...texts.map(houseIn)));
    const once = await whole();
    assert.match(ran.said, /^This run resumes after \d{3} examples [^\n]*\n$/);
    assert.ok(ran.taken >= 200, ran.said);
    assert.ok(Math.min(...seen) >= ran.taken, `${Math.min(...seen)} was encoded again`);
    assert.equal(ran.all, once.all);
    assert.equal(ran.problems, once.problems);
    assert.ok(once.problems >= 10);
  });

  it('begins when a new example is measured, so an image changed until then is found', async () => {
    await stopped('out', 750);
    let changed = false;
    const ran = await run('out', async (texts) => {
      if (changed || !texts.some((text) => houseIn(text) > 600)) return;
      changed = true;
      await writeFile(join(folder, '3.jpg'), 'another image');
    });
    assert.ok(changed);
    assert.match(
      ran.said,
      /resumes after \d+ .*\n.*images have changed\. This run (starts over|resumes after)/,
    );
    assert.ok(ran.taken < 120, ran.said);
    assert.equal(ran.all, (await whole()).all);
  });

  it('finds an image that changed between the runs', async () => {
    await stopped('out', 750);
    await writeFile(join(folder, '15.jpg'), 'another image');
    const ran = await run('out', () => undefined);
    const once = await whole();
    assert.ok(ran.taken > 0 && ran.taken <= 450, ran.said);
    assert.equal(ran.all, once.all);
    assert.equal(ran.problems, once.problems);
  });

  for (const [what, damage] of [
    ['altered', (path: string) => alter(path, 2000)],
    ['cut short', async (path: string) => truncate(path, Math.floor((await readFile(path)).length / 2))],
    ['deleted', (path: string) => rm(path)],
    ['replaced by other rows of the same length', (path: string) => swapRows(path)],
  ] as const)
    it(`finds rows that were ${what} between the runs`, async () => {
      await stopped('out', 750);
      await damage(await rowsIn('out'));
      const ran = await run('out', () => undefined);
      assert.ok(ran.taken < 500, ran.said);
      assert.equal(ran.all, (await whole()).all);
    });

  /** Changes one digit in place, because the run may be appending rows. */
  async function alter(path: string, at: number): Promise<void> {
    const file = await open(path, 'r+');
    const { buffer } = await file.read(Buffer.alloc(4096), 0, 4096, at);
    const digit = buffer.findIndex((byte) => byte >= 0x31 && byte <= 0x38);
    await file.write(Buffer.from([buffer[digit] + 1]), 0, 1, at + digit);
    await file.close();
  }

  async function swapRows(path: string): Promise<void> {
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, [lines[1], lines[0], ...lines.slice(2)].join('\n'));
  }

  it('starts over if the dataset was edited between the runs, with the same size and date', async () => {
    await stopped('out', 750);
    const path = join(folder, 'triplets.tsv');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace('A man rides a horse near house 40.', 'A man feeds a horse near house 40.'),
    );
    await utimes(path, new Date(0), new Date(0));
    const ran = await run('out', () => undefined);
    assert.equal(ran.taken, 0);
    assert.equal(ran.all, (await whole()).all);
  });

  it('finds an id that an earlier example has', async () => {
    await write((i) => (i === 850 ? 'row-20' : `row-${i}`));
    await stopped('out', 750);
    const ran = await run('out', () => undefined);
    const once = await whole();
    assert.match(once.all, /row-20 \(entry 851\)/);
    assert.equal(ran.all, once.all);
    assert.equal(ran.problems, once.problems);
  });

  it('finds a checkpoint with the place of another example', async () => {
    await stopped('out', 750);
    const name = (await readdir(join(folder, 'out'))).find((one) => one.startsWith('.journal'))!;
    const path = join(folder, 'out', name);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1)!.slice(9)) as { position: object };
    last.position = (JSON.parse(lines.at(-2)!.slice(9)) as typeof last).position;
    const json = JSON.stringify(last);
    lines.splice(-1, 1, `${crc32(json).toString(16).padStart(8, '0')} ${json}`);
    await writeFile(path, `${lines.join('\n')}\n`);
    const ran = await run('out', () => undefined);
    assert.match(ran.said, /damaged/);
    assert.equal(ran.all, (await whole()).all);
  });

  it('follows a run that was stopped before its own check', async () => {
    await stopped('out', 400);
    await stopped('out', 800);
    const ran = await run('out', () => undefined);
    assert.doesNotMatch(ran.said, /damaged/);
    assert.ok(ran.taken >= 400, ran.said);
    assert.equal(ran.all, (await whole()).all);
  });

  it('finds damage that an earlier resumed run was stopped too early to find', async () => {
    await stopped('out', 400);
    await alter(await rowsIn('out'), 2000);
    await stopped('out', 500);
    const ran = await run('out', () => undefined);
    assert.ok(ran.taken < 500, ran.said);
    assert.equal(ran.all, (await whole()).all);
  });

  it('leaves a checkpoint that resumes if the run is cancelled while it starts over', async () => {
    await stopped('out', 750);
    await alter(await rowsIn('out'), 2000);
    const controller = new AbortController();
    let restarted = false;
    await assert.rejects(
      run(
        'out',
        (texts) => {
          // The checkpoint has the first examples. The evaluator receives their texts only after a failed check.
          restarted ||= texts.some((text) => houseIn(text) < 100);
          if (restarted && texts.some((text) => houseIn(text) > 300)) controller.abort();
        },
        controller.signal,
      ),
    );
    assert.ok(restarted);
    const ran = await run('out', () => undefined);
    assert.ok(ran.taken > 0, ran.said);
    assert.equal(ran.all, (await whole()).all);
  });

  it('reports no file and keeps none of its rows if a row changes after the check', async () => {
    await stopped('out', 750);
    let altered = false;
    const last = async (texts: readonly string[]): Promise<void> => {
      if (altered || !texts.some((text) => houseIn(text) === count - 1)) return;
      altered = true;
      await alter(await rowsIn('out'), 2000);
    };
    const ran = await run('out', last).catch((error: unknown) => error);
    assert.ok(altered);
    // If the check finds the change, the run starts over. Otherwise, the run fails at the checksum of the whole file.
    if (ran instanceof Error) {
      assert.deepEqual((ran as CaptiousError).what, say('report.unfinishedFileChanged'));
      assert.ok(!(await readdir(join(folder, 'out'))).some((name) => name.endsWith('report.json')));
    } else assert.equal((ran as Ran).all, (await whole()).all);
  });
});
