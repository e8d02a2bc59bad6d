import assert from 'node:assert/strict';
import { mock } from 'node:test';
import {
  type Asking,
  type CallMessage,
  Calls,
  type CallsOptions,
  type Handlers,
  serving,
} from '../../../src/base/calls';
import { CaptiousError } from '../../../src/base/errors';
import { count, object, text } from '../../../src/base/shape';

const requests = {
  length: { ask: object({ of: text }), answer: object({ length: count }) },
  index: { ask: object({ report: text }), answer: object({}), stallMs: 1000 },
};
type Requests = typeof requests;

const turn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await turn();
};
const never = (): Promise<never> => new Promise(() => undefined);

/** Both ends of a channel that copies messages, like a channel between processes. */
function connected(
  handlers: Partial<Handlers<Requests>>,
  options: Partial<CallsOptions> = {},
): { asker: Calls<Requests>; server: Calls<Requests>; passed: CallMessage[]; deaf: { server: boolean } } {
  const passed: CallMessage[] = [];
  const deaf = { server: false };
  const asker = new Calls<Requests>(requests, {
    send: (message) => {
      passed.push(structuredClone(message));
      if (!deaf.server) server.hear(structuredClone(message));
    },
    ...options,
  });
  const server = new Calls<Requests>(requests, {
    send: (message) => {
      passed.push(structuredClone(message));
      asker.hear(structuredClone(message));
    },
    serve: serving(requests, { length: ({ of }) => ({ length: of.length }), index: never, ...handlers }),
  });
  return { asker, server, passed, deaf };
}

