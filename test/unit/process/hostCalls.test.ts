import assert from 'node:assert/strict';
import { CaptiousError } from '../../../src/base/errors';
import { modelsBy, HostCalls } from '../../../src/process/hostCalls';
import { failureOf } from '../../../src/protocol/failure';
import { type FromRunner, fromRunner, type ToRunner, toRunner } from '../../../src/protocol/processes';
import type { Grant, HostCall } from '../../../src/protocol/hostCalls';

/** Both ends with the messages between them, as they are after a process boundary. */
function connected(give: (hostCall: HostCall) => Grant | Promise<Grant>): {
  hostCalls: HostCalls;
  localized: FromRunner[];
} {
  const localized: FromRunner[] = [];
  const answer = (message: ToRunner): void => {
    const arrived = toRunner(structuredClone(message), '');
    if (arrived.type === 'granted' || arrived.type === 'refused') hostCalls.hear(arrived);
  };
  const hostCalls = new HostCalls((message) => {
    const arrived = fromRunner(structuredClone(message), '');
    localized.push(arrived);
    if (arrived.type !== 'hostCall') return;
    const { id } = arrived;
    void Promise.resolve()
      .then(() => give(arrived.hostCall))
      .then(
        (grant) => answer({ type: 'granted', id, grant }),
        (error: unknown) => answer({ type: 'refused', id, failure: failureOf(error) }),
      );
  });
  return { hostCalls, localized };
}

describe('what an audit asks of the editor', () => {
  it('is granted: leave, a key, a model, an answer', async () => {
    const picture = { mime: 'image/png' as const, bytes: Uint8Array.of(1, 2, 3) };
    const { hostCalls, localized } = connected((hostCall): Grant => {
      switch (hostCall.type) {
        case 'consent':
          return { type: 'consent', given: hostCall.terms === 'fair' };
        case 'key':
          return { type: 'key', ...(hostCall.name === 'MINE' ? { key: 'hush' } : {}) };
        case 'model':
          return {
            type: 'model',
            model: { id: hostCall.name, vendor: 'v', family: 'f', version: '1', name: 'n' },
          };
        case 'chat':
          return hostCall.text === 'odd'
            ? { type: 'unanswered', trouble: 'filtered', blocked: false }
            : { type: 'said', text: `${hostCall.orders} ${hostCall.picture.bytes.length}` };
      }
    });
    assert.equal((await hostCalls.ask({ type: 'consent', terms: 'fair' })).given, true);
    assert.equal((await hostCalls.ask({ type: 'consent', terms: 'other' })).given, false);
    assert.equal((await hostCalls.ask({ type: 'key', name: 'MINE' })).key, 'hush');
    assert.equal((await hostCalls.ask({ type: 'key', name: 'YOURS' })).key, undefined);
    const models = modelsBy(hostCalls);
    assert.equal((await models.find('eye')).id, 'eye');
    const question = { orders: 'orders', text: 'text', picture };
    const [a, b] = await Promise.all([
      models.ask('eye', question),
      models.ask('eye', { ...question, text: 'odd' }),
    ]);
    assert.deepEqual(a, { text: 'orders 3' });
    assert.ok('trouble' in b && b.trouble === 'filtered' && !b.blocked);
    assert.equal(localized.length, 7);
  });

  it('is refused with the error of the other side', async () => {
    const { hostCalls } = connected(() => {
      throw new CaptiousError('usage', 'This editor has no language model ear.', { remedy: 'Name another.' });
    });
    await assert.rejects(modelsBy(hostCalls).find('ear'), (error: unknown) => {
      assert.ok(error instanceof CaptiousError);
      assert.equal(error.describe(), 'This editor has no language model ear. Name another.');
      return true;
    });
  });

  it('is given up when the run is cancelled, and an answer that comes later reaches nobody', async () => {
    let late: (grant: Grant) => void = () => undefined;
    const { hostCalls, localized } = connected(() => new Promise((resolve) => (late = resolve)));
    const stop = new AbortController();
    const asked = hostCalls.ask({ type: 'consent', terms: 't' }, stop.signal);
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await assert.rejects(asked, { kind: 'interrupted' });
    assert.deepEqual(
      localized.map(({ type }) => type),
      ['hostCall', 'cancelHostCall'],
    );
    late({ type: 'consent', given: true });
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(hostCalls.ask({ type: 'consent', terms: 't' }, stop.signal), {
      kind: 'interrupted',
    });
  });

  it('takes no answer to another question', async () => {
    const { hostCalls } = connected(() => ({ type: 'said', text: 'yes' }));
    await assert.rejects(hostCalls.ask({ type: 'consent', terms: 't' }), /granted "said" to another wish/);
  });
});
