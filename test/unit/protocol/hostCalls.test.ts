import assert from 'node:assert/strict';
import { Calls, type Handlers, serving } from '../../../src/base/calls';
import { CaptiousError } from '../../../src/base/errors';
import { editorModelsBy } from '../../../src/process/hostModels';
import { hostRequests } from '../../../src/protocol/hostCalls';

type HostCalls = Calls<typeof hostRequests>;

/** Connects two ends by a channel that copies messages, as between processes. Returns the end that asks. */
function connected(given: Partial<Handlers<typeof hostRequests>>): {
  hostCalls: HostCalls;
  passed: string[];
} {
  const passed: string[] = [];
  const none = (): never => {
    throw new Error('Nothing asks for that here.');
  };
  const hostCalls: HostCalls = new Calls(hostRequests, {
    send: (message) => {
      passed.push(message.type);
      editor.hear(structuredClone(message));
    },
  });
  const editor = new Calls(
    {},
    {
      send: (message) => void hostCalls.hear(structuredClone(message)),
      serve: serving(hostRequests, { consent: none, key: none, model: none, chat: none, ...given }),
    },
  );
  return { hostCalls, passed };
}

describe('requests of an audit to the editor', () => {
  it('are granted: consent, a key, a model, an answer', async () => {
    const image = { mime: 'image/png' as const, bytes: Uint8Array.of(1, 2, 3) };
    const { hostCalls, passed } = connected({
      consent: ({ terms }) => terms === 'fair',
      key: ({ name }) => (name === 'MINE' ? 'hush' : null),
      model: ({ name }) => ({ id: name, vendor: 'v', family: 'f', version: '1', name: 'n' }),
      chat: ({ text, orders, image: { bytes } }) =>
        text === 'odd'
          ? { type: 'unanswered', trouble: 'filtered', blocked: false }
          : { type: 'said', text: `${orders} ${bytes.length}` },
    });
    assert.equal(await hostCalls.ask('consent', { terms: 'fair', runs: false }), true);
    assert.equal(await hostCalls.ask('consent', { terms: 'other', runs: false }), false);
    assert.equal(await hostCalls.ask('key', { name: 'MINE' }), 'hush');
    assert.equal(await hostCalls.ask('key', { name: 'YOURS' }), null);
    const models = editorModelsBy(hostCalls);
    assert.equal((await models.find('eye')).id, 'eye');
    const question = { orders: 'orders', text: 'text', image };
    const [a, b] = await Promise.all([
      models.ask('eye', question),
      models.ask('eye', { ...question, text: 'odd' }),
    ]);
    assert.deepEqual(a, { text: 'orders 3' });
    assert.ok('trouble' in b && b.trouble === 'filtered' && !b.blocked);
    assert.equal(passed.length, 7);
  });

  it("are rejected with the other side's error", async () => {
    const { hostCalls } = connected({
      model: () => {
        throw new CaptiousError('usage', 'This editor has no language model ear.', {
          remedy: 'Name another.',
        });
      },
    });
    await assert.rejects(editorModelsBy(hostCalls).find('ear'), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.describe(), 'This editor has no language model ear. Name another.');
      return true;
    });
  });

  it('are cancelled with the run, and a late answer is ignored', async () => {
    let late: (given: boolean) => void = () => undefined;
    const { hostCalls, passed } = connected({ consent: () => new Promise((resolve) => (late = resolve)) });
    const stop = new AbortController();
    const asked = hostCalls.ask('consent', { terms: 't', runs: false }, { signal: stop.signal });
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await assert.rejects(asked, { kind: 'interrupted' });
    assert.deepEqual(passed, ['ask', 'stop']);
    late(true);
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(hostCalls.ask('consent', { terms: 't', runs: false }, { signal: stop.signal }), {
      kind: 'interrupted',
    });
  });

  it('reject an answer to another request', async () => {
    const { hostCalls } = connected({
      chat: () => ({ type: 'given' }) as unknown as { type: 'said'; text: string },
    });
    const image = { mime: 'image/png' as const, bytes: new Uint8Array() };
    const chat = { model: 'm', orders: 'o', text: 't', image };
    await assert.rejects(hostCalls.ask('chat', chat), /chat\.type is not known/);
  });
});