describe('calls between processes', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  it('return each answer to its own caller, in any order', async () => {
    const waiting = new Map<string, (answer: { length: number }) => void>();
    const { asker } = connected({ length: ({ of }) => new Promise((resolve) => waiting.set(of, resolve)) });
    const answers = Promise.all(['a', 'bbb', 'cc'].map((of) => asker.ask('length', { of })));
    for (const of of ['cc', 'a', 'bbb']) waiting.get(of)!({ length: of.length });
    assert.deepEqual(
      (await answers).map(({ length }) => length),
      [1, 3, 2],
    );
  });

  it('answer in both directions over one channel', async () => {
    const peer: { server?: Calls<Requests> } = {};
    const serve = serving(requests, { length: ({ of }) => ({ length: 10 * of.length }), index: never });
    const own = connected(
      { length: async ({ of }) => ({ length: 1 + (await peer.server!.ask('length', { of })).length }) },
      { serve },
    );
    peer.server = own.server;
    assert.equal((await own.asker.ask('length', { of: 'ab' })).length, 21);
  });

  it('reject an answer of the wrong shape at its caller only', async () => {
    const { asker } = connected({
      length: ({ of }) =>
        of === 'bad' ? ({ length: 'three' } as unknown as { length: number }) : { length: 1 },
    });
    await assert.rejects(asker.ask('length', { of: 'bad' }), /length\.length is not an integer of 0 or more/);
    assert.equal((await asker.ask('length', { of: 'x' })).length, 1);
  });

  it('answer a request of the wrong shape, or without a handler, with the failure', async () => {
    const { asker } = connected({});
    const odd = asker as unknown as { ask: (name: string, ask: unknown) => Promise<unknown> };
    await assert.rejects(odd.ask('length', { of: 3 }), /length\.of is not a text/);
    const other = new Calls(
      { ...requests, other: requests.length },
      {
        send: (message) => {
          far.hear(message);
        },
      },
    );
    const far = new Calls(
      {},
      {
        send: (message) => void other.hear(message),
        serve: serving(requests, {
          length: () => ({ length: 0 }),
          index: never,
        }),
      },
    );
    await assert.rejects(other.ask('other', { of: '' }), /no request "other"/);
  });

  it('throw at a malformed message and leave no caller waiting', async () => {
    const { asker, deaf } = connected({});
    deaf.server = true;
    const asked = assert.rejects(asker.ask('length', { of: 'x' }), /failure is not an object/);
    assert.throws(() => asker.hear({ type: 'fail', id: 1, failure: 'x' }), /failure is not an object/);
    await asked;
    assert.throws(() => asker.hear({ type: 'answer', id: 'one' }), /id is not an integer of 0 or more/);
    assert.equal(asker.hear({ type: 'progress', id: 1 }), false);
    assert.equal(asker.hear(null), false);
  });

  it('pass on the error of a handler: its kind, place and remedy', async () => {
    const { asker } = connected({
      length: () => {
        throw new CaptiousError('input', 'Broken.', { at: 'file.json:3', remedy: 'Mend it.' });
      },
    });
    await assert.rejects(asker.ask('length', { of: 'x' }), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.describe(), 'file.json:3: Broken. Mend it.');
      return true;
    });
  });

  it('end a request without progress, each at its own deadline', async () => {
    const { asker, passed } = connected({ length: never });
    let waits = true;
    void asker.ask('length', { of: 'x' }).finally(() => (waits = false));
    const asked = assert.rejects(
      asker.ask('index', { report: 'r' }),
      /"index" made no progress for 1 seconds/,
    );
    mock.timers.tick(999);
    assert.ok(!passed.some(({ type }) => type === 'stop'));
    mock.timers.tick(1);
    await asked;
    assert.ok(passed.some(({ type, id }) => type === 'stop' && id === 2));
    mock.timers.tick(100_000);
    await settled();
    assert.ok(waits);
  });

  it('do not limit a request with progress, and pass on its progress', async () => {
    let step = (): void => undefined;
    let finish: (answer: object) => void = () => undefined;
    const { asker } = connected({
      index: (_ask, context) => {
        ({ step } = context);
        return new Promise((resolve) => (finish = resolve));
      },
    });
    let steps = 0;
    const context: Asking = { step: () => steps++ };
    const asked = asker.ask('index', { report: 'r' }, context);
    for (let i = 0; i < 10; i++) {
      mock.timers.tick(700);
      step();
    }
    finish({});
    assert.deepEqual(await asked, {});
    assert.equal(steps, 11);
  });

  it('pass a cancel to the handler, and reject the caller at once', async () => {
    let work: AbortSignal | undefined;
    let hung = false;
    const { asker } = connected(
      {
        index: (_ask, { signal }) => {
          work = signal;
          return never();
        },
      },
      { graceMs: 600, onHung: () => (hung = true) },
    );
    const stop = new AbortController();
    const asked = assert.rejects(asker.ask('index', { report: 'r' }, { signal: stop.signal }), {
      kind: 'interrupted',
    });
    assert.equal(work?.aborted, false);
    stop.abort();
    assert.equal(work.aborted, true);
    await asked;
    mock.timers.tick(600);
    assert.equal(hung, false);
    await assert.rejects(asker.ask('length', { of: 'x' }, { signal: stop.signal }), { kind: 'interrupted' });
  });

  it('report a process that ignores a cancel', async () => {
    let hung = false;
    const { asker, deaf } = connected({}, { graceMs: 600, onHung: () => (hung = true) });
    const stop = new AbortController();
    const asked = assert.rejects(asker.ask('index', { report: 'r' }, { signal: stop.signal }));
    deaf.server = true;
    stop.abort();
    await asked;
    mock.timers.tick(599);
    assert.equal(hung, false);
    mock.timers.tick(1);
    assert.equal(hung, true);
  });

  it('treat progress of one request as progress of all if the other side works on one at a time', async () => {
    const steps: (() => void)[] = [];
    let hung = 0;
    const { asker }: ReturnType<typeof connected> = connected(
      {
        index: (_ask, { step }) => {
          steps.push(step);
          return never();
        },
      },
      {
        oneAtATime: true,
        onHung: (why) => {
          hung++;
          asker.end(() => why);
        },
      },
    );
    const asked = [1, 2].map(() => assert.rejects(asker.ask('index', { report: 'r' }), /no progress/));
    mock.timers.tick(700);
    steps[0]();
    mock.timers.tick(700);
    assert.equal(asker.waiting, 2);
    mock.timers.tick(300);
    await Promise.all(asked);
    assert.equal(hung, 1);
  });

  it('fail every caller when the other side ends, and cancel its handlers', async () => {
    let work: AbortSignal | undefined;
    const { asker, server } = connected({
      index: (_ask, { signal }) => {
        work = signal;
        return never();
      },
    });
    const lost = (): Error => new CaptiousError('interrupted', 'The process ended.');
    const asked = [1, 2].map(() => assert.rejects(asker.ask('index', { report: 'r' }), /The process ended/));
    asker.end(lost);
    await Promise.all(asked);
    await assert.rejects(asker.ask('length', { of: 'x' }), /The process ended/);
    server.end(lost);
    assert.equal(work?.aborted, true);
  });
});
